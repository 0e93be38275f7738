/**
 * The rules of admission, pure. During a lockout, at a source without tokens and with a capped authenticator, a combined proof is still judged:
 * a password and a code in one request, or the answer to a challenge that began before. A single factor is not.
 */

import { isCapped } from './authenticator-cap.ts';
import { type Interval, timeLeft } from './interval.ts';
import type { LimitsAttempt, Refused } from './limits-attempt.ts';
import { lockoutNow } from './lockout.ts';
import { budgetLeft, budgetSpan, type DailyQuota, isShownUsedUp, isUsedUp, quotaSpan } from './quotas.ts';
import { unknownSources } from './source.ts';
import { type StateTerms, scopeAt, type UserState } from './user-state.ts';

export type Ruling =
  | ({ readonly kind: 'separate' } & Judgeable)
  | ({ readonly kind: 'combined'; readonly refusal: Refused } & Judgeable)
  | Refused;

interface Judgeable {
  readonly scopeId: string;
  readonly passwordsLeft: number;
  /** A refusal that is hidden: the attempt is answered as if all of it were wrong. */
  readonly hidden?: Refused | undefined;
}

export interface Circumstances extends StateTerms {
  /** The source has no tokens left. */
  readonly hasNoTokens: boolean;
  /** Whether every authenticator that would be tried without a password is capped. */
  readonly areCodesCapped: boolean;
  /** The setting `judge_refused`: off where a combined proof must not be judged. */
  readonly judgesRefused: boolean;
}

/** The reasons to judge no single factor. */
interface SingleFactorTerms extends Pick<Circumstances, 'hasNoTokens' | 'areCodesCapped'> {
  readonly scopeId: string;
  readonly lockout: Interval | undefined;
}

/** Returns the scope of an attempt: a known source, that of an administrator, or all unknown sources together. */
export function scopeIdOf(state: UserState, { source, as }: Pick<LimitsAttempt, 'source' | 'as'>): string {
  if (as) return source.id;
  for (const one of state.known) if (one.source === source.id) return source.id;
  return unknownSources;
}

/**
 * Judges whether an attempt is admitted. In this order: block, daily quota, directory budget; then lockout, rate limit and authenticator
 * cap, during which a combined proof is judged.
 */
export function ruleOn(state: UserState, attempt: LimitsAttempt, around: Circumstances): Ruling {
  const { now, directoryFailures, hasNoTokens } = around;
  const scopeId = scopeIdOf(state, attempt);
  const at = scopeAt(state, scopeId);
  const passwordsLeft =
    scopeId === unknownSources ? budgetLeft(state.budget, directoryFailures, now) : infinite;
  if (state.block) return refusedFor([state.block], 'an administrator has blocked the user', now);
  if (attempt.as === 'super') return { kind: 'separate', scopeId, passwordsLeft };
  const lockout = at?.streak && lockoutNow(at.streak, now);
  const lockouts = lockout ? [lockout] : noSpan;
  const usedUp = at?.quota && usedUpQuota(at.quota, attempt, now);
  const usedUpRefusal = usedUp && refusedFor([...lockouts, quotaSpan(usedUp)], tooManyPartialSuccesses, now);
  if (usedUpRefusal && isShownUsedUp(usedUp, attempt.rules.maxTries)) return usedUpRefusal;
  if (passwordsLeft === 0 && state.budget && directoryFailures)
    return refusedFor(
      [...lockouts, budgetSpan(state.budget, directoryFailures)],
      'the directory would lock the user',
      now,
    );
  const { areCodesCapped } = around;
  const reason = whyNoSingleFactor(state, attempt, { hasNoTokens, areCodesCapped, scopeId, lockout });
  if (reason === undefined) return { kind: 'separate', scopeId, passwordsLeft, hidden: usedUpRefusal };
  const refused = refusedFor([...lockouts, ...(hasNoTokens ? [oneBack(now)] : [])], reason, now);
  const isJudged = around.judgesRefused && isCombined(attempt, lockout);
  if (!isJudged) return refused;
  return { kind: 'combined', scopeId, passwordsLeft, hidden: usedUpRefusal, refusal: refused };
}

const noSpan: readonly Interval[] = [];

export const tooManyPartialSuccesses = 'the daily quota of partial successes is used up';

const usedUpQuota = (
  quota: DailyQuota,
  { rules: { maxTries } }: Pick<LimitsAttempt, 'rules'>,
  now: number,
): DailyQuota | undefined => (isUsedUp(quota, maxTries, now) ? quota : undefined);

const infinite = Number.POSITIVE_INFINITY;

function whyNoSingleFactor(
  state: UserState,
  { withoutPassword }: Pick<LimitsAttempt, 'withoutPassword'>,
  { scopeId, lockout, hasNoTokens, areCodesCapped }: SingleFactorTerms,
): string | undefined {
  if (lockout) return 'too many failures';
  const isUnknown = scopeId === unknownSources || scopeAt(state, scopeId)?.countsAsUnknown === true;
  if (!isUnknown) return undefined;
  if (hasNoTokens) return noTokensLeft;
  if (withoutPassword.password && isCapped({ wrong: state.wrongPasswords }))
    return 'too many wrong passwords';
  return areCodesCapped ? 'too many wrong codes' : undefined;
}

/** A challenge counts that began before the lockout: a password that was right then was no guess. */
function isCombined({ combined }: Pick<LimitsAttempt, 'combined'>, lockout: Interval | undefined): boolean {
  if (typeof combined === 'string') return combined === 'both';
  return lockout === undefined || combined.answer.begun <= lockout.start;
}

/** A source has a token back in 3 s. */
const oneBack = (now: number): Interval => ({ start: now, length: 3000 });
const noTokensLeft = 'too many failures at the source';

/** The refusal at a source without tokens, the same for known and unknown users. */
export const sourceRefusal = (now: number): Refused => refusedFor([oneBack(now)], noTokensLeft, now);

/** Refuses for the longest of some spans; one without an end ends with an administrator. */
function refusedFor(spans: readonly Interval[], reason: string, now: number): Refused {
  const longest = Math.max(0, ...spans.map((span) => timeLeft(span, now)));
  const isEndless = longest === 0 || !Number.isFinite(longest);
  return { kind: 'refused', reason, secondsLeft: isEndless ? undefined : Math.ceil(longest / 1000) };
}

/** Returns the refusal that lasts longest; one that ends with an administrator is the longest of all. */
export const longest = (refused: readonly Refused[]): Refused | undefined =>
  [...refused].sort((one, other) => lasting(other) - lasting(one))[0];

const lasting = ({ secondsLeft = mostSeconds }: Refused): number => secondsLeft;
const mostSeconds = Number.MAX_SAFE_INTEGER;
