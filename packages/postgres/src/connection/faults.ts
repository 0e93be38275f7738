/** Faults of PostgreSQL or its connection, and the fate of the statement. */

import { ServiceError } from '@watchword/core/foundation';
import { DatabaseError } from 'pg';

/** `not_done`: nothing was changed; `unknown`: the statement may have been committed; `never`: it cannot succeed. */
type Fate = 'not_done' | 'unknown' | 'never';

/** An internal error of this package, see {@link serviceErrorOf}. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly fate: Fate;
  /** The server is lost: it shuts down, has become a standby, or the connection is cut. */
  readonly isServerLost: boolean;
  /** A retry may succeed, on another server or a little later, if `fate` allows it. */
  readonly isTransient: boolean;
  /** The error is of this statement: another one may succeed. */
  readonly isStatementError: boolean;

  constructor(
    fate: Fate,
    { isServerLost = false, isTransient = isServerLost, isStatementError = false, cause }: FaultDetail,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.fate = fate;
    this.isServerLost = isServerLost;
    this.isTransient = isTransient;
    this.isStatementError = isStatementError;
  }
}

interface FaultDetail {
  readonly isServerLost?: boolean;
  readonly isTransient?: boolean;
  readonly isStatementError?: boolean;
  readonly cause: unknown;
}

/** Returns a fault before anything was changed, for which a retry cannot help. */
export const notDone = (why: string): Fault => new Fault('not_done', { cause: new Error(why) });

/**
 * Fates by SQLSTATE, PostgreSQL Appendix A. A server that is shut down (57P01, 57P02) may have committed before; with any other error of its own
 * it has rolled back.
 */
const lostServer: Readonly<Record<string, Fate>> = {
  '25006': 'not_done', // read_only_sql_transaction: a standby
  '57P01': 'unknown', // admin_shutdown
  '57P02': 'unknown', // crash_shutdown
  '57P03': 'not_done', // cannot_connect_now
};
/** Serialization failure, deadlock, no room for locks, too many connections. */
const transient = new Set(['40001', '40P01', '53200', '53300']);
/** query_canceled: the statement timed out, as another transaction blocked it. */
const statementErrors = new Set(['57014']);
/** Classes of errors of the server's state, not of the statement: connection, rollback, resources, operator, system. */
const serverState = /^(?:08|25|40|53|55|57|58|XX)/;

/** Returns the fault of a statement that was sent. */
export function faultOf(cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  const code = cause instanceof DatabaseError ? cause.code : undefined;
  if (code === undefined) return new Fault('unknown', { isServerLost: true, cause });
  const fate = lostServer[code];
  if (fate) return new Fault(fate, { isServerLost: true, cause });
  if (serverState.test(code))
    return new Fault('not_done', {
      isTransient: transient.has(code),
      isStatementError: statementErrors.has(code),
      cause,
    });
  return new Fault('never', { isStatementError: true, cause });
}

/** Returns whether the server cannot write, and a retry cannot help: a full disk, a read-only database. */
export const refusesWrites = ({ fate, isTransient, isStatementError, cause }: Fault): boolean =>
  cause instanceof DatabaseError &&
  (cause.code === '25006' || (fate === 'not_done' && !isTransient && !isStatementError));

/**
 * Returns whether a later attempt to connect may succeed. With a wrong password, a missing database or an untrusted certificate it cannot.
 */
export const mayPass = (cause: unknown): boolean =>
  cause instanceof DatabaseError ? faultOf(cause).isTransient : !isUntrusted(cause);

/** Codes of Node and OpenSSL (X509_V_ERR_…), and the message of `pg` for a server without TLS. */
const untrusted =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_)|does not support SSL/;

const isUntrusted = (cause: unknown): boolean =>
  cause instanceof Error &&
  (untrusted.test(cause.message) || ('code' in cause && untrusted.test(String(cause.code))));

/** Returns the error for the core. The server's own message is its cause, for the log only: it may name users and hosts. */
export function serviceErrorOf(fault: unknown): unknown {
  if (!(fault instanceof Fault)) return fault;
  const { fate, cause } = fault;
  if (fate === 'never') return new ServiceError('internal', { detail: 'the database refused a step', cause });
  const detail = fate === 'unknown' ? 'the database does not answer' : 'the database cannot be used now';
  return new ServiceError('unavailable', { detail, cause });
}
