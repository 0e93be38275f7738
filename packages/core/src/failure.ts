/** Errors on their way out: a caller is told what concerns it, the log the rest. */
import { ServiceError } from './errors.ts';
import type { Log, LogFields } from './ports/log.ts';

/**
 * What a caller may know of an error. Of one that nobody foresaw that is an id, which is in the log with the
 * cause (manager.md §2).
 */
export function tellable(
  cause: unknown,
  log: Log,
  about: LogFields & { readonly transaction: string },
): ServiceError {
  const error = cause instanceof ServiceError ? cause : new ServiceError('internal', { cause });
  if (error.reason === 'internal' || error.reason === 'unavailable') {
    log.error('a call failed', { ...about, error });
  }
  return error.reason === 'internal' ? new ServiceError('internal', { detail: about.transaction }) : error;
}
