/** Ends all sessions and links of a user at once, by removing their index: a session or link that is not in the index has ended. */

import type { Dn } from '../../foundation/text/dn.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { Store } from '../../ports/store/store.ts';
import { identifierOf } from './entry.ts';

/** The key prefix of sessions. */
export const userSessionsFamily = 'user-sessions';

/** Returns the key of a user. @param id the identifier of the entry */
export const userSessionsKey = (id: string): string => `${userSessionsFamily}:${id}`;

/** The key prefix of links. */
export const userLinksFamily = 'user-links';

/** Returns the key of a user. @param id the identifier of the entry */
export const userLinksKey = (id: string): string => `${userLinksFamily}:${id}`;

/** The key prefix of sessions at the self-service page. */
export const userPagesFamily = 'user-pages';

/** Returns the key of a user. @param id the identifier of the entry */
export const userPagesKey = (id: string): string => `${userPagesFamily}:${id}`;

export interface SessionEndingView {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
  readonly store: Pick<Store, 'remove'>;
}

/**
 * Ends the sessions of a user after a password reset, a deactivation or a block. The entry is read by the service.
 * @throws ServiceError `unavailable`; the earlier change is kept, and may be repeated
 */
export async function endSessions(dn: Dn, { server, store }: SessionEndingView): Promise<void> {
  const { identifier } = await server.capabilities(dn);
  const entry = await server.service.read(dn, [identifier]);
  const id = entry && identifierOf(entry, identifier);
  if (id === undefined) return;
  await store.remove(userSessionsKey(id));
  await store.remove(userLinksKey(id));
  await store.remove(userPagesKey(id));
}
