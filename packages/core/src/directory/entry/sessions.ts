/**
 * The sessions of a user, and the links that it was sent, ended all at once: what says which there are is taken away, and one
 * that it does not name is over. Whoever keeps them writes it, and looks at it.
 */

import type { Dn } from '../../foundation/text/dn.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { Store } from '../../ports/store/store.ts';
import { identifierOf } from './entry.ts';

/** What the store keeps them under. */
export const userSessionsFamily = 'user-sessions';

/** @param id the identifier of the user's entry */
export const userSessionsKey = (id: string): string => `${userSessionsFamily}:${id}`;

/** The same of links, which a user enters with. */
export const userLinksFamily = 'user-links';

/** @param id the identifier of the user's entry */
export const userLinksKey = (id: string): string => `${userLinksFamily}:${id}`;

/** The same of the sessions of a user's own page. */
export const userPagesFamily = 'user-pages';

/** @param id the identifier of the user's entry */
export const userPagesKey = (id: string): string => `${userPagesFamily}:${id}`;

export interface SessionEndingView {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
  readonly store: Pick<Store, 'remove'>;
}

/**
 * After the password was reset, or the user deactivated or blocked. The entry is read by the service, as a login reads it: the
 * administrator need not have the right to.
 * @throws ServiceError `unavailable`: what was done before stands, and may be done again
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
