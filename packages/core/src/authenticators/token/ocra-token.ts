/** Codes of OCRA tokens (RFC 6287): the answer to a question that the challenge of a login has asked. */
import { createSecretKey, timingSafeEqual } from 'node:crypto';
import { compactCode } from '../../foundation/oath/hotp.ts';
import { type OcraInput, type OcraSuite, ocra, parseSuite } from '../../foundation/oath/ocra.ts';
import { clockSteps, mostCandidates, timeStep, windowSteps } from '../../foundation/oath/window.ts';
import { type Random, randomText } from '../../ports/random.ts';
import type { OcraState, TokenRules } from './token.ts';

/** As much of a token as it takes to judge its codes. */
export interface OcraToken {
  readonly secret: Uint8Array;
  readonly state: OcraState;
  /** Left out: of a token that another system has written, {@link usualSuite}. */
  readonly suite?: string | undefined;
  readonly pin?: string | undefined;
}

/** That of the contract's preset. */
export const usualSuite = 'OCRA-1:HOTP-SHA1-6:QN06-T1M';

export const suiteOf = ({ suite = usualSuite }: Pick<OcraToken, 'suite'>): OcraSuite | undefined =>
  parseSuite(suite);

/** What keeps a suite from logging anybody in; undefined: nothing does. */
export function wrongSuite(text: string): string | undefined {
  const suite = parseSuite(text);
  if (!suite) return 'is no suite of RFC 6287, such as OCRA-1:HOTP-SHA1-6:QN06-T1M';
  return suite.session === undefined ? undefined : 'has a session (S), which a token cannot know';
}

/** A question that nobody knows before, as long as the suite says. */
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

export interface OcraJudgement {
  readonly type: 'OCRA';
  readonly state: OcraState;
  /** The counter to claim; undefined: the suite has none, and the code goes with the session that asked the question. */
  readonly claim: number | undefined;
}

/** Undefined: it is not the answer. All candidates are tried, so that the time tells nothing of which it was. */
export function judgeOcra(
  token: OcraToken,
  code: string,
  { question, rules, now, accepted = -1 }: OcraJudging,
): OcraJudgement | undefined {
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

/** Whether a code is the answer to a question for this counter and this time. */
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
  /** In milliseconds since 1970. */
  readonly time: number;
}

/** The likeliest first, and never more than one attempt is compared with. */
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
