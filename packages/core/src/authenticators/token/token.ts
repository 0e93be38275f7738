/**
 * Tokens of a user, and which codes are theirs. How they are stored: token-data.ts. Nothing here reads or writes
 * the store; who judges a code claims it there.
 */
import { onceFor } from '../../directory/data/layers.ts';
import { type Algorithm, type CodeSource, matchHotp } from '../../foundation/oath/hotp.ts';
import { driftAfter, matchTotp, type TimeSource } from '../../foundation/oath/totp.ts';
import { timeStep } from '../../foundation/oath/window.ts';
import { read } from '../../table/setting.ts';
import { codeSettings } from '../settings.ts';
import { readYubico } from './yubico.ts';

/** The next counter that is acceptable. */
export interface HotpState {
  readonly counter: number;
}

/** The time step known when the drift was last written, and how many steps the token's clock is ahead. */
export interface TotpState {
  readonly step: number;
  readonly drift: number;
}

/** The next counter that is acceptable, where the suite has one; time steps that the token is ahead, where it has the time. */
export interface OcraState extends HotpState {
  readonly drift: number;
}

interface AnyToken {
  /** 1 to 10 */
  readonly slot: number;
  /** Of a Yubikey whose secret a verification server has: its public id. */
  readonly secret: Uint8Array;
  /** A token that is not enabled is known, and does not log in. */
  readonly enabled: boolean;
  /** Milliseconds since 1970; undefined: never; NaN, where no moment stands: it has. */
  readonly expires?: number | undefined;
  readonly shape?: CodeShape | undefined;
  readonly id?: string | undefined;
  readonly serial?: string | undefined;
  readonly model?: string | undefined;
  /** As its user calls it. */
  readonly name?: string | undefined;
  /** Of an OCRA token, RFC 6287 §6. */
  readonly suite?: string | undefined;
  /** Of an OCRA token whose suite wants one. */
  readonly pin?: string | undefined;
}

/** What its codes look like, where the token was registered by a QR code that said so; else the settings say it. */
export interface CodeShape {
  /** Digits of a code. */
  readonly digits: number;
  /** Seconds of a TOTP time step. */
  readonly period: number;
  /** The hash of its codes; left out: the one that the length of the secret stands for. */
  readonly algorithm?: Algorithm | undefined;
}

export type TypeAndState =
  | { readonly type: 'HOTP'; readonly state: HotpState }
  | { readonly type: 'TOTP'; readonly state: TotpState };

/** Of a Yubikey, in the form of a counter: the number of the next use that is acceptable. */
interface YubikeyState {
  readonly type: 'YUBIKEY';
  readonly state: HotpState;
}

interface OcraTokenState {
  readonly type: 'OCRA';
  readonly state: OcraState;
}

/** Of a Yubikey whose secret a verification server has; the state is there as well, and stays at 0. */
interface CloudState {
  readonly type: 'YUBICLOUD';
  readonly state: HotpState;
}

/** Those that apps have as well, and others. */
export type AnyState = TypeAndState | YubikeyState | OcraTokenState | CloudState;

export type Token = AnyToken & AnyState;

/** One whose codes are judged here, by its secret alone. */
type JudgedState = Exclude<AnyState, OcraTokenState | CloudState>;

/** The settings that codes are judged by. */
export interface TokenRules extends CodeShape {
  /** Counters that a HOTP token may be ahead. */
  readonly lookAhead: number;
  /** Seconds that a TOTP token may be off, either way. */
  readonly timeWindow: number;
}

/** What a code that is right brings: the number to claim in the store, and the state to keep on the entry. */
export type Judgement = JudgedState & { readonly claim: number };

/** The same of a token of OATH. */
export type OathJudgement = TypeAndState & { readonly claim: number };

/** As much of a token as it takes to judge its codes. */
export type JudgedToken = JudgedState & {
  readonly secret: Uint8Array;
  readonly shape?: CodeShape | undefined;
  /** Of a Yubikey: its public id, modhex. */
  readonly id?: string | undefined;
};

export interface JudgeOptions {
  readonly rules: TokenRules;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The highest number claimed for the token so far. */
  readonly accepted: number | undefined;
}

/** @param settings those in force, in our words */
export const tokenRules = onceFor(
  (settings): TokenRules => ({
    digits: read(settings, codeSettings.OTPLength),
    period: read(settings, codeSettings.TOTPTimeStep),
    lookAhead: read(settings, codeSettings.HOTPLookAheadWindow),
    timeWindow: read(settings, codeSettings.TOTPTimeOffsetWindow),
  }),
);

/**
 * Whether a code is a token's, at a counter or time step above all that were accepted. Only the claim makes it
 * good for a login, and only one of those who claim the same number succeeds.
 */
export function judgeCode(token: JudgedToken, code: string, options: JudgeOptions): Judgement | undefined {
  return token.type === 'YUBIKEY' ? judgeYubico(code, token, options) : judgeOath(token, code, options);
}

/** {@link judgeCode} of a HOTP or TOTP token. */
export function judgeOath(
  token: JudgedToken & TypeAndState,
  code: string,
  options: JudgeOptions,
): OathJudgement | undefined {
  const { digits, period, algorithm } = token.shape ?? options.rules;
  const source = { secret: token.secret, digits, period, algorithm };
  return token.type === 'HOTP'
    ? judgeHotp(code, source, options, token.state)
    : judgeTotp(code, source, options, token.state);
}

/** Whether a code was a token's at a counter or time step that it has passed: for the log, where one is replayed. */
export function isPassed(
  token: JudgedToken,
  code: string,
  { rules, now }: Omit<JudgeOptions, 'accepted'>,
): boolean {
  const options = { rules, now, accepted: undefined };
  if (token.type === 'TOTP')
    return judgeCode({ ...token, state: { ...token.state, step: -1 } }, code, options) !== undefined;
  if (token.type === 'YUBIKEY')
    return judgeCode({ ...token, state: { counter: 0 } }, code, options) !== undefined;
  const counter = token.state.counter - rules.lookAhead - 1;
  return judgeCode({ ...token, state: { counter } }, code, options) !== undefined;
}

/** Most steps that a clock is looked for away from the true time, for the log. */
const farthest = 60;

/**
 * Measures how far the clock of a TOTP token is off whose code was refused as wrong, for the log.
 * @returns seconds, negative: behind; undefined: the code is of no moment nearby
 */
export function clockOff(
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
  source: CodeSource,
  { rules, accepted = -1 }: JudgeOptions,
  { counter }: HotpState,
): OathJudgement | undefined {
  const from = Math.max(counter, accepted + 1);
  const claim = matchHotp(code, source, { from, window: rules.lookAhead });
  return claim === undefined ? undefined : { claim, type: 'HOTP', state: { counter: claim + 1 } };
}

/** However far it is ahead: nobody without the AES key makes one. */
function judgeYubico(
  code: string,
  { secret, id: publicId = '', state: { counter } }: JudgedToken & YubikeyState,
  { accepted = -1 }: JudgeOptions,
): Judgement | undefined {
  const claim = readYubico(code, { secret, publicId })?.number;
  if (claim === undefined || claim < counter || claim <= accepted) return undefined;
  return { claim, type: 'YUBIKEY', state: { counter: claim + 1 } };
}

function judgeTotp(
  code: string,
  source: TimeSource,
  { rules, now, accepted = -1 }: JudgeOptions,
  { step, drift }: TotpState,
): OathJudgement | undefined {
  const window = { now, after: Math.max(step, accepted), drift, window: rules.timeWindow };
  const claim = matchTotp(code, source, window);
  if (claim === undefined) return undefined;
  return { claim, type: 'TOTP', state: { step: claim, drift: driftAfter(claim, source, window) } };
}

/** Neither disabled nor expired: its codes may log in. */
export function isUsable({ enabled, expires }: Token, now: number): boolean {
  return enabled && (expires === undefined || now < expires);
}
