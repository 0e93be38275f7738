/**
 * The secrets of a login, and what is to be proved with them: which factors the login mode wants (webservices.md
 * §4), and how one text that may hold both is read (`otpSimpleLogin`).
 */

import { stepMode } from '../../administration/policy/client-mode.ts';
import { read } from '../../table/setting.ts';
import type { Preset } from '../account/account.ts';
import type { ShownSecrets } from '../attempt/evidence.ts';
import type { Visit } from '../attempt/login-visit.ts';
import { loginSettings } from '../settings.ts';

export interface Wanted {
  readonly password: boolean;
  readonly code: boolean;
  /** A FIDO2 device; where a code is wanted too, either. */
  readonly device: boolean;
}

/** A map, because the mode may be any text that somebody wrote on the entry. */
const wantedBy: ReadonlyMap<string, Wanted> = new Map([
  ['LDAP', { password: true, code: false, device: false }],
  ['OTP', { password: false, code: true, device: false }],
  ['LDAPOTP', { password: true, code: true, device: false }],
  ['LDAPU2F', { password: true, code: false, device: true }],
  ['LDAPMFA', { password: true, code: true, device: true }],
]);

/**
 * What the login mode wants; undefined: nothing that we could judge.
 * `-LDAP` leaves the password out and `-U2F` the security key, where the client policy allows it; of a mode with one
 * factor, and of both options together, something always stays.
 */
export function wantedFactors(account: Preset, { policy, options, request }: Visit): Wanted | undefined {
  const mode = stepMode(read(account.settings, loginSettings.LoginMode), account.clientMode);
  const wanted = wantedBy.get(mode);
  if (request.demand?.link) return wanted && { ...wanted, password: false };
  if (options.size === 0 || account.isRaised) return wanted;
  const leavesOut = (option: string) => options.has(option) && policy.allowsOption(option);
  if (wanted?.device && leavesOut('-U2F')) return { ...wanted, device: false };
  return wanted?.code && leavesOut('-LDAP') ? wantedBy.get('OTP') : wanted;
}

export const codeOnly: Wanted = { password: false, code: true, device: false };

/** One way to read the secrets. */
export interface Reading {
  readonly password: string | undefined;
  readonly code: string | undefined;
  /** Length of the code at the end of a text that holds both; else 0. */
  readonly concat: number;
}

/** How the secrets can be read for what is wanted. */
export function readSecrets(
  { secrets, lengths }: Pick<ShownSecrets, 'secrets' | 'lengths'>,
  { password, code }: Wanted,
): readonly Reading[] {
  if (!('anyPassword' in secrets)) return [{ password: secrets.password, code: secrets.otp, concat: 0 }];
  const { anyPassword: text } = secrets;
  if (!password) return [{ password: undefined, code: text, concat: 0 }];
  const whole: Reading = { password: text, code: undefined, concat: 0 };
  if (!code || text === undefined) return [whole];
  return [whole, ...lengths.flatMap((length) => splitAt(text, length))];
}

function splitAt(text: string, length: number): readonly Reading[] {
  if (text.length <= length) return [];
  const plain = readingAt(text, text.length - length);
  const spaced = /\s/.test(plain.code) ? spacedCode(text, length) : undefined;
  return spaced === undefined ? [plain] : [plain, readingAt(text, spaced)];
}

const readingAt = (text: string, at: number) => ({
  ...{ password: text.slice(0, at), code: text.slice(at) },
  concat: text.length - at,
});

/** Longest code with its spaces that is looked for at the end of a text, beyond its length. */
const mostSpaces = 16;

/** Where a code begins that is typed as apps show it, `123 456`; undefined: the text ends in no such code, or has no more in front of it. */
function spacedCode(text: string, length: number): number | undefined {
  let missing = length;
  for (let at = text.length - 1; at > 0 && text.length - at <= length + mostSpaces; at -= 1) {
    const character = text.charAt(at);
    if (/\d/.test(character)) missing -= 1;
    else if (!/\s/.test(character)) return undefined;
    if (missing === 0) return at;
  }
  return undefined;
}

/** Some reading shows a password and a code, see {@link wholeReadings}. */
export function showsBoth(shown: Pick<ShownSecrets, 'secrets' | 'lengths'>): boolean {
  const { secrets } = shown;
  if ('anyPassword' in secrets) return wholeReadings(shown).length > 0;
  const { password = '', otp = '' } = secrets;
  return password !== '' && otp !== '';
}

/**
 * Readings that show a password and a code, also what the mode ignores: a refusal opens to nothing less (concepts.md
 * §7, 5).
 */
export const wholeReadings = (shown: Pick<ShownSecrets, 'secrets' | 'lengths'>): readonly Reading[] =>
  readSecrets(shown, { password: true, code: true, device: false }).filter(
    ({ password = '', code = '' }) => password !== '' && code !== '',
  );
