/** The sessions of the Admin Portal that administrators see: user, address and begin, without anything that opens a session. */
import type { EffectiveRights } from '../../../administration/access/effective-rights.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Store } from '../../../ports/store/store.ts';
import { decodeRecord, portalFamily, type SessionAbout, splitAbout } from './session-record.ts';

/** The caller of the list. */
export interface ListingCall {
  readonly administrator: Dn;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin'>;
  /** The session that the call comes with. */
  readonly session: string | undefined;
  readonly store: Pick<Store, 'family' | 'get' | 'remove'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface AdminSession extends SessionAbout {
  readonly id: string;
  /** Milliseconds since 1970, and up to some seconds late: a session in use is written now and then. */
  readonly used: number;
  /** The session of the caller. */
  readonly own: boolean;
}

/** Lists the sessions of all nodes, the newest first: for a super administrator all, for others their own. */
export async function listSessions(call: ListingCall): Promise<readonly AdminSession[]> {
  const found: AdminSession[] = [];
  for await (const page of call.store.family(portalFamily))
    for (const { key, value } of page) {
      const id = key.slice(portalFamily.length + 1);
      const one = { ...readListed(value), id, own: id === call.session };
      if (isTheirs(one, call)) found.push(one);
    }
  return found.sort((a, b) => b.began - a.began);
}

/**
 * Ends a session on every node; a request that is under way finishes.
 * @returns whose it was
 * @throws ServiceError `not_found` also for one of somebody else, where others' are not the caller's to see
 */
export async function endSession(id: string, call: ListingCall): Promise<SessionAbout> {
  const key = `${portalFamily}:${id}`;
  const value = /^[0-9a-f]{64}$/.test(id) ? await call.store.get(key) : undefined;
  const found = value && readListed(value);
  if (!found || !isTheirs(found, call)) throw new ServiceError('not_found', { detail: 'no such session' });
  await call.store.remove(key);
  return found;
}

/** Returns when a session began, in milliseconds since 1970; undefined where it has ended. @throws ServiceError `unavailable` */
export async function sessionBegan(
  id: string,
  { store }: { readonly store: Pick<Store, 'get'> },
): Promise<number | undefined> {
  const value = await store.get(`${portalFamily}:${id}`);
  return value && readListed(value).began;
}

function readListed(value: Uint8Array): SessionAbout & Pick<AdminSession, 'used'> {
  const { used, sealed } = decodeRecord(value);
  return { ...splitAbout(sealed).about, used };
}

const isTheirs = (
  { administrator: whose }: SessionAbout,
  { rights, administrator }: Pick<ListingCall, 'rights' | 'administrator'>,
): boolean => rights.isSuperAdmin || Dn.parse(whose).equals(administrator);
