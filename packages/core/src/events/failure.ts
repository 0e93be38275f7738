/** Errors on their way out: a caller is told what concerns it, the log the rest. */

import { ServiceError } from '../foundation/errors/errors.ts';
import { printable } from '../ports/event-log/event-log.ts';
import type { Log, LogFields } from '../ports/log/log.ts';

/**
 * What a caller may know of an error. Of one that nobody foresaw that is an id, which is in the log with the
 * cause.
 */
export function tellable(
  cause: unknown,
  log: Log,
  about: LogFields & { readonly transaction: string },
): ServiceError {
  const error = errorOf(cause);
  if (isFailure(error))
    log.error('a call failed', { ...about, outcome: 'failed', reason: error.reason, error });
  // Nothing of ours has failed: a line without stacks tells which entry to mend.
  if (error.reason === 'data_unreadable')
    log.error('stored data cannot be opened', { ...about, outcome: 'failed', detail: error.detail });
  return error.reason === 'internal' ? new ServiceError('internal', { detail: about.transaction }) : error;
}

/** The same of a request that nothing else is written of: one line, also where nothing failed. Limits have told theirs. */
export function refusal(
  cause: unknown,
  log: Log,
  about: LogFields & { readonly transaction: string },
): ServiceError {
  const error = errorOf(cause);
  const { reason, detail } = error;
  const why = { outcome: 'refused', reason, ...(detail !== undefined && { detail: printable(detail) }) };
  if (!isFailure(error) && reason !== 'too_many_attempts')
    log.info('a request was refused', { ...about, ...why });
  return tellable(error, log, about);
}

const errorOf = (cause: unknown): ServiceError =>
  cause instanceof ServiceError ? cause : new ServiceError('internal', { cause });

const isFailure = (error: ServiceError): boolean =>
  error.reason === 'internal' || (error.reason === 'unavailable' && !error.isForeseen);
