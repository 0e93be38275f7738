/** Why a write was refused. */
import { ServiceError, StartError } from '@watchword/core/foundation';

export const closed = (): ServiceError =>
  new ServiceError('unavailable', { detail: 'the database is closed' });

/** What is told of a write that has failed. */
export async function refusalOf(error: unknown): Promise<unknown> {
  if (error instanceof ServiceError || error instanceof StartError) return error;
  const cause = await reasonOf(error);
  return new ServiceError('unavailable', { detail: 'the database could not be written', cause });
}

/** lmdb hides why a commit failed in a promise; left alone, its rejection would end the process. */
async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return Promise.resolve(error.commitError).then(
    () => error,
    (reason: unknown) => reason,
  );
}
