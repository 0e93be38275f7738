/** Splits an error at a door: the caller gets the public part, and the log gets the details. */

import { ServiceError } from '../foundation/errors/errors.ts';
import { printable } from '../ports/event-log/event-log.ts';
import type { Log, LogFields } from '../ports/log/log.ts';

/**
 * Logs a failure, and returns the error that a caller may see. An unexpected error is shown as the transaction id, which the log has with
 * the cause.
 */
export function publicError(
  cause: unknown,
  log: Log,
  about: LogFields & { readonly transaction: string },
): ServiceError {
  const error = errorOf(cause);
  if (isFailure(error))
    log.error('a call failed', { ...about, outcome: 'failed', reason: error.reason, error });
  // No failure of the service: the line has no stack, and names the entry to repair.
  if (error.reason === 'data_unreadable')
    log.error('stored data cannot be opened', { ...about, outcome: 'failed', detail: error.detail });
  return error.reason === 'internal' ? new ServiceError('internal', { detail: about.transaction }) : error;
}

/** Does the same as {@link publicError}, and logs a refusal, too. Refusals by limits are logged by the limits. */
export function publicRefusal(
  cause: unknown,
  log: Log,
  about: LogFields & { readonly transaction: string },
): ServiceError {
  const error = errorOf(cause);
  const { reason, detail } = error;
  const why = { outcome: 'refused', reason, ...(detail !== undefined && { detail: printable(detail) }) };
  if (!isFailure(error) && reason !== 'too_many_attempts')
    log.info('a request was refused', { ...about, ...why });
  return publicError(error, log, about);
}

const errorOf = (cause: unknown): ServiceError =>
  cause instanceof ServiceError ? cause : new ServiceError('internal', { cause });

const isFailure = (error: ServiceError): boolean =>
  error.reason === 'internal' || (error.reason === 'unavailable' && !error.isForeseen);
