/** The methods that set and remove the PIN before a user's codes. */
import { prefixKey } from '../../authenticators/user-authenticators.ts';
import { swapData } from '../../directory/data/data.ts';
import { readProfile } from '../../directory/data/profile.ts';
import type { ProfileContext } from '../../directory/view.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { randomText } from '../../ports/random.ts';
import type { PrefixView } from './view.ts';

/** Sets the PIN, or makes one of 6 digits, and returns it; it is in force while `OTPPrefix` is on. @throws ServiceError `invalid_params`, `not_found` */
export async function registerPrefix(dn: Dn, wanted: string | undefined, call: PrefixView): Promise<string> {
  const profile = await readProfile(dn, call);
  const prefix = wanted ?? randomText(call.random, { length: 6, alphabet: '0123456789' });
  if (!/^[A-Za-z0-9]{4,64}$/.test(prefix)) throw wrong('Parameter prefix is not 4 to 64 letters and digits');
  await swapData(profile, () => new Map([[prefixKey, Buffer.from(prefix)]]), call);
  return prefix;
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

/** False if there was none. */
export async function removePrefix(dn: Dn, call: ProfileContext): Promise<void | false> {
  const profile = await readProfile(dn, call);
  if (!profile.data.keys.includes(prefixKey)) return false;
  await swapData(profile, () => new Map([[prefixKey, null]]), call);
}
