/** Edges of the lockout that no whole login reaches: a clock that was set back, levels, and what is over. */
import { expect, it } from 'vitest';
import { day } from './interval.ts';
import {
  correctedStreak,
  type FailureStreak,
  streakAfterFailure,
  streakAfterSuccess,
  streakLeft,
} from './lockout.ts';

const now = 20_000 * day + 1234;
const rules = { maxTries: 1, blockTime: 300 };
const streak = (level: number, refusal?: FailureStreak['lockout']): FailureStreak => ({
  ...{ failures: 0, level, at: now },
  ...(refusal && { lockout: refusal }),
});
const next = (before: FailureStreak) => streakAfterFailure(before, { rules, isKnown: false, now }).streak;

it('stops doubling at the ninth level, from which nine quiet days lead back', () => {
  expect([next(streak(8)).level, next(streak(9)).level]).toEqual([9, 9]);
});

it('is not halved by a refusal that a clock ahead has begun, or that an administrator ended', () => {
  const ahead = { start: now + 5 * day, length: 300_000 };
  expect(next(streak(2, ahead)).lockout?.length).toBe(1_200_000);
  expect(next(streak(2, { start: now - 9 * day, length: null })).lockout?.length).toBe(1_200_000);
});

it('is the same row after a success where nothing has failed', () => {
  const quiet = streak(1);
  expect(streakAfterSuccess(quiet, now + 5)).toBe(quiet);
});

it('is remembered for as long as its refusal lasts', () => {
  const at = now - 8 * day;
  expect(streakLeft({ ...streak(0), at }, now)).toBe(0);
  expect(streakLeft({ ...streak(0, { start: now, length: 500 }), at }, now)).toBe(500);
  expect(streakLeft({ ...streak(0, { start: at, length: 500 }), at }, now + 1)).toBe(0);
});

it('begins no later than now', () => {
  const corrected = { ...streak(0, { start: now, length: 9 }), at: now };
  expect(correctedStreak({ ...streak(0, { start: now + 5, length: 9 }), at: now + 5 }, now)).toEqual(
    corrected,
  );
  expect(correctedStreak({ ...streak(0), at: now - 5 }, now)).toEqual({ ...streak(0), at: now - 5 });
});
