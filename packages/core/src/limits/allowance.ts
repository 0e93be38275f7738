/**
 * Rule 3, allowance: on a ground and in 24 hours, ten attempts (2 × MaxTries if more) that are half right, or wrong
 * codes where no password is wanted. Then nothing is judged there till the 24 hours are over. Success restores none.
 */
import { day, isInForce, type Span } from './span.ts';

export interface Allowance {
  readonly count: number;
  /** Milliseconds since 1970: when the first of them was counted. */
  readonly start: number;
}

const usual = 10;

export const allowanceSpan = ({ start }: Allowance): Span => ({ start, length: day });

const mostOf = (maxTries: number): number => Math.max(usual, 2 * maxTries);

/** One more; the first begins the day. @returns whether it was the last */
export function allowanceAfter(
  before: Allowance | undefined,
  { maxTries, now }: { maxTries: number; now: number },
): { readonly allowance: Allowance; readonly isUsedUp: boolean } {
  const allowance = before ? { ...before, count: before.count + 1 } : { count: 1, start: now };
  return { allowance, isUsedUp: allowance.count === mostOf(maxTries) };
}

export const isUsedUp = (allowance: Allowance | undefined, maxTries: number, now: number): boolean =>
  allowance !== undefined && isInForce(allowanceSpan(allowance), now) && allowance.count >= mostOf(maxTries);
