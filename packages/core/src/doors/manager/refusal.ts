/** Audit entries of refused administrator logins: the name that was tried, the source and the reason. */
import type { RoleInterface, ServiceConfig } from '../../config/config.ts';
import { loggedName } from '../../events/logged-name.ts';
import {
  type AuditReport,
  auditReportOf,
  limitAuditEvent,
  type NewAuditEvent,
  type RecordingPorts,
} from '../../events/recorded.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { LimitEvent } from '../../limits/limit-events.ts';
import type { Source } from '../../limits/source.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Log } from '../../ports/log/log.ts';
import type { Transaction } from '../../table/method.ts';

/** A login that somebody tries. */
export interface TriedLogin {
  /** The login name as it came. */
  readonly username: string;
  /** The DN of the user; undefined: there is none. */
  readonly dn: Dn | undefined;
  readonly place: Source;
  readonly transaction: Transaction;
  /** The door of the attempt. */
  readonly door: RoleInterface;
}

const application = 'Manager';

/** The context of recording refusals, and of showing names without a user. */
export interface RefusalPorts extends RecordingPorts {
  readonly log: Log;
  readonly keys: KeyRing;
  readonly config: Pick<ServiceConfig, 'log_unknown_names'>;
}

/** The attempt without its source. */
type Named = Omit<TriedLogin, 'place'>;

const nameOf = ({ username, dn }: Named, core: RefusalPorts): string =>
  loggedName(username, dn !== undefined, core);

/** @param why for nobody but the operators; undefined: it is let in, which is no event */
export function reportsOfLogin(
  login: TriedLogin,
  why: string | undefined,
  happened: readonly LimitEvent[],
  core: RefusalPorts,
): readonly AuditReport[] {
  const refusal = why === undefined ? [] : [refusalEntry(login, why, core)];
  const entries = [...refusal, ...limitEntries(login, happened, core)];
  return entries.map((entry) => auditReportOf(entry, login.transaction, core));
}

export function refusalEntry(login: Named, why: string, core: RefusalPorts): NewAuditEvent {
  const user = nameOf(login, core);
  const where = login.door === 'Portal' ? ' to the admin portal' : '';
  const text = `Login of ${JSON.stringify(user)}${where}: refused: ${why}`;
  return { application, dn: login.dn, text, facts: { user, outcome: 'refused', reason: why } };
}

/** Logs an attempt that was not judged. It is no event: a refused caller must not fill the disk. */
export function logUnjudged(login: TriedLogin, why: string, core: RefusalPorts): void {
  const { id: transaction, client } = login.transaction;
  const facts = { user: nameOf(login, core), outcome: 'refused', reason: why };
  core.log.warn('a login was refused', { transaction, client, ...facts });
}

/** Returns an audit entry for each event of the limits, such as the start of a lockout. */
export function limitEntries(
  login: TriedLogin,
  happened: readonly LimitEvent[],
  core: RefusalPorts,
): readonly NewAuditEvent[] {
  const { dn, place } = login;
  const affected = { application, dn, user: nameOf(login, core), place };
  return happened.map((happening) => limitAuditEvent(happening, affected));
}
