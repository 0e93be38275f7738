/**
 * Rule 2, refusal: MaxTries failures in a row refuse a user on a ground for BlockTime, the next time twice as long, at
 * most a day (known place: 1 h); each day without a refusal halves it. It does not grow while it lasts.
 */
import { corrected, day, isInForce, type Span, timeLeft } from './span.ts';

export interface Row {
  /** In a row, since the last refusal began. */
  readonly failures: number;
  /** How often the length has doubled. */
  readonly level: number;
  /** The last one, over or not. */
  readonly refusal?: Span;
  /** When it was written last: it is forgotten eight days later. */
  readonly at: number;
}

/** The settings that only administrators set: of neither a client policy nor a request. */
export interface RefusalRules {
  /** Failures. */
  readonly maxTries: number;
  /** Seconds; 0: strangers until an administrator unblocks, known places 300. */
  readonly blockTime: number;
}

export const noRow = (now: number): Row => ({ failures: 0, level: 0, at: now });

const rowLife = 8 * day;
const longest = { known: 3_600_000, strangers: day };
const usualLength = 300_000;
const mostLevels = 9;

/** One more failure in a row. @returns a refusal in `begun` if it was the last that was allowed */
export function rowAfterFailure(
  row: Row,
  { rules, isKnown, now }: { rules: RefusalRules; isKnown: boolean; now: number },
): { readonly row: Row; readonly begun?: Span } {
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

/** Each whole day since the last refusal ended takes one doubling away. */
function levelNow({ level, refusal }: Row, now: number): number {
  if (!refusal || refusal.length === null) return level;
  const quiet = Math.max(0, now - (refusal.start + refusal.length));
  return Math.max(0, level - Math.floor(quiet / day));
}

/** Rule 7: a full success ends the row; not the refusal that another began, nor the length of the next. */
export const rowAfterSuccess = (row: Row, now: number): Row =>
  row.failures === 0 ? row : { ...row, failures: 0, at: now };

/** The refusal, if it lasts. */
export const refusalNow = ({ refusal }: Row, now: number): Span | undefined =>
  refusal && isInForce(refusal, now) ? refusal : undefined;

/** How long the row is remembered, in milliseconds; infinite where only an administrator ends it. 0: not any more. */
export const rowLeft = (row: Row, now: number): number =>
  Math.max(timeLeft({ start: row.at, length: rowLife }, now), row.refusal ? timeLeft(row.refusal, now) : 0);

export const rowCorrected = (row: Row, now: number): Row => ({
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

/** Milliseconds until the next one may be judged. */
export function delayOf({ failures, at }: Row, now: number): number {
  const step = failures >= many ? longestDelay : (steps[Math.min(failures, steps.length - 1)] ?? 0);
  return Math.max(0, Math.min(step, at + step - now));
}
