/** Runs one operation: fields read, the row's function called, errors put into the service's words. */
import { tellable } from '../failure.ts';
import type { Fields, OperationCall, Values } from '../operation.ts';
import { printable } from '../ports/records.ts';
import { type Given, readFields } from './fields.ts';
import type { NamedOperation } from './operations.ts';

/** Throws nothing: what fails is an answer too, and the log has the rest (webservices.md §3). */
export async function runOperation(
  { name, operation }: NamedOperation,
  given: Given,
  call: OperationCall,
): Promise<Values<Fields>> {
  try {
    return await operation.run(readFields(operation.request, given), call);
  } catch (cause) {
    const { log } = call.core;
    const { id, client } = call.transaction;
    const error = tellable(cause, log, { transaction: id, operation: name });
    const why = {
      reason: error.reason,
      ...(error.detail !== undefined && { detail: printable(error.detail) }),
    };
    log.info('an operation was refused', { transaction: id, client, operation: name, ...why });
    return operation.refuse(error);
  }
}
