/**
 * The error table. A `reason` is stable API: the same word on every interface, and the only thing that
 * code or a client should decide by (docs/reference/errors.md, docs/concepts/dialects-and-names.md#wire-dialect).
 */

interface ErrorRow {
  /** JSON-RPC error code in the standard dialect. */
  readonly standard: number;
  /** JSON-RPC error code that servers in the field answer with. */
  readonly deployed: number;
  /** HTTP status in the standard dialect; the deployed dialect answers 200 to all but a missing login. */
  readonly http: number;
  /** SOAP 1.1 fault code. */
  readonly soap: 'Client' | 'Server' | 'VersionMismatch' | 'MustUnderstand';
  /** The fixed sentence of the reason; particulars go into `detail`. */
  readonly message: string;
  /** The error word of the web services ({@link refusalTable}); `ServerError` if left out. */
  readonly refusal?: 'AuthFailed' | 'BadRequest' | 'NoSession';
}

export const errorTable = {
  parse_error: {
    standard: -32700,
    deployed: -32700,
    http: 200,
    soap: 'Client',
    message: 'Parse error',
  },
  invalid_request: {
    standard: -32600,
    deployed: -32600,
    http: 200,
    soap: 'Client',
    message: 'Invalid Request',
  },
  method_not_found: {
    standard: -32601,
    deployed: -32601,
    http: 200,
    soap: 'Client',
    message: 'Method not found',
  },
  invalid_params: {
    standard: -32602,
    deployed: -32602,
    http: 200,
    soap: 'Client',
    message: 'Invalid params',
    refusal: 'BadRequest',
  },
  invalid_dn: {
    standard: -32602,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'Not a valid DN',
    refusal: 'BadRequest',
  },
  invalid_address: {
    standard: -32602,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'Not an address or a network',
  },
  push_refused: {
    standard: -32602,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'The push message cannot be sent',
  },
  /** Answered as `ServerError` by a web service, and logged as a mistake of the caller. */
  invalid_source: {
    standard: -32602,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'The source of a request is no IP address',
  },
  credentials_refused: {
    standard: -32001,
    deployed: -32600,
    http: 401,
    soap: 'Client',
    message: 'Invalid username or password',
  },
  client_refused: {
    standard: -32003,
    deployed: -32600,
    http: 200,
    soap: 'Client',
    message: 'This address may not use the interface',
  },
  permission_denied: {
    standard: -32003,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'Permission denied',
  },
  /** Step-up (RFC 9470 §3): the session may do it after another sign-in. */
  insufficient_user_authentication: {
    standard: -32003,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'The last sign-in is too long ago, or was without a second factor',
  },
  not_found: {
    standard: -32004,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'No such object',
    refusal: 'NoSession',
  },
  already_exists: {
    standard: -32009,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'Object exists already',
  },
  password_refused: {
    standard: -32022,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'The password policy refuses it',
  },
  schema_refused: {
    standard: -32022,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'The directory refuses it',
  },
  license_refused: {
    standard: -32023,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'The licence does not allow it',
  },
  value_exists: {
    standard: -32022,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'The attribute has that value already',
  },
  value_missing: {
    standard: -32022,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'The attribute has no such value',
  },
  too_large: {
    standard: -32029,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'Too large',
    refusal: 'BadRequest',
  },
  too_many_attempts: {
    standard: -32029,
    deployed: -32603,
    http: 200,
    soap: 'Client',
    message: 'Too many failed logins',
    refusal: 'AuthFailed',
  },
  unavailable: {
    standard: -32053,
    deployed: -32000,
    http: 200,
    soap: 'Server',
    message: 'The directory or the store cannot be reached',
  },
  /** The data of an entry is damaged, copied from another entry, or sealed under a key that is missing. */
  data_unreadable: {
    standard: -32603,
    deployed: -32603,
    http: 200,
    soap: 'Server',
    message: 'Stored data cannot be opened',
  },
  version_mismatch: {
    standard: -32600,
    deployed: -32600,
    http: 200,
    soap: 'VersionMismatch',
    message: 'Only SOAP 1.1 is spoken here',
  },
  must_understand: {
    standard: -32600,
    deployed: -32600,
    http: 200,
    soap: 'MustUnderstand',
    message: 'A SOAP header is not understood',
  },
  internal: { standard: -32603, deployed: -32603, http: 200, soap: 'Server', message: 'Internal error' },
} as const satisfies Record<string, ErrorRow>;

/** The symbolic name of a kind of error. */
export type Reason = keyof typeof errorTable;

/** Every {@link Reason}, in the order of the table. */
export const reasons = Object.keys(errorTable) as readonly Reason[];

export interface ErrorDetail {
  /** The particulars, shown to the caller: no secret, no path, no stack. */
  readonly detail?: string;
  /** The cause; for the log only. */
  readonly cause?: unknown;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number;
  /** Whether nothing has failed, as when a feature is not configured: the log then has no stack. */
  readonly isForeseen?: boolean;
}

/**
 * The error class of the core: a row of the error table with the particulars of the case.
 * Decide by its `reason`; the message is for people.
 * @see docs/concepts/login.md#uniform-answer
 * @example
 * ```ts
 * import { Dn, ServiceError } from '@watchword/core';
 *
 * try {
 *   Dn.parse('no DN');
 * } catch (error) {
 *   if (!(error instanceof ServiceError)) throw error;
 *   console.log(error.reason); // invalid_dn
 * }
 * ```
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly reason: Reason;
  readonly detail: string | undefined;
  readonly retryAfter: number | undefined;
  readonly isForeseen: boolean;

  constructor(
    reason: Reason,
    { detail, cause, retryAfter, isForeseen = retryAfter !== undefined }: ErrorDetail = {},
  ) {
    super(detail === undefined ? errorTable[reason].message : `${errorTable[reason].message}: ${detail}`, {
      cause,
    });
    this.reason = reason;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.isForeseen = isForeseen;
  }
}

/** Returns whether an error is a refusal under load, to be tried again after `retryAfter` seconds. */
export const isOverloaded = ({ reason, retryAfter }: ServiceError): boolean =>
  reason === 'unavailable' && retryAfter !== undefined;

/** Makes the error for a feature that this installation lacks. @param detail what is missing */
export const notConfigured = (detail: string): ServiceError =>
  new ServiceError('unavailable', { detail, isForeseen: true });

/** Makes the error for a session that has ended or never existed. */
export const noSession = (): ServiceError =>
  new ServiceError('not_found', { detail: 'Session not started or timedout' });

/** @param most bytes that a body may have */
export const tooLarge = (most: number): ServiceError =>
  new ServiceError('too_large', { detail: `a request body has at most ${most} bytes` });

/**
 * Returns whether an error is a {@link ServiceError} with one of the reasons.
 * @param error anything that was thrown
 * @param wanted the reasons, at least one
 * @returns false for an error of another class, and for another reason
 * @example
 * ```ts
 * import { isReason, parseFilter } from '@watchword/core';
 *
 * try {
 *   parseFilter('(uid=');
 * } catch (error) {
 *   console.log(isReason(error, 'invalid_params')); // true
 * }
 * ```
 */
export function isReason(error: unknown, ...wanted: readonly Reason[]): boolean {
  return error instanceof ServiceError && wanted.includes(error.reason);
}

/** Returns the particulars of an error, for an operator. */
export const detailOf = (error: unknown): string =>
  error instanceof ServiceError ? (error.detail ?? error.message) : String(error);
