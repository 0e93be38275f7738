import { expect, it } from 'vitest';
import { corrected, isInForce, timeLeft } from './interval.ts';
import { budgetLeft } from './quotas.ts';

it('applies from its start for its length, or without end', () => {
  const at = (now: number) => isInForce({ start: 10, length: 5 }, now);
  expect([at(9), at(10), at(14), at(15)]).toEqual([false, true, true, false]);
  expect(isInForce({ start: 10, length: null }, 9)).toBe(true);
});

it('has so much left', () => {
  const left = (now: number) => timeLeft({ start: 10, length: 5 }, now);
  expect([left(10), left(14), left(15), left(99)]).toEqual([5, 1, 0, 0]);
  expect(timeLeft({ start: 10, length: null }, 99)).toBe(Number.POSITIVE_INFINITY);
});

it('begins no later than now', () => {
  expect([corrected(5, 7), corrected(9, 7)]).toEqual([5, 7]);
});

it('leaves none of a budget that was overdrawn', () => {
  expect(budgetLeft({ count: 5, start: 0 }, { most: 3, minutes: 1 }, 1)).toBe(0);
});
