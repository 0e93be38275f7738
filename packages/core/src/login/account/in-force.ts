/** What is in force for a login: the settings and modes of its user, of its client's policy and of its request. */

import type { InForce } from '../../administration/policy/client-policy.ts';
import { settle } from '../../administration/policy/strictness.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { SettingLayers } from '../../directory/data/settings.ts';
import { type Soon, soonWith } from '../../foundation/runtime/soon.ts';
import type { Visit } from '../attempt/login-visit.ts';
import type { FindingView } from '../view.ts';
import { demanding } from './demanded.ts';
import type { Preset } from './found.ts';

/**
 * What is in force for a visit by its policy and its request; undefined: nobody logs in from there.
 * @param below presets, groups and the user's own
 */
export function inForce(
  visit: Visit,
  { groups, below }: Pick<SettingLayers, 'groups'> & { readonly below: Settings },
  core: Requesting['core'],
): Soon<Preset | undefined> {
  const { address, isElsewhere } = visit.whereabouts;
  const under = visit.policy.apply(below, { groups, address, isElsewhere });
  return soonWith(under, underRequest, { visit, core });
}

interface Requesting {
  readonly visit: Visit;
  readonly core: Pick<FindingView, 'applications'>;
}

function underRequest(under: InForce, { visit, core }: Requesting): Preset | undefined {
  const settled = demanding(visit.request.demand, settle(visit.settings, under, core));
  const { mode: clientMode, settings, isRaised, ignored } = settled;
  return clientMode === 'no_access' ? undefined : { settings, isRaised, ignored, clientMode };
}
