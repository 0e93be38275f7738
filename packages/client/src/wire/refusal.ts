/** The error of a refusal, which the Manager and the web services answer with the same members. */
import type { Reason } from '@watchword/core';
import { CallError, type FailureReason } from '../errors.ts';
import type { Answer } from './exchange.ts';
import type { JsonObject } from './json-object.ts';

/** Circumstances of a refusal that the caller knows. */
interface Circumstances {
  /** The reason where the server gives none. */
  readonly otherwise: FailureReason;
  /** Wire name of the method or operation. */
  readonly method: string | undefined;
}

export function refusal(
  { reason, code, message, data }: JsonObject,
  { httpStatus, retryAfter }: Pick<Answer, 'httpStatus' | 'retryAfter'>,
  { otherwise, method }: Circumstances,
): CallError {
  const sentence = typeof message === 'string' ? message : 'The server gives no message';
  const detail = typeof data === 'string' ? data : undefined;
  // Which words there are, the core's table says and this client may be older than it.
  return new CallError(typeof reason === 'string' ? (reason as Reason) : otherwise, {
    message: detail === undefined ? sentence : `${sentence}: ${detail}`,
    code: typeof code === 'number' ? code : undefined,
    data: detail,
    httpStatus,
    retryAfter,
    method,
  });
}
