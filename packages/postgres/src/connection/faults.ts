/** What PostgreSQL or the way to it says when something goes wrong, and what is known then of what was asked. */

import { ServiceError } from '@watchword/core/foundation';
import { DatabaseError } from 'pg';

/** Nothing was done; nobody knows whether it was done; it never can be done. */
type Fate = 'not_done' | 'unknown' | 'never';

/** Never leaves this folder: see {@link told}. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly fate: Fate;
  /** The server is no longer one to ask: it goes down, has become a standby, or the way to it is cut. */
  readonly isGone: boolean;
  /** Worth another try, elsewhere or a little later, where `fate` allows it. */
  readonly isPassing: boolean;
  /** It is about what was asked: something else may have another end. */
  readonly isOfStatement: boolean;

  constructor(fate: Fate, { isGone = false, isPassing = isGone, isOfStatement = false, cause }: FaultDetail) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.fate = fate;
    this.isGone = isGone;
    this.isPassing = isPassing;
    this.isOfStatement = isOfStatement;
  }
}

interface FaultDetail {
  readonly isGone?: boolean;
  readonly isPassing?: boolean;
  readonly isOfStatement?: boolean;
  readonly cause: unknown;
}

/** Nothing was done, and it is not worth another try. */
export const notDone = (why: string): Fault => new Fault('not_done', { cause: new Error(why) });

/**
 * By SQLSTATE, PostgreSQL Appendix A. A server that is shut down (57P01, 57P02) may have committed before it said so;
 * with any other error of its own it has rolled back.
 */
const gone: Readonly<Record<string, Fate>> = {
  '25006': 'not_done', // read_only_sql_transaction: a standby
  '57P01': 'unknown', // admin_shutdown
  '57P02': 'unknown', // crash_shutdown
  '57P03': 'not_done', // cannot_connect_now
};
/** Serialization failure, deadlock, no room for locks, too many connections. */
const passing = new Set(['40001', '40P01', '53200', '53300']);
/** query_canceled: it took too long, as somebody has held it up. */
const ofStatement = new Set(['57014']);
/** Of the server's state and not of what was asked: connection, rollback, resources, operator, system. */
const ofTheServer = /^(?:08|25|40|53|55|57|58|XX)/;

/** Of what was sent. */
export function faultOf(cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  const code = cause instanceof DatabaseError ? cause.code : undefined;
  if (code === undefined) return new Fault('unknown', { isGone: true, cause });
  const fate = gone[code];
  if (fate) return new Fault(fate, { isGone: true, cause });
  if (ofTheServer.test(code))
    return new Fault('not_done', {
      isPassing: passing.has(code),
      isOfStatement: ofStatement.has(code),
      cause,
    });
  return new Fault('never', { isOfStatement: true, cause });
}

/** The state of the server keeps it from writing, and trying again helps nobody: a full disk, a database that is read-only. */
export const refusesWrites = ({ fate, isPassing, isOfStatement, cause }: Fault): boolean =>
  cause instanceof DatabaseError &&
  (cause.code === '25006' || (fate === 'not_done' && !isPassing && !isOfStatement));

/**
 * Whether it may be otherwise a little later, where a connection could not be made. With a wrong password, without a database of that
 * name, or with a certificate that nobody vouches for, trying again helps nobody.
 */
export const mayPass = (cause: unknown): boolean =>
  cause instanceof DatabaseError ? faultOf(cause).isPassing : !isUntrusted(cause);

/** Codes of Node and OpenSSL (X509_V_ERR_…), and what `pg` says of a server without TLS. */
const untrusted =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_)|does not support SSL/;

const isUntrusted = (cause: unknown): boolean =>
  cause instanceof Error &&
  (untrusted.test(cause.message) || ('code' in cause && untrusted.test(String(cause.code))));

/** What the core is told of it. What the server has said is for the log: it may name users and hosts. */
export function told(fault: unknown): unknown {
  if (!(fault instanceof Fault)) return fault;
  const { fate, cause } = fault;
  if (fate === 'never') return new ServiceError('internal', { detail: 'the database refused a step', cause });
  const detail = fate === 'unknown' ? 'the database does not answer' : 'the database cannot be used now';
  return new ServiceError('unavailable', { detail, cause });
}
