import { expect, it } from 'vitest';
import { PhoneWaits } from './phone-waits.ts';

it('lets 500 wait at once, and another one as soon as one has ended', () => {
  const waits = new PhoneWaits();
  const begun = Array.from({ length: 501 }, () => waits.begin());
  expect(begun.lastIndexOf(true)).toBe(499);
  expect(begun.indexOf(false)).toBe(500);
  waits.end();
  expect([waits.begin(), waits.begin()]).toEqual([true, false]);
});

it('counts those of one service only', () => {
  const full = new PhoneWaits();
  while (full.begin());
  expect(new PhoneWaits().begin()).toBe(true);
});
