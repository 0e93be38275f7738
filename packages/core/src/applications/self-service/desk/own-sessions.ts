/**
 * The methods by which users list and end their own sessions of the self-service portal; SSO sessions belong to the application `Sso`.
 */

import { onExisting } from '../../../directory/entry/entry.ts';
import { entryIdentifier } from '../../../directory/entry/identifier.ts';
import {
  endSessions,
  type SessionEndingView,
  userLinksKey,
  userSessionsKey,
} from '../../../directory/entry/sessions.ts';
import type { EntryView } from '../../../directory/view.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import { written } from '../../../table/schema/index.ts';
import {
  endOf,
  endSessionsOfUser,
  type PageSession,
  type PageSessionView,
  type SessionReadingView,
  sessionsOfUser,
} from './session.ts';

export interface OwnSessionsView extends EntryView, SessionReadingView {
  /** The session that the call comes with; undefined: it comes by another door. */
  readonly session: string | undefined;
}

export interface OwnEndingView extends EntryView, SessionEndingView {
  readonly server: EntryView['server'] & SessionEndingView['server'];
  readonly store: SessionEndingView['store'] & PageSessionView['store'];
  readonly session: string | undefined;
}

export interface ListedPage {
  readonly id: string;
  readonly session: PageSession;
  /** The call comes with it. */
  readonly isOwn: boolean;
}

/** The oldest first. @throws ServiceError `not_found`, `unavailable` */
export async function pagesOf(dn: Dn, call: OwnSessionsView): Promise<readonly ListedPage[]> {
  const found = await sessionsOfUser(await entryIdentifier(dn, call), call);
  return [...found].map(([id, session]) => ({ id, session, isOwn: id === call.session }));
}

/** False if there is no such session. @throws ServiceError `not_found`, `unavailable` */
export async function endPage(dn: Dn, id: string, call: OwnEndingView): Promise<void | false> {
  const ended = await endSessionsOfUser(await entryIdentifier(dn, call), (one) => one === id, call);
  return ended > 0 ? undefined : false;
}

/** Ends all sessions and links of a user, or all but the caller's. @throws ServiceError `not_found`, `unavailable` */
export async function endAll(
  dn: Dn,
  { isOwnKept }: { readonly isOwnKept: boolean },
  call: OwnEndingView,
): Promise<void> {
  if (!isOwnKept) return onExisting(call.directory, dn, () => endSessions(dn, call));
  const user = await entryIdentifier(dn, call);
  await endSessionsOfUser(user, (id) => id !== call.session, call);
  await call.store.remove(userSessionsKey(user));
  await call.store.remove(userLinksKey(user));
}

const text = { type: 'string' };

/** Moments in UTC, `YYYY-MM-DD HH:MM:SS`. */
export const pageList = () =>
  written(
    {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...{ id: text, begun: text, used: text, expires: text, address: text, program: text },
          own: { type: 'boolean', description: 'The call comes with it.' },
        },
      },
    },
    (pages: readonly ListedPage[]) => pages.map(tellPage),
  );

const tellPage = ({ id, session, isOwn }: ListedPage) => ({
  ...{ id, begun: formatTimestamp(session.begun), used: formatTimestamp(session.used) },
  ...{
    expires: formatTimestamp(endOf(session)),
    address: session.address,
    program: session.program,
    own: isOwn,
  },
});
