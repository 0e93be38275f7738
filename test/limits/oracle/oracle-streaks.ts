/** Oracle: the failure streak of a user in a scope, of the web services and of the Manager. */
import { day, type FailureStreak, hour, left, second } from './oracle-records.ts';

export interface LockoutRules {
  readonly maxTries: number;
  /** In seconds; 0: until an administrator unblocks. */
  readonly blockTime: number;
  /** The scope is a known source. */
  readonly known: boolean;
}

/** Returns the streak that is alive; undefined: there is none, or it is forgotten. */
export const alive = (streak: FailureStreak | undefined, now: number): FailureStreak | undefined =>
  streak && now < streak.end ? streak : undefined;

/** One more failure, and the lockout that it may start. */
export function failed(before: FailureStreak | undefined, rules: LockoutRules, now: number): FailureStreak {
  const streak = alive(before, now) ?? { failures: 0, level: 0, start: now, length: 0, end: 0 };
  if (streak.failures + 1 < rules.maxTries) return written({ ...streak, failures: streak.failures + 1 }, now);
  const level = levelOf(streak, now);
  const lockout = { start: now, length: lengthOf(level, rules) };
  return written({ ...streak, ...lockout, failures: 0, level: Math.min(9, level + 1) }, now);
}

/** A full success ends the failure streak, and nothing else. */
export const succeeded = (streak: FailureStreak, now: number): FailureStreak =>
  streak.failures > 0 ? written({ ...streak, failures: 0 }, now) : streak;

const written = (streak: FailureStreak, now: number): FailureStreak => ({
  ...streak,
  end: streak.length === Number.POSITIVE_INFINITY ? streak.length : now + 8 * day,
});

/** Each day without a lockout takes one level away. */
function levelOf({ level, start, length }: FailureStreak, now: number): number {
  const calm = Math.max(0, now - (start + length));
  return Math.max(0, level - Math.floor(calm / day));
}

function lengthOf(level: number, { blockTime, known }: LockoutRules): number {
  if (blockTime === 0 && !known) return Number.POSITIVE_INFINITY;
  const first = (blockTime === 0 ? 300 : blockTime) * second;
  return Math.min(first * 2 ** level, known ? hour : day);
}

export const lockoutLeft = (streak: FailureStreak | undefined, now: number): number =>
  left(alive(streak, now), now);
