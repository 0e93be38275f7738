/** Errors of writes to a database. */
import { ServiceError, StartError } from '@watchword/core/foundation';

export const closedError = (): ServiceError =>
  new ServiceError('unavailable', { detail: 'the database is closed' });

/** Returns the error to report for a failed write: errors of ours as they are, others as `unavailable`. */
export async function writeError(error: unknown): Promise<unknown> {
  if (error instanceof ServiceError || error instanceof StartError) return error;
  const cause = await commitErrorOf(error);
  return new ServiceError('unavailable', { detail: 'the database could not be written', cause });
}

/** lmdb puts the reason of a failed commit in a promise; an unhandled rejection would end the process. */
async function commitErrorOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return Promise.resolve(error.commitError).then(
    () => error,
    (reason: unknown) => reason,
  );
}
