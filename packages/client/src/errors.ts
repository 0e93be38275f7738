/** The error class of the client: what a server answered, or why it could not be reached. */
import type { Reason } from '@watchword/core';

/**
 * Why a call failed, and the only thing to decide by: a {@link Reason} that the server gave, or one of the
 * client's own.
 * - `network`: no connection, a certificate that is not trusted, an answer cut off
 * - `timeout`: no whole answer within the time allowed; the server may have done what was asked
 * - `aborted`: an `AbortSignal` of the caller
 * - `protocol`: the answer is not one to the question: a redirect, no JSON, too large, a wrong id
 *
 * A server newer than this client may send a word that is not in the type.
 */
export type FailureReason = Reason | 'network' | 'timeout' | 'aborted' | 'protocol';

/** Facts of a failure besides its reason. */
export interface FailureFacts {
  /** The message for people; decide by the reason. */
  readonly message: string;
  /** JSON-RPC error code. */
  readonly code?: number | undefined;
  /** The particulars that the server gave: `Missing parameter dn`. */
  readonly data?: string | undefined;
  readonly httpStatus?: number | undefined;
  /** Wire name of the method or operation that failed; undefined where a whole request did. */
  readonly method?: string | undefined;
  /** Seconds after which it is worth trying again. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The error of a call, or of a whole request. Decide by its `reason`.
 * Neither the message nor any member has the credentials.
 * @see docs/reference/errors.md
 * @example
 * ```ts
 * import { CallError, createManager } from '@watchword/client';
 *
 * const manager = createManager({ url: 'http://localhost:1/manag/', username: 'admin', password: 'a password' });
 * try {
 *   await manager.Count_Activated_Users({});
 * } catch (error) {
 *   console.log(error instanceof CallError && error.reason); // network
 * }
 * ```
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly reason: FailureReason;
  readonly code: number | undefined;
  readonly data: string | undefined;
  readonly httpStatus: number | undefined;
  readonly method: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(reason: FailureReason, facts: FailureFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.reason = reason;
    this.code = facts.code;
    this.data = facts.data;
    this.httpStatus = facts.httpStatus;
    this.method = facts.method;
    this.retryAfter = facts.retryAfter;
  }
}

/** An answer that is none to the question. */
export function protocolError(message: string, facts: Omit<FailureFacts, 'message'> = {}): CallError {
  return new CallError('protocol', { ...facts, message });
}
