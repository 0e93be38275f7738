/**
 * What is in force for a while: a start and a length, never an end (rule 12). So a clock that is set back makes nothing
 * longer: what would begin in the future begins now.
 */

export interface Span {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Milliseconds; null: until an administrator ends it. */
  readonly length: number | null;
}

export const isInForce = ({ start, length }: Span, now: number): boolean =>
  length === null || (now >= start && now - start < length);

/** What begins after now has begun now. */
export const corrected = (start: number, now: number): number => Math.min(start, now);

/** In milliseconds; infinite where only an administrator ends it. 0: it is over. */
export function timeLeft({ start, length }: Span, now: number): number {
  if (length === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, start + length - now);
}

export const day = 86_400_000;
