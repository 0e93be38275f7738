/**
 * The PIN that stands before a user's codes (setting `OTPPrefix`), of tokens and of printed lists. Not before an
 * emergency password, which helps who has forgotten the PIN. Kept with the user, encrypted, as `Otp.Prefix`.
 */

import { type StoredData, swapData } from '../../directory/data/data.ts';
import { readHolder } from '../../directory/data/holder.ts';
import type { HolderView } from '../../directory/view.ts';
import { ServiceError } from '../../errors/errors.ts';
import { randomText } from '../../ports/random.ts';
import { read } from '../../table/setting.ts';
import type { Dn } from '../../text/dn.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import type { Account } from '../login/account.ts';
import type { Authenticator } from '../login/authenticator.ts';
import { otpSettings } from '../settings.ts';
import type { PrefixView } from '../view.ts';

const key = 'Otp.Prefix';

/** Sets the PIN, or makes one of 6 digits, and returns it. @throws ServiceError `invalid_params`, `not_found` */
export async function registerPrefix(dn: Dn, wanted: string | undefined, call: PrefixView): Promise<string> {
  const holder = await readHolder(dn, call);
  const prefix = wanted ?? randomText(call.random, { length: 6, alphabet: '0123456789' });
  if (!/^[A-Za-z0-9]{4,64}$/.test(prefix)) throw wrong('Parameter prefix is not 4 to 64 letters and digits');
  if (!read(holder.settings, otpSettings.OTPPrefix))
    throw wrong(
      `LDAP object '${dn}' needs no prefix: set ${call.names.theirsDotted(otpSettings.OTPPrefix.name)} to Yes first`,
    );
  await swapData(holder, () => new Map([[key, Buffer.from(prefix)]]), call);
  return prefix;
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

/** False if there was none. */
export async function removePrefix(dn: Dn, call: HolderView): Promise<void | false> {
  const holder = await readHolder(dn, call);
  if (!holder.data.keys.includes(key)) return false;
  await swapData(holder, () => new Map([[key, null]]), call);
}

/**
 * What has to stand before the codes of this user. Undefined: nothing, also where nobody has registered a PIN yet: the
 * setting comes first, often for a whole group, and shuts nobody out.
 */
export function prefixOf({ settings, data }: Pick<Account, 'settings' | 'data'>): string | undefined {
  if (!read(settings, otpSettings.OTPPrefix)) return undefined;
  return textOf(data) || undefined;
}

const textOf = (data: Pick<StoredData, 'get'>): string => Buffer.from(data.get(key) ?? []).toString();

/** The same authenticator with a PIN before its codes. The code is judged though the PIN is wrong: time tells nothing. */
export function behindPrefix(prefix: string, inner: Authenticator): Authenticator {
  const split = (code: string) => {
    const text = code.trimStart();
    const isRight = isSameSecret(text.slice(0, prefix.length), prefix);
    return { isRight, rest: text.slice(prefix.length) };
  };
  return {
    ...inner,
    find: async (code) => {
      const { isRight, rest } = split(code);
      const right = await inner.find(rest);
      return isRight ? right : undefined;
    },
    wasUsed: (code) => {
      const { isRight, rest } = split(code);
      return inner.wasUsed(rest) && isRight;
    },
  };
}
