/** Tokens of a user, and the verification of their codes. A right code must still be claimed in the store. */
import { onceFor } from '../directory/data/layers.ts';
import { type Algorithm, type HotpParameters, matchHotp } from '../foundation/oath/hotp.ts';
import { driftAfter, matchTotp, type TotpParameters } from '../foundation/oath/totp.ts';
import { timeStep } from '../foundation/oath/window.ts';
import { readYubico } from '../foundation/oath/yubico.ts';
import { read } from '../table/setting.ts';
import { codeSettings } from './settings.ts';

export interface HotpState {
  /** The next counter that is acceptable; of a Yubikey, the number of the next use. */
  readonly counter: number;
}

export interface TotpState {
  /** The time step when the drift was last written. */
  readonly step: number;
  /** Time steps that the clock of the token is ahead. */
  readonly drift: number;
}

/** The counter if the suite has one, and the drift if it has the time. */
export interface OcraState extends HotpState {
  readonly drift: number;
}

interface AnyToken {
  /** 1 to 10 */
  readonly slot: number;
  /** The shared secret. A Yubikey of a verification server has its public id here. */
  readonly secret: Uint8Array;
  /** A disabled token is listed, and does not log in. */
  readonly enabled: boolean;
  /** Milliseconds since 1970; undefined: never; NaN, from text that is no moment: expired. */
  readonly expires?: number | undefined;
  readonly shape?: CodeShape | undefined;
  readonly id?: string | undefined;
  readonly serial?: string | undefined;
  readonly model?: string | undefined;
  /** The name that the user gave it. */
  readonly name?: string | undefined;
  /** The suite of an OCRA token, RFC 6287 §6. */
  readonly suite?: string | undefined;
  /** The PIN of an OCRA token whose suite wants one. */
  readonly pin?: string | undefined;
}

/** The form of a token's codes, if its QR code gave one; else the settings give it. */
export interface CodeShape {
  /** Digits of a code. */
  readonly digits: number;
  /** Seconds of a TOTP time step. */
  readonly period: number;
  /** The hash. Optional; default: the one that the length of the secret implies. */
  readonly algorithm?: Algorithm | undefined;
}

export type TypeAndState =
  | { readonly type: 'HOTP'; readonly state: HotpState }
  | { readonly type: 'TOTP'; readonly state: TotpState };

type YubikeyState = { readonly type: 'YUBIKEY'; readonly state: HotpState };
type OcraTokenState = { readonly type: 'OCRA'; readonly state: OcraState };
/** A verification server has the secret and the state; the counter here stays at 0. */
type CloudState = { readonly type: 'YUBICLOUD'; readonly state: HotpState };

export type AnyState = TypeAndState | YubikeyState | OcraTokenState | CloudState;

export type Token = AnyToken & AnyState;

/** Tokens whose codes are verified here by the secret alone. */
type JudgedState = Exclude<AnyState, OcraTokenState | CloudState>;

/** The settings by which codes are verified. */
export interface TokenRules extends CodeShape {
  /** Counters that a HOTP token may be ahead. */
  readonly lookAhead: number;
  /** Seconds that a TOTP token may be off, either way. */
  readonly timeWindow: number;
}

/** The number of a right code, to be claimed in the store, and the state that the entry has after it. */
export type TokenVerdict = JudgedState & { readonly claim: number };

export type OathVerdict = TypeAndState & { readonly claim: number };

/** The part of a token that verification needs. */
export type JudgedToken = JudgedState & {
  readonly secret: Uint8Array;
  readonly shape?: CodeShape | undefined;
  /** The public id of a Yubikey, modhex. */
  readonly id?: string | undefined;
};

export interface JudgeOptions {
  readonly rules: TokenRules;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The highest number claimed for the token so far. */
  readonly accepted: number | undefined;
}

/** Reads the rules from the settings in force. */
export const tokenRules = onceFor(
  (settings): TokenRules => ({
    digits: read(settings, codeSettings.OTPLength),
    period: read(settings, codeSettings.TOTPTimeStep),
    lookAhead: read(settings, codeSettings.HOTPLookAheadWindow),
    timeWindow: read(settings, codeSettings.TOTPTimeOffsetWindow),
  }),
);

/**
 * Verifies a code at a counter or time step above all that were accepted. Only one login can claim its number.
 * @returns undefined if the code is wrong
 */
export function judgeCode(token: JudgedToken, code: string, options: JudgeOptions): TokenVerdict | undefined {
  return token.type === 'YUBIKEY' ? judgeYubico(code, token, options) : judgeOath(token, code, options);
}

/** Verifies a code like {@link judgeCode}, of a HOTP or TOTP token. */
export function judgeOath(
  token: JudgedToken & TypeAndState,
  code: string,
  options: JudgeOptions,
): OathVerdict | undefined {
  const { digits, period, algorithm } = token.shape ?? options.rules;
  const source = { secret: token.secret, digits, period, algorithm };
  return token.type === 'HOTP'
    ? judgeHotp(code, source, options, token.state)
    : judgeTotp(code, source, options, token.state);
}

/** Returns whether a code was right at a number that the token has passed, so that the log can say replay. */
export function isReplay(
  token: JudgedToken,
  code: string,
  { rules, now }: Omit<JudgeOptions, 'accepted'>,
): boolean {
  const options = { rules, now, accepted: undefined };
  if (token.type === 'TOTP')
    return judgeCode({ ...token, state: { ...token.state, step: -1 } }, code, options) !== undefined;
  const counter = token.type === 'YUBIKEY' ? 0 : token.state.counter - rules.lookAhead - 1;
  return judgeCode({ ...token, state: { counter } }, code, options) !== undefined;
}

/** The most steps that {@link clockSkew} looks away from the true time. */
const farthest = 60;

/**
 * Measures how far the clock of a TOTP token is off whose code was refused as wrong, for the log.
 * @returns seconds, negative: behind; undefined: the code is of no moment nearby
 */
export function clockSkew(
  { type, secret, shape }: Pick<JudgedToken, 'type' | 'secret' | 'shape'>,
  code: string,
  { rules, now }: Omit<JudgeOptions, 'accepted'>,
): number | undefined {
  if (type !== 'TOTP') return undefined;
  const { digits, period, algorithm } = shape ?? rules;
  const window = { now, after: -1, drift: 0, window: farthest * period };
  const step = matchTotp(code, { secret, digits, period, algorithm }, window);
  return step === undefined ? undefined : (step - timeStep(now, period)) * period;
}

function judgeHotp(
  code: string,
  source: HotpParameters,
  { rules, accepted = -1 }: JudgeOptions,
  { counter }: HotpState,
): OathVerdict | undefined {
  const from = Math.max(counter, accepted + 1);
  const claim = matchHotp(code, source, { from, window: rules.lookAhead });
  return claim === undefined ? undefined : { claim, type: 'HOTP', state: { counter: claim + 1 } };
}

/** Verifies an output. It may be any number of uses ahead: no output can be made without the AES key. */
function judgeYubico(
  code: string,
  { secret, id: publicId = '', state: { counter } }: JudgedToken & YubikeyState,
  { accepted = -1 }: JudgeOptions,
): TokenVerdict | undefined {
  const claim = readYubico(code, { secret, publicId })?.number;
  if (claim === undefined || claim < counter || claim <= accepted) return undefined;
  return { claim, type: 'YUBIKEY', state: { counter: claim + 1 } };
}

function judgeTotp(
  code: string,
  source: TotpParameters,
  { rules, now, accepted = -1 }: JudgeOptions,
  { step, drift }: TotpState,
): OathVerdict | undefined {
  const window = { now, after: Math.max(step, accepted), drift, window: rules.timeWindow };
  const claim = matchTotp(code, source, window);
  if (claim === undefined) return undefined;
  return { claim, type: 'TOTP', state: { step: claim, drift: driftAfter(claim, source, window) } };
}

/** Returns whether the codes of a token may log in: it is neither disabled nor expired. */
export const isUsable = ({ enabled, expires }: Token, now: number): boolean =>
  enabled && (expires === undefined || now < expires);
