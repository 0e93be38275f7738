/** The demand of a door, laid over the policy in force: the stricter of both holds. */

import { loginModeOf, stricterLoginMode } from '../../administration/policy/client-mode.ts';
import type { Settled } from '../../administration/policy/strictness.ts';
import { overlay } from '../../directory/data/layers.ts';
import type { Demand } from '../login-request.ts';
import { loginSettings } from '../settings.ts';

export function demanding(demand: Demand | undefined, inForce: Settled): Settled {
  if (!demand) return inForce;
  const asked = demand.asks === undefined ? inForce : asking(demand.asks, inForce);
  return demand.mode === undefined ? asked : raised(demand.mode, asked);
}

const asking = (asks: NonNullable<Demand['asks']>, inForce: Settled): Settled => ({
  ...inForce,
  settings: overlay([
    inForce.settings,
    new Map([[loginSettings.ChallengeMode.name, asks === 'always' ? 'Yes' : 'No']]),
  ]),
});

/** The result is compared with what the mode of a client makes of the policy, so that stepping down lowers no demand. */
function raised(demanded: NonNullable<Demand['mode']>, inForce: Settled): Settled {
  const now = loginModeOf(inForce);
  const wanted = stricterLoginMode(now, demanded);
  if (wanted === now) return { ...inForce, isRaised: true };
  const settings = overlay([inForce.settings, new Map([[loginSettings.LoginMode.name, wanted]])]);
  const mode = inForce.mode === 'no_access' ? inForce.mode : 'default';
  return { ...inForce, settings, mode, isRaised: true };
}
