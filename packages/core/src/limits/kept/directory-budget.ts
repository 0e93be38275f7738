/**
 * Rule 9, the directory's own lock-out: strangers' wrong passwords reach the directory so many times for a user in so
 * long; then strangers are refused, and nothing is judged. Known places stay below the directory's limit that way.
 */
import { isInForce, type Span } from './span.ts';

/** `directory_failures: 4/30` */
export interface DirectoryFailures {
  readonly most: number;
  readonly minutes: number;
}

/** @param text `failures/minutes`; undefined: there is no such limit */
export function directoryFailuresOf(text: string | undefined): DirectoryFailures | undefined {
  if (text === undefined) return undefined;
  const [most, minutes] = text.split('/').map(Number);
  return { most: most ?? 0, minutes: minutes ?? 0 };
}

export interface Budget {
  readonly count: number;
  /** Milliseconds since 1970: when the first of them was passed on. */
  readonly start: number;
}

export const budgetSpan = ({ start }: Budget, { minutes }: DirectoryFailures): Span => ({
  start,
  length: minutes * 60_000,
});

/** How many more may be passed on; without the setting, any number. */
export function budgetLeft(
  budget: Budget | undefined,
  failures: DirectoryFailures | undefined,
  now: number,
): number {
  if (!failures) return Number.POSITIVE_INFINITY;
  const used = budget && isInForce(budgetSpan(budget, failures), now) ? budget.count : 0;
  return Math.max(0, failures.most - used);
}

export const budgetAfter = (budget: Budget | undefined, passedOn: number, now: number): Budget =>
  budget ? { ...budget, count: budget.count + passedOn } : { count: passedOn, start: now };
