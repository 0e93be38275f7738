/**
 * The rules of admission, pure. During a lockout, at a source without tokens and with a capped authenticator, a combined proof is still judged:
 * a password and a code in one request, or the answer to a challenge that began before. A single factor is not.
 */

import type { LimitsAttempt, Refused } from './attempt.ts';
import { isClosed } from './authenticator-cap.ts';
import { refusalNow } from './lockout.ts';
import { allowanceSpan, budgetLeft, budgetSpan, type DailyQuota, isToldUsedUp, isUsedUp } from './quotas.ts';
import { unknownSources } from './source.ts';
import { type Span, timeLeft } from './span.ts';
import { type StateTerms, scopeAt, type UserState } from './user-state.ts';

export type Standing =
  | ({ readonly kind: 'alone' } & Judgeable)
  | ({ readonly kind: 'together'; readonly refusal: Refused } & Judgeable)
  | Refused;

interface Judgeable {
  readonly ground: string;
  readonly passwordsLeft: number;
  /** A refusal that is hidden: the attempt is answered as if all of it were wrong. */
  readonly untold?: Refused | undefined;
}

export interface Circumstances extends StateTerms {
  /** The source has no tokens left. */
  readonly isEmpty: boolean;
  /** All authenticators that would be tried without a password are capped. */
  readonly areCodesClosed: boolean;
  /** The setting `judge_refused`: off where a combined proof must not be judged. */
  readonly judgesRefused: boolean;
}

/** The reasons to judge no single factor. */
interface Tightness extends Pick<Circumstances, 'isEmpty' | 'areCodesClosed'> {
  readonly ground: string;
  readonly refusal: Span | undefined;
}

/** Returns the scope of an attempt: a known source, that of an administrator, or all unknown sources together. */
export function groundOf(state: UserState, { place, as }: Pick<LimitsAttempt, 'place' | 'as'>): string {
  if (as) return place.id;
  for (const one of state.known) if (one.place === place.id) return place.id;
  return unknownSources;
}

/**
 * Judges whether an attempt is admitted. In this order: block, daily quota, directory budget; then lockout, rate limit and authenticator
 * cap, during which a combined proof is judged.
 */
export function stand(state: UserState, attempter: LimitsAttempt, around: Circumstances): Standing {
  const { now, directoryFailures, isEmpty } = around;
  const ground = groundOf(state, attempter);
  const at = scopeAt(state, ground);
  const passwordsLeft =
    ground === unknownSources ? budgetLeft(state.budget, directoryFailures, now) : infinite;
  if (state.block) return refusedFor([state.block], 'an administrator has blocked the user', now);
  if (attempter.as === 'super') return { kind: 'alone', ground, passwordsLeft };
  const refusal = at?.row && refusalNow(at.row, now);
  const row = refusal ? [refusal] : noSpan;
  const usedUp = at?.allowance && usedUpAllowance(at.allowance, attempter, now);
  const halfRight = usedUp && refusedFor([...row, allowanceSpan(usedUp)], tooManyPartialSuccesses, now);
  if (halfRight && isToldUsedUp(usedUp, attempter.rules.maxTries)) return halfRight;
  if (passwordsLeft === 0 && state.budget && directoryFailures)
    return refusedFor(
      [...row, budgetSpan(state.budget, directoryFailures)],
      'the directory would lock the user',
      now,
    );
  const { areCodesClosed } = around;
  const why = whyTogether(state, attempter, { isEmpty, areCodesClosed, ground, refusal });
  if (why === undefined) return { kind: 'alone', ground, passwordsLeft, untold: halfRight };
  const refused = refusedFor([...row, ...(isEmpty ? [oneBack(now)] : [])], why, now);
  const isJudged = around.judgesRefused && isWhole(attempter, refusal);
  if (!isJudged) return refused;
  return { kind: 'together', ground, passwordsLeft, untold: halfRight, refusal: refused };
}

const noSpan: readonly Span[] = [];

export const tooManyPartialSuccesses = 'too many attempts were half right';

const usedUpAllowance = (
  allowance: DailyQuota,
  { rules: { maxTries } }: Pick<LimitsAttempt, 'rules'>,
  now: number,
): DailyQuota | undefined => (isUsedUp(allowance, maxTries, now) ? allowance : undefined);

const infinite = Number.POSITIVE_INFINITY;

function whyTogether(
  state: UserState,
  { alone }: Pick<LimitsAttempt, 'alone'>,
  { ground, refusal, isEmpty, areCodesClosed }: Tightness,
): string | undefined {
  if (refusal) return 'too many failures';
  const isStrange = ground === unknownSources || scopeAt(state, ground)?.isLost === true;
  if (!isStrange) return undefined;
  if (isEmpty) return noneAtPlace;
  if (alone.password && isClosed({ wrong: state.wrongPasswords })) return 'too many wrong passwords';
  return areCodesClosed ? 'too many wrong codes' : undefined;
}

/** A challenge counts that began before the lockout: a password that was right then was no guess. */
function isWhole({ together }: Pick<LimitsAttempt, 'together'>, refusal: Span | undefined): boolean {
  if (typeof together === 'string') return together === 'both';
  return refusal === undefined || together.answer.begun <= refusal.start;
}

/** A source has a token back in 3 s. */
const oneBack = (now: number): Span => ({ start: now, length: 3000 });
const noneAtPlace = 'too many failures at the place';

/** The refusal at a source without tokens, the same for known and unknown users. */
export const placeRefusal = (now: number): Refused => refusedFor([oneBack(now)], noneAtPlace, now);

/** Refuses for the longest of some spans; one without an end ends with an administrator. */
function refusedFor(spans: readonly Span[], why: string, now: number): Refused {
  const longest = Math.max(0, ...spans.map((span) => timeLeft(span, now)));
  const isEndless = longest === 0 || !Number.isFinite(longest);
  return { kind: 'refused', why, secondsLeft: isEndless ? undefined : Math.ceil(longest / 1000) };
}

/** Returns the refusal that lasts longest; one that ends with an administrator is the longest of all. */
export const longest = (refused: readonly Refused[]): Refused | undefined =>
  [...refused].sort((one, other) => lasting(other) - lasting(one))[0];

const lasting = ({ secondsLeft = mostSeconds }: Refused): number => secondsLeft;
const mostSeconds = Number.MAX_SAFE_INTEGER;
