/** Codes of OCRA tokens (RFC 6287): answers to the question of a login's challenge. */
import { createSecretKey, timingSafeEqual } from 'node:crypto';
import { compactCode } from '../foundation/oath/hotp.ts';
import { type OcraInput, type OcraSuite, ocra, parseSuite } from '../foundation/oath/ocra.ts';
import { clockSteps, mostCandidates, timeStep, windowSteps } from '../foundation/oath/window.ts';
import { type Random, randomText } from '../ports/random.ts';
import type { OcraState, TokenRules } from './token.ts';

/** The part of a token that verification needs. */
export interface OcraToken {
  readonly secret: Uint8Array;
  readonly state: OcraState;
  /** Left out, by another system: {@link usualSuite}. */
  readonly suite?: string | undefined;
  readonly pin?: string | undefined;
}

/** The preset of the interface. */
export const usualSuite = 'OCRA-1:HOTP-SHA1-6:QN06-T1M';

export const suiteOf = ({ suite = usualSuite }: Pick<OcraToken, 'suite'>): OcraSuite | undefined =>
  parseSuite(suite);

/** Returns why a suite cannot log in. @returns undefined if it can */
export function wrongSuite(text: string): string | undefined {
  const suite = parseSuite(text);
  if (!suite) return 'is not a suite of RFC 6287, such as OCRA-1:HOTP-SHA1-6:QN06-T1M';
  return suite.session === undefined ? undefined : 'has a session (S), which a token cannot know';
}

/** Makes a random question of the length that the suite wants. */
export function newQuestion({ question: { format, length } }: OcraSuite, random: Random): string {
  const alphabet = { N: '0123456789', H: '0123456789ABCDEF', A: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789' }[format];
  return randomText(random, { length, alphabet });
}

export interface OcraJudging {
  readonly question: string;
  readonly rules: Pick<TokenRules, 'lookAhead' | 'timeWindow'>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The highest counter claimed for the token so far. */
  readonly accepted: number | undefined;
}

export interface OcraVerdict {
  readonly type: 'OCRA';
  readonly state: OcraState;
  /** The counter to claim; undefined: the suite has none, and removing the session of the question is the claim. */
  readonly claim: number | undefined;
}

/** Verifies an answer. All candidates are tried, so that the time does not depend on which is right. @returns undefined if it is wrong */
export function judgeOcra(
  token: OcraToken,
  code: string,
  { question, rules, now, accepted = -1 }: OcraJudging,
): OcraVerdict | undefined {
  const suite = suiteOf(token);
  if (!suite) return undefined;
  const { counter, drift } = token.state;
  const from = Math.max(counter, accepted + 1);
  const counters = suite.hasCounter ? series(from, rules.lookAhead) : [counter];
  const found = candidates(suite, counters, { drift, now, window: rules.timeWindow }).filter((candidate) =>
    isAnswer(code, token, suite, { ...candidate, question }),
  );
  const [first] = found;
  if (!first) return undefined;
  if (!suite.hasCounter) return { type: 'OCRA', state: token.state, claim: undefined };
  return { type: 'OCRA', state: { counter: first.counter + 1, drift }, claim: first.counter };
}

/** Returns whether a code is the answer for this question, counter and time. */
export function isAnswer(
  code: string,
  { secret, pin }: Pick<OcraToken, 'secret' | 'pin'>,
  suite: OcraSuite,
  input: OcraInput,
): boolean {
  const right = Buffer.from(ocra(createSecretKey(secret), suite, { ...input, pin }));
  const given = Buffer.from(compactCode(code).toLowerCase());
  return given.length === right.length && timingSafeEqual(given, right);
}

export const series = (from: number, ahead: number): readonly number[] =>
  Array.from({ length: Math.min(ahead, mostCandidates - 1) + 1 }, (_, step) => from + step);

interface Candidate {
  readonly counter: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Returns the counters and times to try, the likeliest first, at most {@link mostCandidates}. */
function candidates(
  { period }: OcraSuite,
  counters: readonly number[],
  { drift, now, window }: { readonly drift: number; readonly now: number; readonly window: number },
): readonly Candidate[] {
  const times = period === undefined ? [0] : timesAround(now, { period, drift, window });
  const all = counters.flatMap((counter) => times.map((time) => ({ counter, time })));
  return all.slice(0, mostCandidates);
}

function timesAround(
  now: number,
  { period, drift, window }: { readonly period: number; readonly drift: number; readonly window: number },
): readonly number[] {
  const steps = clockSteps(timeStep(now, period), drift, windowSteps({ period }, { window }));
  return steps.map((step) => step * period * 1000);
}
