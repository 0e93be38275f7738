/**
 * Runs one operation of a web service: reads its fields, calls the function of its row, and writes errors in the words of the service.
 */
import type { OperationCall } from '../../applications/context/call.ts';
import { publicRefusal } from '../../events/failure.ts';
import type { ServiceError } from '../../foundation/errors/errors.ts';
import type { Fields, Values } from '../../table/operation.ts';
import type { Given } from './fields.ts';
import type { IdempotencyCache } from './idempotency-cache.ts';
import type { NamedOperation } from './operations.ts';

/** An operation that has ended. */
export interface EndedOperation {
  readonly answer: Values<Fields>;
  /** The error, which the answer puts into the words of the service. */
  readonly error?: ServiceError;
}

/** Throws nothing: what fails is an answer too, and the log has the rest. */
export async function runOperation(
  named: NamedOperation,
  given: Given,
  { call, repetitions }: { call: OperationCall; repetitions: IdempotencyCache },
): Promise<EndedOperation> {
  const { name, operation } = named;
  try {
    return { answer: await repetitions.run(named, named.readFields(given), call) };
  } catch (cause) {
    const { id, client } = call.transaction;
    const error = publicRefusal(cause, call.log, { transaction: id, client, operation: name });
    return { answer: operation.refuse(error), error };
  }
}
