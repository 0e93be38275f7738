/**
 * Sessions on SSH servers: begun, updated and ended by calls of the servers. Their state is in the store, under the hash of the id. The
 * step that begins a session also counts the use of the key and writes the event.
 */

import { hash } from 'node:crypto';
import type { Caller } from '../../../administration/policy/caller.ts';
import { callerKey } from '../../../administration/policy/callers.ts';
import { isSessionId, type SessionOwner, sessionEntry } from '../../../events/recorded-step.ts';
import { noSession, ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { type LoginContext, readContext } from '../../../login/context.ts';
import type { AccountName, LoginRequest } from '../../../login/request.ts';
import type { LoginCall } from '../../../login/view.ts';
import { isAhead } from '../../../ports/clock.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import type { Ledger, TimedValue } from '../../../ports/store/ledger.ts';
import { sshGate } from '../user.ts';

/** The context of sessions, which are written with their events. */
export interface SessionCall extends LoginCall {
  readonly store: Ledger;
  readonly server: LoginCall['server'] & Pick<DirectoryServer, 'changePassword'>;
}

export interface Session {
  readonly dn: Dn;
  /** The identifier of the user's entry. */
  readonly id: string;
  readonly name: AccountName;
  /** The request that began it. */
  readonly request: LoginRequest;
  /** The caller that began it: no other goes on with it. */
  readonly caller: Caller;
  /** The system and the account, for the log. */
  readonly where: string;
  /** The beginning, in milliseconds since 1970. */
  readonly begun: number;
  /** The end, in milliseconds since 1970. Optional; default: while updates come. */
  readonly ends?: number | undefined;
}

/** The family of sessions in the store. */
export const sessionFamily = 'ssh-session';

export const sessionKey = (session: string): string => `${sessionFamily}:${hash('sha256', session)}`;

/** Seconds after the last update of a session without an end. */
const silence = 7 * 86_400;

/** Returns the stored value of a session, with its lifetime. */
export function sessionValue(session: Session, now: number): TimedValue {
  const seconds = session.ends === undefined ? silence : Math.max(1, Math.ceil((session.ends - now) / 1000));
  return { value: Buffer.from(JSON.stringify({ ...session, dn: session.dn.format() })), seconds };
}

/** @throws ServiceError `invalid_params` where none is named; `not_found` if there is none of this id, whatever its form, or another caller has begun it */
export async function findSession(id: string | undefined, call: SessionCall): Promise<Session> {
  if (id === undefined) throw new ServiceError('invalid_params', { detail: 'Missing parameter session' });
  if (!isSessionId(id)) throw noSession();
  const value = await call.store.get(sessionKey(id));
  const session = value && readSession(value);
  const now = call.clock.now();
  if (!session || isAhead(session.begun, now) || callerKey(session.caller) !== callerKey(call.caller))
    throw noSession();
  if (session.ends !== undefined && now >= session.ends) throw noSession();
  return session;
}

function readSession(value: Uint8Array): Session {
  const { dn, ...rest } = JSON.parse(Buffer.from(value).toString('utf8'));
  return { ...rest, dn: Dn.parse(dn) };
}

/** Reads the context of a session from the request that began it. */
export const contextOf = ({ request }: Session, call: SessionCall): LoginContext =>
  readContext(request, call, sshGate);

/** Makes the audit entry of a session. @param whose the user, and the system */
export const entryOf = (whose: SessionOwner & Pick<Session, 'where'>, call: SessionCall) =>
  sessionEntry(whose, (user) => `SSH session of ${user} ${whose.where}`, call);
