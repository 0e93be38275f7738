/** The methods by which administrators list and end the SSO sessions of a user. */
import { entryIdentifier } from '../../directory/entry/identifier.ts';
import { userSessionsKey } from '../../directory/entry/sessions.ts';
import type { EntryView } from '../../directory/view.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import type { Store } from '../../ports/store/store.ts';
import { written } from '../../table/schema/index.ts';
import {
  findByHash,
  keyOfHash,
  readUserSessions,
  type SessionsView,
  type SsoSession,
  type UserSessions,
  userSessionsValue,
} from './session.ts';

export interface SsoAdministrationView extends EntryView, SessionsView {
  readonly store: Pick<Store, 'get' | 'update' | 'remove'>;
}

/** A session without what opens it. */
export interface ListedSession {
  readonly id: string;
  readonly session: Pick<SsoSession, 'begun' | 'ends' | 'request'>;
}

/** Returns the name of a session for administrators: the beginning of the hash of its id. */
const shown = (hashed: string): string => hashed.slice(0, 16);

/** The oldest first. @throws ServiceError `not_found`, `unavailable` */
export async function sessionsOf(dn: Dn, call: SsoAdministrationView): Promise<readonly ListedSession[]> {
  const value = await call.store.get(await namedOf(dn, call));
  const listed: ListedSession[] = [];
  for (const hashed of readUserSessions(value, call.clock.now()).keys()) {
    const found = await findByHash(hashed, call);
    if (found) listed.push({ id: shown(hashed), session: found.session });
  }
  return listed;
}

/**
 * Ends one session of a user, or all.
 * @param id as {@link sessionsOf} tells it; left out: all
 * @returns how many have ended @throws ServiceError `not_found`, `unavailable`
 */
export async function endSessionsOf(
  dn: Dn,
  id: string | undefined,
  call: SsoAdministrationView,
): Promise<number> {
  const now = call.clock.now();
  const isMeant = (hashed: string) => id === undefined || shown(hashed) === id.toLowerCase();
  const ended = await call.store.update(await namedOf(dn, call), (before) => {
    const all = [...readUserSessions(before, now)];
    const gone = all.filter(([hashed]) => isMeant(hashed));
    const left: UserSessions = new Map(all.filter(([hashed]) => !isMeant(hashed)));
    return { result: gone, ...(gone.length > 0 && { after: userSessionsValue(left, now) }) };
  });
  for (const [hashed] of ended) await call.store.remove(keyOfHash(hashed));
  return ended.length;
}

const namedOf = async (dn: Dn, call: EntryView): Promise<string> =>
  userSessionsKey(await entryIdentifier(dn, call));

const text = { type: 'string' };

/** Moments in UTC, `YYYY-MM-DD HH:MM:SS`. */
export const sessionList = () =>
  written(
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: text, begun: text, expires: text, client: text, source: text },
      },
    },
    (sessions: readonly ListedSession[]) => sessions.map(tellSession),
  );

const tellSession = ({ id, session: { begun, ends, request } }: ListedSession) => ({
  ...{ id, begun: formatTimestamp(begun), expires: formatTimestamp(ends) },
  ...(request.client !== undefined && { client: request.client }),
  ...(request.source !== undefined && { source: request.source }),
});
