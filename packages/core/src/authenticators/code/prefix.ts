/**
 * The PIN that stands before a user's codes (setting `OTPPrefix`), of tokens and of printed lists. Not before an
 * emergency password, which helps who has forgotten the PIN. Kept with the user, encrypted, as `Otp.Prefix`.
 */

import type { StoredData } from '../../directory/data/data.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';
import { read } from '../../table/setting.ts';
import { codeSettings } from '../settings.ts';
import type { CodeHolder } from './authenticator.ts';

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

/** A text without the PIN that has to stand before its code, and whether it does: a code is judged behind a wrong one too. */
export function behindPrefix(
  prefix: string | undefined,
  text: string,
): { readonly isRight: boolean; readonly code: string } {
  if (prefix === undefined) return { isRight: true, code: text };
  const trimmed = text.trimStart();
  const isRight = isSameSecret(trimmed.slice(0, prefix.length), prefix);
  return { isRight, code: trimmed.slice(prefix.length) };
}
