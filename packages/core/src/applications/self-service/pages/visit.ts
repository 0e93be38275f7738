/** A visit of a page of a link (opened, or its form submitted): the context of each step of a page. */

import { type EntryProfile, readProfile } from '../../../directory/data/profile.ts';
import { recordEvent } from '../../../events/recorded.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import type { WebResponse } from '../../../foundation/http/http.ts';
import { userKey } from '../../../limits/source.ts';
import type { Transaction } from '../../../table/method.ts';
import type { OwnCallsOf } from '../../../table/own-calls.ts';
import type { RowView } from '../../context/call.ts';
import { findLink, type Link, type LinkApplication } from '../link/link.ts';
import { isEndedByRights } from '../link/rights.ts';
import { isOpen } from '../openness.ts';
import type { PageWords } from './words/index.ts';

export interface PageVisit {
  readonly words: PageWords;
  /** The token of the link; empty: none. */
  readonly token: string;
  /** The sent form; undefined: the page is opened. */
  readonly form: URLSearchParams | undefined;
  /** IP address. */
  readonly address: string;
  readonly transaction: Transaction;
  readonly signal?: AbortSignal | undefined;
  readonly view: RowView;
  readonly own: OwnCallsOf;
}

/** A page of an application. Its errors are answered as a page that cannot be shown now. */
export type SelfPages = (visit: PageVisit) => Promise<WebResponse>;

/** A link that may be used, and the user whose it is, as both are now. */
export interface OpenLink {
  readonly link: Link;
  readonly profile: EntryProfile;
}

/**
 * Reads a link as it may be used now. Undefined: it is over; the user is another one, gone, not active any more, blocked, or has rights
 * of an administrator since; or the application is locked to the user.
 */
export async function openLink(
  word: LinkApplication,
  { token, view }: PageVisit,
): Promise<OpenLink | undefined> {
  const link = await findLink({ application: word, token }, view);
  if (!link) return undefined;
  try {
    const profile = await readProfile(link.dn, { ...view, directory: view.server.service });
    if (profile.id !== link.id || (await isBlocked(profile, view))) return undefined;
    if (await isEndedByRights(link, view)) return undefined;
    return (await isOpen(enteringBy(link), profile, view)) ? { link, profile } : undefined;
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Returns whether an administrator has blocked the user. @throws ServiceError `unavailable` */
export const isBlocked = async (
  { dn }: Pick<EntryProfile, 'dn'>,
  { limits }: Pick<RowView, 'limits'>,
): Promise<boolean> => (await limits.look(userKey(dn), 'web')).block !== undefined;

const enteringBy = ({ application: word, item }: Link) =>
  word === 'selfreg' && item !== undefined ? ({ word, item } as const) : ({ word: 'pwreset' } as const);

/** Records the outcome of a link. */
export const recordUse = (
  { dn, name }: Link,
  { application, text, outcome }: { application: string; text: string; outcome: 'done' | 'refused' },
  { view, transaction, address }: PageVisit,
): Promise<void> => {
  const user = `${name.domain}\\${name.username}`;
  const entry = {
    application: view.names.theirs(application),
    ...{ dn, source: address },
    text: `${JSON.stringify(user)}: ${text}`,
    facts: { user, outcome },
  };
  return recordEvent(entry, transaction, view);
};
