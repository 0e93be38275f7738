/**
 * The PIN that stands before a user's codes (setting `OTPPrefix`), of tokens and of printed lists. Not before an
 * emergency password, which helps who has forgotten the PIN. Kept with the user, encrypted, as `Otp.Prefix`.
 */

import type { StoredData } from '../../directory/data/data.ts';
import { read } from '../../table/setting.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import { codeSettings } from '../settings.ts';
import type { Authenticator, CodeHolder } from './authenticator.ts';

/** Under which the data of a user hold it. */
export const prefixKey = 'Otp.Prefix';

/**
 * What has to stand before the codes of this user. Undefined: nothing, also where nobody has registered a PIN yet: the
 * setting comes first, often for a whole group, and shuts nobody out.
 */
export function prefixOf({ settings, data }: Pick<CodeHolder, 'settings' | 'data'>): string | undefined {
  if (!read(settings, codeSettings.OTPPrefix)) return undefined;
  return textOf(data) || undefined;
}

const textOf = (data: Pick<StoredData, 'get'>): string => Buffer.from(data.get(prefixKey) ?? []).toString();

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
