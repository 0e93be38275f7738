/** Runs one operation: fields read, the row's function called, errors put into the service's words. */
import { refusal } from '../failure.ts';
import type { Fields, OperationCall, Values } from '../operation.ts';
import { type Given, readFields } from './fields.ts';
import type { NamedOperation } from './operations.ts';

/** Throws nothing: what fails is an answer too, and the log has the rest (webservices.md §3). */
export async function runOperation(
  { name, operation }: NamedOperation,
  given: Given,
  call: Omit<OperationCall, 'operation'>,
): Promise<Values<Fields>> {
  try {
    return await operation.run(readFields(operation.request, given), { ...call, operation: name });
  } catch (cause) {
    const { id, client } = call.transaction;
    return operation.refuse(refusal(cause, call.core.log, { transaction: id, client, operation: name }));
  }
}
