/** Uses a link up by a registration, and puts it back if the registration fails. */
import { ServiceError } from '../../../../foundation/errors/errors.ts';
import type { WebResponse } from '../../../../foundation/http/http.ts';
import type { OwnCalls } from '../../../../table/own-calls.ts';
import type { LinkItem } from '../../link/link.ts';
import { putBack, takeLink } from '../../link/link.ts';
import { type Alert, overPage, selfPage } from '../html.ts';
import { type OpenLink, type PageVisit, recordUse } from '../visit.ts';

/** A link that is open, and what may be done by it. */
export interface Registering extends OpenLink {
  readonly item: LinkItem;
  readonly calls: OwnCalls;
}

/**
 * @param run registers it @param done the page of what came of it
 * @param refused the page where what was entered cannot be registered
 * @throws ServiceError where it is not for the user to mend
 */
export async function registerOnce<T>(
  { link, item }: Registering,
  visit: PageVisit,
  {
    run,
    done,
    refused,
  }: {
    run(): Promise<T>;
    done(registered: T): WebResponse;
    refused(alert: Alert): WebResponse | Promise<WebResponse>;
  },
): Promise<WebResponse> {
  const { view, token, words } = visit;
  if (!(await takeLink({ application: 'selfreg', token }, view))) return overPage(words);
  let registered: T;
  try {
    registered = await run();
  } catch (error) {
    await putBack(token, link, view);
    const isMendable =
      error instanceof ServiceError && ['invalid_params', 'already_exists'].includes(error.reason);
    if (!isMendable) throw error;
    return refused({ text: words.unfit, details: [error.detail ?? error.message] });
  }
  const text = `${item} was registered by a link`;
  await recordUse(link, { application: 'SelfReg', text, outcome: 'done' }, visit);
  return done(registered);
}

/** Title, and whom it is for. */
export const registrationPage = (
  { link }: Registering,
  { words }: PageVisit,
  page: { readonly main: string; readonly alert?: Alert | undefined; readonly script?: string },
): WebResponse => selfPage({ words, title: titleOf(link, words), ...page });

const titleOf = ({ name }: Registering['link'], { registerTitle, forUser }: PageVisit['words']): string =>
  `${registerTitle}. ${forUser.replace('{user}', () => name.username)}`;
