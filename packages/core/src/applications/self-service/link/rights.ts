/**
 * Checks that the user of a link has gained no administrative rights since the link was made: an old link must not open a new
 * administrator's account.
 */
import type { Mandate } from '../../../administration/access/superiors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { RowView } from '../../context/call.ts';
import type { Link, LinkRights } from './link.ts';

export interface RightsView {
  readonly roles: Pick<RowView['roles'], 'mandate'>;
  readonly config: Pick<RowView['config'], 'reset_links_for_administrators'>;
}

/** @throws ServiceError `unavailable` */
export async function rightsOf(dn: Dn, { roles }: Pick<RightsView, 'roles'>): Promise<LinkRights> {
  const mandate: Mandate | undefined = await roles.mandate(dn);
  return mandate?.voucher ? 'all' : (mandate?.roles ?? []).map(({ name }) => name);
}

/**
 * Returns whether the rights that a user has now end a link: any rights, where it was asked for by a name and the configuration has no
 * `reset_links_for_administrators`; else rights that the user had not when it was made.
 * @throws ServiceError `unavailable`
 */
export async function isEndedByRights(
  { dn, isUnauthenticated = false, rights: before = [] }: Pick<Link, 'dn' | 'isUnauthenticated' | 'rights'>,
  view: RightsView,
): Promise<boolean> {
  const now = await rightsOf(dn, view);
  if (isUnauthenticated) return now.length > 0 && !view.config.reset_links_for_administrators;
  if (now === 'all' || before === 'all') return before !== 'all';
  return now.some((name) => !before.includes(name));
}
