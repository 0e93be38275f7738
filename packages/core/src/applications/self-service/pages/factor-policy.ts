/** The client policy `PwReset`, under which the second factor of a link is judged. */

import { loginModeOf, stricterLoginMode } from '../../../administration/policy/client-mode.ts';
import type { InForce } from '../../../administration/policy/client-policy.ts';
import type { EntryProfile } from '../../../directory/data/profile.ts';
import type { PageVisit } from './visit.ts';

/** The client whose policy says which factor is shown before a link is used. */
export const factorClient = 'PwReset';
/** The least login mode at these pages: the link replaces the password. */
export const leastFactors = 'LDAPMFA';

/** The settings and the mode that a factor is judged under, without what the page demands beside them. */
export const factorPolicy = async (
  { settings: below, groups }: Pick<EntryProfile, 'settings' | 'groups'>,
  { view, address }: Pick<PageVisit, 'view' | 'address'>,
): Promise<InForce> =>
  view.clients
    .find({ address, client: factorClient }, undefined)
    .apply(below, { groups, address, isElsewhere: false });

/** Returns whether a code may be the factor: with `LDAPU2F` it is a device. */
export const takesCode = (inForce: InForce): boolean =>
  stricterLoginMode(loginModeOf(inForce), leastFactors) !== 'LDAPU2F';
