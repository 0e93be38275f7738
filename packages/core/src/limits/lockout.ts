/**
 * Lockout: MaxTries failures in a row lock a user out of a scope for BlockTime. The next lockout is twice as long, at most a day (known
 * source: 1 h). Each day without a lockout halves it. It does not grow while it lasts.
 */
import { corrected, day, type Interval, isInForce, timeLeft } from './interval.ts';

export interface FailureStreak {
  /** Failures in a row, since the last lockout began. */
  readonly failures: number;
  /** Times that the length has doubled. */
  readonly level: number;
  /** The last lockout, over or not. */
  readonly lockout?: Interval;
  /** The last change, in milliseconds since 1970; forgotten eight days later. */
  readonly at: number;
}

/** The settings of a lockout, which neither a client policy nor a request changes. */
export interface LockoutRules {
  /** Failures in a row. */
  readonly maxTries: number;
  /** Seconds; 0: unknown sources until an administrator unblocks, known sources 300. */
  readonly blockTime: number;
}

export const noStreak = (now: number): FailureStreak => ({ failures: 0, level: 0, at: now });

const streakLife = 8 * day;
const longest = { known: 3_600_000, unknown: day };
const usualLength = 300_000;
const mostLevels = 9;

/** Counts a failure. @returns the lockout in `begun` if it was the last failure that was allowed */
export function streakAfterFailure(
  streak: FailureStreak,
  { rules, isKnown, now }: { rules: LockoutRules; isKnown: boolean; now: number },
): { readonly streak: FailureStreak; readonly begun?: Interval } {
  const failures = streak.failures + 1;
  if (failures < rules.maxTries) return { streak: { ...streak, failures, at: now } };
  const level = levelNow(streak, now);
  const begun = { start: now, length: lengthOf(rules.blockTime * 1000, level, isKnown) };
  return { streak: { failures: 0, level: Math.min(mostLevels, level + 1), lockout: begun, at: now }, begun };
}

function lengthOf(blockTime: number, level: number, isKnown: boolean): number | null {
  if (blockTime === 0 && !isKnown) return null;
  return Math.min((blockTime || usualLength) * 2 ** level, isKnown ? longest.known : longest.unknown);
}

/** Takes one doubling away for each whole day since the last lockout ended. */
function levelNow({ level, lockout }: FailureStreak, now: number): number {
  if (!lockout || lockout.length === null) return level;
  const quiet = Math.max(0, now - (lockout.start + lockout.length));
  return Math.max(0, level - Math.floor(quiet / day));
}

/** A full success ends the streak; neither a lockout that has begun, nor the length of the next. */
export const streakAfterSuccess = (streak: FailureStreak, now: number): FailureStreak =>
  streak.failures === 0 ? streak : { ...streak, failures: 0, at: now };

/** Returns the lockout in force. */
export const lockoutNow = ({ lockout }: FailureStreak, now: number): Interval | undefined =>
  lockout && isInForce(lockout, now) ? lockout : undefined;

/** Returns how long the streak is kept, in milliseconds; infinite where only an administrator ends it. */
export const streakLeft = (streak: FailureStreak, now: number): number =>
  Math.max(
    timeLeft({ start: streak.at, length: streakLife }, now),
    streak.lockout ? timeLeft(streak.lockout, now) : 0,
  );

export const correctedStreak = (streak: FailureStreak, now: number): FailureStreak => ({
  ...streak,
  at: corrected(streak.at, now),
  ...(streak.lockout && { lockout: { ...streak.lockout, start: corrected(streak.lockout.start, now) } }),
});

/*
 * A super administrator at an address of a `manager_clients` that is not everybody is never refused but delayed, each address for
 * itself: 1, 2, 4, 5 s after the failures in a row, 60 s after 100 of them.
 */

const steps = [0, 1000, 2000, 4000, 5000];
const many = 100;
/** Milliseconds. */
export const longestDelay = 60_000;

/** Returns the milliseconds until the next attempt may be judged. */
export function delayOf({ failures, at }: FailureStreak, now: number): number {
  const step = failures >= many ? longestDelay : (steps[Math.min(failures, steps.length - 1)] ?? 0);
  return Math.max(0, Math.min(step, at + step - now));
}
