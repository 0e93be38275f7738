/**
 * Credentials of a login, and the factors that the login mode wants (docs/concepts/factors-and-login-modes.md#login-mode). One text may
 * hold password and code (`otpSimpleLogin`), so it has several readings. The limits decide by a part of the credentials.
 */

import { stepMode } from '../administration/policy/client-mode.ts';
import { deviceClaimKeys, usableDevices } from '../authenticators/device.ts';
import { knownCodesKeys } from '../authenticators/user-authenticators.ts';
import type { LimitsAttempt } from '../limits/limits-attempt.ts';
import { read } from '../table/setting.ts';
import type { Account, EffectiveSettings, Found } from './account.ts';
import type { Challenge } from './challenge.ts';
import type { LoginContext } from './context.ts';
import type { LoginSecrets } from './request.ts';
import { loginSettings } from './settings.ts';

/** An attempt to log in, by whatever door it came. */
export interface LoginAttempt {
  readonly loginContext: LoginContext;
  readonly found: Found;
  readonly credentials: LoginCredentials;
  /** When the request came, in milliseconds since 1970. */
  readonly begun: number;
}

export type LoginCredentials = SecretCredentials | AnswerCredentials | CertificateCredentials;

export interface SecretCredentials {
  readonly kind: 'secrets';
  readonly secrets: LoginSecrets;
  /** Lengths that a code at the end of a text may have, in characters. */
  readonly lengths: readonly number[];
}

export interface AnswerCredentials {
  readonly kind: 'answer';
  readonly otp: string | undefined;
  /** JSON that a FIDO2 device has signed, as it came. */
  readonly assertion: string | undefined;
  readonly session: string;
  readonly challenge: Challenge;
  /** The caller that the challenge was begun by passes the answer on. */
  readonly isByBeginner: boolean;
}

export interface CertificateCredentials {
  readonly kind: 'certificate';
  /** Undefined: the text is not a certificate. */
  readonly der: Uint8Array | undefined;
}

/** Reason for the log. */
export const noCertificate = 'the text is not a certificate';

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
 * Reads what the login mode wants; undefined: nothing that could be judged.
 * `-LDAP` leaves the password out and `-U2F` the security key, where the client policy allows it; of a mode with one
 * factor, and of both options together, something always stays.
 */
export function wantedFactors(
  account: EffectiveSettings,
  { policy, options, request }: LoginContext,
): Wanted | undefined {
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

/** Returns all readings of the secrets for the wanted factors. */
export function readSecrets(
  { secrets, lengths }: Pick<SecretCredentials, 'secrets' | 'lengths'>,
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

/** Finds where a code begins that is typed as apps show it, `123 456`; undefined: the text ends in no such code, or is nothing else. */
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

/** Returns whether some reading shows a password and a code, see {@link wholeReadings}. */
export function showsBoth(shown: Pick<SecretCredentials, 'secrets' | 'lengths'>): boolean {
  const { secrets } = shown;
  if ('anyPassword' in secrets) return wholeReadings(shown).length > 0;
  const { password = '', otp = '' } = secrets;
  return password !== '' && otp !== '';
}

/** Returns the readings that show a password and a code, also what the mode ignores: a lockout opens to nothing less. */
export const wholeReadings = (shown: Pick<SecretCredentials, 'secrets' | 'lengths'>): readonly Reading[] =>
  readSecrets(shown, { password: true, code: true, device: false }).filter(
    ({ password = '', code = '' }) => password !== '' && code !== '',
  );

/** The part of an attempt by which the limits decide. */
export type LimitsView = Pick<LimitsAttempt, 'withoutPassword' | 'combined' | 'reads' | 'prefetch'>;

/** Reads what an attempt would try alone, and whether it shows more than one factor. */
export function limitsView({ loginContext, found, credentials }: LoginAttempt): LimitsView {
  const { account } = found;
  const reads = account && knownCodesKeys(account);
  const prefetch = account && [account.lastLoginKey];
  switch (credentials.kind) {
    case 'secrets':
      return { ...limitsOfSecrets(credentials, loginContext, found), reads, prefetch };
    case 'answer':
      return {
        ...limitsOfAnswer(credentials, account),
        reads: reads && [...reads, ...deviceReads(credentials, account)],
        prefetch,
      };
    case 'certificate':
      // A certificate guesses nothing: it is complete for a combined proof (docs/concepts/limits.md#combined-proof).
      return { withoutPassword: { password: false, codes: noCodes }, combined: 'both' };
  }
}

type FactorsTried = Pick<LimitsAttempt, 'withoutPassword' | 'combined'>;

function limitsOfSecrets(
  credentials: SecretCredentials,
  loginContext: LoginContext,
  found: Found,
): FactorsTried {
  const { account } = found;
  const preset = account ?? found.defaults;
  const wanted = preset && wantedFactors(preset, loginContext);
  if (!wanted) return { withoutPassword: { password: !preset, codes: noCodes }, combined: 'none' };
  const { password, code, device } = wanted;
  const triesCode = !password && code && readSecrets(credentials, codeOnly)[0]?.code !== undefined;
  return {
    withoutPassword: { password, codes: triesCode ? codeKeys(account) : noCodes },
    // No text shows a device, and a code is no stand-in for one.
    combined: (code || !device) && showsBoth(credentials) ? 'both' : 'none',
  };
}

/** After a right password an answer by the caller that began it is judged as a whole; without a password it is a code alone. */
function limitsOfAnswer(
  { otp, assertion, isByBeginner, challenge: { afterPassword, begun } }: AnswerCredentials,
  account: Account | undefined,
): FactorsTried {
  const isShown = otp !== undefined || assertion !== undefined;
  const isWhole = account !== undefined && afterPassword && isShown && isByBeginner;
  const codes = !afterPassword && otp !== undefined ? codeKeys(account) : noCodes;
  return { withoutPassword: { password: false, codes }, combined: isWhole ? { answer: { begun } } : 'none' };
}

const noCodes: readonly string[] = [];

/** Returns the keys of how far the counters of devices are. */
const deviceReads = ({ assertion }: AnswerCredentials, account: Account): readonly string[] =>
  assertion === undefined ? [] : usableDevices(account.data).flatMap(deviceClaimKeys);

const codeKeys = (account: Account | undefined): readonly string[] =>
  account ? account.authenticators.map(({ key }) => key) : noCodes;
