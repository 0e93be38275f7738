/** The daily quota under attempts of a lockout. */
import { expect, it } from 'vitest';
import { isShownUsedUp, quotaAfter } from './quotas.ts';

const one = (before: Parameters<typeof quotaAfter>[0], isCombined: boolean) =>
  quotaAfter(before, { maxTries: 5, now: 7, isCombined }).quota;

it('remembers how many were judged under a lockout, whatever follows', () => {
  const loud = one(undefined, false);
  expect(loud).toEqual({ count: 1, start: 7 });
  const quiet = one(loud, true);
  expect(quiet).toEqual({ count: 2, start: 7, combined: 1 });
  expect(one(quiet, false)).toEqual({ count: 3, start: 7, combined: 1 });
  expect(one(quiet, true)).toEqual({ count: 3, start: 7, combined: 2 });
});

it('is told only where the others alone have used it up', () => {
  const outcomeOf = (count: number, quiet?: number) =>
    isShownUsedUp({ count, start: 7, ...(quiet && { combined: quiet }) }, 5);
  expect([outcomeOf(10), outcomeOf(10, 1), outcomeOf(11, 1), outcomeOf(9)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
