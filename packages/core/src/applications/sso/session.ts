/**
 * SSO sessions, which web sites share. The store keeps each sealed, under the hash of its id, so that a reader of the store cannot use it.
 * An index lists the sessions of a user; a session that is not in the index has ended, so that all sessions of a user end in one step.
 */

import { hash } from 'node:crypto';
import type { Caller } from '../../administration/policy/caller.ts';
import { userSessionsKey } from '../../directory/entry/sessions.ts';
import { readSessionId, type SessionOwner, sessionEntry } from '../../events/recorded-step.ts';
import { noSession } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { ActingCall } from '../../login/attempt.ts';
import type { AccountName, LoginRequest } from '../../login/request.ts';
import type { LoginCall } from '../../login/view.ts';
import { isAhead } from '../../ports/clock.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Ledger, TimedValue } from '../../ports/store/ledger.ts';
import type { Store } from '../../ports/store/store.ts';

/** The context of sessions, which are written with their events. */
export interface SsoCall extends ActingCall {
  readonly store: Ledger;
}

export interface SsoSession {
  readonly dn: Dn;
  /** The identifier of the user's entry. */
  readonly id: string;
  readonly name: AccountName;
  /** The request that began it. */
  readonly request: LoginRequest;
  /** The caller that began it. */
  readonly caller: Caller;
  /** The beginning, in milliseconds since 1970. */
  readonly begun: number;
  readonly ends: number;
  /** Data of the web sites. */
  readonly data: string;
}

/** The family of sessions in the store. */
export const sessionFamily = 'sso-session';

/** The hash of an id: what a session is known by to who may not enter with it. */
export const hashOf = (session: string): string => hash('sha256', session);

export const keyOfHash = (hashed: string): string => `${sessionFamily}:${hashed}`;

/** Returns the stored value of a session, until its end. */
export function sessionValue(key: string, session: SsoSession, { keys, now }: Sealing): TimedValue {
  const text = JSON.stringify({ ...session, dn: session.dn.format() });
  return { value: keys.seal(Buffer.from(text), key), seconds: secondsUntil(session.ends, now) };
}

interface Sealing {
  readonly keys: Pick<KeyRing, 'seal'>;
  /** The moment, in milliseconds since 1970. */
  readonly now: number;
}

/** Begun seconds count as whole ones. */
export const secondsUntil = (ends: number, now: number): number =>
  Math.max(1, Math.ceil((ends - now) / 1000));

export interface KeptSsoSession {
  readonly key: string;
  readonly hashed: string;
  readonly session: SsoSession;
}

export interface SessionsView {
  readonly store: Pick<Store, 'get'>;
  readonly keys: Pick<KeyRing, 'open'>;
  readonly clock: LoginCall['clock'];
}

/** @throws ServiceError `invalid_params` if it cannot be the id of a session; `not_found` if there is none */
export async function findSession(id: string | undefined, call: SessionsView): Promise<KeptSsoSession> {
  const found = await findByHash(hashOf(readSessionId(id)), call);
  if (!found) throw noSession();
  return found;
}

export async function findByHash(
  hashed: string,
  { store, keys, clock }: SessionsView,
): Promise<KeptSsoSession | undefined> {
  const key = keyOfHash(hashed);
  const value = await store.get(key);
  if (!value) return undefined;
  const { dn, ...rest } = JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8'));
  const session: SsoSession = { ...rest, dn: Dn.parse(dn) };
  const now = clock.now();
  return isAhead(session.begun, now) || now >= session.ends ? undefined : { key, hashed, session };
}

/** The sessions of a user: by hash, when each ends, the oldest first. */
export type UserSessions = ReadonlyMap<string, number>;

/** Most sessions of a user; one more ends the oldest. */
export const mostOfUser = 50;

export function readUserSessions(value: Uint8Array | undefined, now: number): UserSessions {
  if (!value) return new Map();
  const all: readonly [string, number][] = JSON.parse(Buffer.from(value).toString('latin1'));
  return new Map(all.filter(([, ends]) => ends > now));
}

/** Returns the stored list of a user's sessions; null: none. */
export function userSessionsValue(sessions: UserSessions, now: number): TimedValue | null {
  if (sessions.size === 0) return null;
  const value = Buffer.from(JSON.stringify([...sessions]), 'latin1');
  return { value, seconds: secondsUntil(Math.max(...sessions.values()), now) };
}

/** Returns the key of the list of the user's sessions. */
export const namedIn = ({ session: { id } }: Pick<KeptSsoSession, 'session'>): string => userSessionsKey(id);

/** Makes the audit entry of a session. */
export const entryOf = (whose: SessionOwner, call: Pick<SsoCall, 'names' | 'application' | 'operation'>) =>
  sessionEntry(whose, (user) => `single sign-on of ${user}`, call);
