/**
 * Lockout: MaxTries failures in a row lock a user out of a scope for BlockTime, the next time twice as long, at most a day (known source: 1 h).
 * Each day without a lockout halves it. It does not grow while it lasts.
 */
import { corrected, day, isInForce, type Span, timeLeft } from './span.ts';

export interface FailureStreak {
  /** Failures in a row, since the last lockout began. */
  readonly failures: number;
  /** Times that the length has doubled. */
  readonly level: number;
  /** The last lockout, over or not. */
  readonly refusal?: Span;
  /** The last change, in milliseconds since 1970; forgotten eight days later. */
  readonly at: number;
}

/** The settings of a lockout, which neither a client policy nor a request changes. */
export interface LockoutRules {
  /** Failures in a row. */
  readonly maxTries: number;
  /** In seconds; 0: unknown sources until an administrator unblocks, known sources 300. */
  readonly blockTime: number;
}

export const noRow = (now: number): FailureStreak => ({ failures: 0, level: 0, at: now });

const rowLife = 8 * day;
const longest = { known: 3_600_000, strangers: day };
const usualLength = 300_000;
const mostLevels = 9;

/** Counts a failure. @returns the lockout in `begun` if it was the last failure that was allowed */
export function rowAfterFailure(
  row: FailureStreak,
  { rules, isKnown, now }: { rules: LockoutRules; isKnown: boolean; now: number },
): { readonly row: FailureStreak; readonly begun?: Span } {
  const failures = row.failures + 1;
  if (failures < rules.maxTries) return { row: { ...row, failures, at: now } };
  const level = levelNow(row, now);
  const begun = { start: now, length: lengthOf(rules.blockTime * 1000, level, isKnown) };
  return { row: { failures: 0, level: Math.min(mostLevels, level + 1), refusal: begun, at: now }, begun };
}

function lengthOf(blockTime: number, level: number, isKnown: boolean): number | null {
  if (blockTime === 0 && !isKnown) return null;
  return Math.min((blockTime || usualLength) * 2 ** level, isKnown ? longest.known : longest.strangers);
}

/** Takes one doubling away for each whole day since the last lockout ended. */
function levelNow({ level, refusal }: FailureStreak, now: number): number {
  if (!refusal || refusal.length === null) return level;
  const quiet = Math.max(0, now - (refusal.start + refusal.length));
  return Math.max(0, level - Math.floor(quiet / day));
}

/** A full success ends the streak; neither a lockout that has begun, nor the length of the next. */
export const rowAfterSuccess = (row: FailureStreak, now: number): FailureStreak =>
  row.failures === 0 ? row : { ...row, failures: 0, at: now };

/** Returns the lockout in force. */
export const refusalNow = ({ refusal }: FailureStreak, now: number): Span | undefined =>
  refusal && isInForce(refusal, now) ? refusal : undefined;

/** Returns how long the streak is kept, in milliseconds; infinite where only an administrator ends it. */
export const rowLeft = (row: FailureStreak, now: number): number =>
  Math.max(timeLeft({ start: row.at, length: rowLife }, now), row.refusal ? timeLeft(row.refusal, now) : 0);

export const rowCorrected = (row: FailureStreak, now: number): FailureStreak => ({
  ...row,
  at: corrected(row.at, now),
  ...(row.refusal && { refusal: { ...row.refusal, start: corrected(row.refusal.start, now) } }),
});

/*
 * A super administrator at an address of a `manager_clients` that is not everybody is never refused but delayed, each address for
 * itself: 1, 2, 4, 5 s after the failures in a row, 60 s after 100 of them.
 */

const steps = [0, 1000, 2000, 4000, 5000];
const many = 100;
/** In milliseconds. */
export const longestDelay = 60_000;

/** Returns the milliseconds until the next attempt may be judged. */
export function delayOf({ failures, at }: FailureStreak, now: number): number {
  const step = failures >= many ? longestDelay : (steps[Math.min(failures, steps.length - 1)] ?? 0);
  return Math.max(0, Math.min(step, at + step - now));
}
