/** Runs one operation: fields read, the row's function called, errors put into the service's words. */
import { refusal } from '../failure.ts';
import type { Fields, OperationCall, Values } from '../operation.ts';
import { type Given, readFields } from './fields.ts';
import type { NamedOperation } from './operations.ts';
import type { Repetitions } from './repetitions.ts';

/** Throws nothing: what fails is an answer too, and the log has the rest (webservices.md §3). */
export async function runOperation(
  named: NamedOperation,
  given: Given,
  { call, repetitions }: { call: Omit<OperationCall, 'operation'>; repetitions: Repetitions },
): Promise<Values<Fields>> {
  const { name, operation } = named;
  try {
    return await repetitions.run(named, readFields(operation.request, given), { ...call, operation: name });
  } catch (cause) {
    const { id, client } = call.transaction;
    return operation.refuse(refusal(cause, call.core.log, { transaction: id, client, operation: name }));
  }
}
