/** The methods that set and remove the emergency password of a user. */

import type { TimedClaims } from '../../../authenticators/authenticator.ts';
import { emergencyChanges, emergencyOf, hasEmergency } from '../../../authenticators/lists.ts';
import { tokenRules } from '../../../authenticators/token.ts';
import { swapData } from '../../../directory/data/data.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { type Random, randomText } from '../../../ports/random.ts';
import type { PrefixView } from '../view.ts';

const [shortest, longest] = [4, 64];

export interface EmergencyTerms {
  /** The password. Optional; default: as many random digits as the user's codes have. */
  readonly otp: string | undefined;
  readonly seconds: number;
  /** 0: as often as one likes. */
  readonly uses: number;
}

/** Replaces an emergency password that is there. Returns the one that is in force now. */
export async function registerEmergency(
  dn: Dn,
  terms: EmergencyTerms,
  call: PrefixView & Pick<TimedClaims, 'clock'>,
): Promise<string> {
  const { clock, random } = call;
  const profile = await readProfile(dn, call);
  const otp = checkOtp(terms.otp ?? digitsOf(tokenRules(profile.settings).digits, random));
  const start = Math.floor(clock.now() / 1000) * 1000;
  const emergency = emergencyOf(otp, { start, end: start + terms.seconds * 1000, uses: terms.uses });
  await swapData(profile, () => emergencyChanges(emergency), call);
  return otp;
}

/** False if there was none. */
export async function removeEmergency(dn: Dn, call: ProfileContext): Promise<void | false> {
  const profile = await readProfile(dn, call);
  if (!hasEmergency(profile.data)) return false;
  await swapData(profile, () => emergencyChanges(undefined), call);
}

const digitsOf = (length: number, random: Random): string =>
  randomText(random, { length, alphabet: '0123456789' });

/** Spaces around it would be taken away again when it is typed. */
function checkOtp(otp: string): string {
  const trimmed = otp.trim();
  if (trimmed.length < shortest || trimmed.length > longest)
    throw new ServiceError('invalid_params', {
      detail: `Parameter otp is not ${shortest} to ${longest} characters`,
    });
  return trimmed;
}
