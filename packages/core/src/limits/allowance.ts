/**
 * Rule 3, allowance: on a ground and in 24 hours, ten attempts (2 × MaxTries if more) that are half right, or wrong
 * codes where no password is wanted. Then nothing is judged there till the 24 hours are over. Success restores none.
 * Under a refusal anybody may try as many passwords as they like (rule 5), and whoever saw the allowance end would know
 * that one of them was right: where such attempts have used it up, it ends without a word.
 */
import { day, isInForce, type Span } from './kept/span.ts';

export interface Allowance {
  readonly count: number;
  /** Milliseconds since 1970: when the first of them was counted. */
  readonly start: number;
  /** Of them judged under a refusal. */
  readonly quiet?: number;
}

const usual = 10;

export const allowanceSpan = ({ start }: Allowance): Span => ({ start, length: day });

const mostOf = (maxTries: number): number => Math.max(usual, 2 * maxTries);

/** One more; the first begins the day. @returns whether it was the last */
export function allowanceAfter(
  before: Allowance | undefined,
  { maxTries, now, isQuiet }: { maxTries: number; now: number; isQuiet: boolean },
): { readonly allowance: Allowance; readonly isUsedUp: boolean } {
  const { count, quiet = 0, start } = before ?? { count: 0, start: now };
  const allowance = {
    count: count + 1,
    start,
    ...((isQuiet || quiet > 0) && { quiet: quiet + Number(isQuiet) }),
  };
  return { allowance, isUsedUp: allowance.count === mostOf(maxTries) };
}

export const isUsedUp = (allowance: Allowance, maxTries: number, now: number): boolean =>
  isInForce(allowanceSpan(allowance), now) && allowance.count >= mostOf(maxTries);

/** Those that were judged without a refusal have used it up by themselves: that may be told. */
export const isToldUsedUp = (allowance: Allowance, maxTries: number): boolean =>
  allowance.count - (allowance.quiet ?? 0) >= mostOf(maxTries);
