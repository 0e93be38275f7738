/** A span in force: a start and a length, never an end. So a clock that is set back makes no span longer: a start in the future is now. */

export interface Interval {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Milliseconds; null: until an administrator ends it. */
  readonly length: number | null;
}

export const isInForce = ({ start, length }: Interval, now: number): boolean =>
  length === null || (now >= start && now - start < length);

/** Moves a start in the future to now. */
export const corrected = (start: number, now: number): number => Math.min(start, now);

/** Returns the milliseconds left; infinite where only an administrator ends the span. */
export function timeLeft({ start, length }: Interval, now: number): number {
  if (length === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, start + length - now);
}

export const day = 86_400_000;
