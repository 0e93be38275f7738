/**
 * Daily quota: ten partial successes a day in a scope, or 2 × MaxTries if that is more, wrong codes where no password is wanted included. Then
 * no attempt is judged there until the day is over; success restores none. Directory budget: wrong passwords of unknown sources reach the
 * directory that often for a user, so that the directory locks no account out.
 */
import { day, type Interval, isInForce } from './interval.ts';

export interface DailyQuota {
  readonly count: number;
  /** The first partial success, in milliseconds since 1970. */
  readonly start: number;
  /** Partial successes of combined proofs, during a lockout. */
  readonly combined?: number;
}

const usual = 10;

export const quotaSpan = ({ start }: DailyQuota): Interval => ({ start, length: day });

const mostOf = (maxTries: number): number => Math.max(usual, 2 * maxTries);

/** Counts a partial success; the first begins the day. */
export function quotaAfter(
  before: DailyQuota | undefined,
  { maxTries, now, isCombined }: { maxTries: number; now: number; isCombined: boolean },
): { readonly quota: DailyQuota; readonly isUsedUp: boolean } {
  const { count, combined = 0, start } = before ?? { count: 0, start: now };
  const combinedAfter = combined + Number(isCombined);
  const quota: DailyQuota = {
    count: count + 1,
    start,
    ...(combinedAfter > 0 && { combined: combinedAfter }),
  };
  return { quota, isUsedUp: quota.count === mostOf(maxTries) };
}

export const isUsedUp = (quota: DailyQuota, maxTries: number, now: number): boolean =>
  isInForce(quotaSpan(quota), now) && quota.count >= mostOf(maxTries);

/**
 * Returns whether attempts outside lockouts have used the quota up by themselves. Only then is it answered as used up: in a lockout anybody
 * may try many passwords, and the end of the quota would show that one of them was right.
 */
export const isShownUsedUp = (quota: DailyQuota, maxTries: number): boolean =>
  quota.count - (quota.combined ?? 0) >= mostOf(maxTries);

/** `directory_failures: 4/30` */
export interface DirectoryFailures {
  readonly most: number;
  readonly minutes: number;
}

/** @param text `failures/minutes`; undefined: no limit */
export function directoryFailuresOf(text: string | undefined): DirectoryFailures | undefined {
  if (text === undefined) return undefined;
  const [most, minutes] = text.split('/').map(Number);
  return { most: most ?? 0, minutes: minutes ?? 0 };
}

export interface Budget {
  readonly count: number;
  /** The first wrong password, in milliseconds since 1970. */
  readonly start: number;
}

export const budgetSpan = ({ start }: Budget, { minutes }: DirectoryFailures): Interval => ({
  start,
  length: minutes * 60_000,
});

/** Counts the wrong passwords that may still reach the directory; without the setting, any number. */
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
