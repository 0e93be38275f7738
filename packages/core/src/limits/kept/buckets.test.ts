/** Failures of a place at the edges: what is under way, given back twice, or left by processes that have ended. */
import { expect, it } from 'vitest';
import {
  type Bucket,
  ended,
  failuresOf,
  fullBucket,
  isEmpty,
  isUntouched,
  placeBucket,
  refilled,
  spent,
  taken,
  turnedAway,
  turnedAwayOf,
  underWayOf,
  withoutGone,
} from './buckets.ts';

const now = 1_800_000_000_000;
const rule = placeBucket('x');
const take = (bucket: Bucket, holder = 'me') => taken(bucket, rule, holder) ?? bucket;
const end = (bucket: Bucket, isSpent: boolean, holder = 'me') => ended(bucket, rule, { isSpent, holder });

it('is empty where no whole failure is left', () => {
  const at = (owed: number) => isEmpty({ ...fullBucket(now), owed }, rule);
  expect([at(57_000), at(57_001), at(60_000)]).toEqual([false, true, true]);
});

it('counts what is under way for each process', () => {
  const bucket = take(take(take(fullBucket(now)), 'other'));
  expect(bucket).toMatchObject({ owed: 9000, underWay: { me: 2, other: 1 } });
  const left = end(bucket, false);
  expect([left.underWay, underWayOf(left)]).toEqual([{ me: 1, other: 1 }, 2]);
  expect(end(left, false).underWay).toEqual({ other: 1 });
  expect(end(end(left, false), false).underWay, 'not below none').toEqual({ other: 1 });
});

it('gives back no more than was owed', () => {
  expect(end({ ...fullBucket(now), owed: 1000, underWay: { me: 1 } }, false).owed).toBe(0);
  expect(end({ ...fullBucket(now), owed: 9000, underWay: { me: 1 } }, true).owed).toBe(9000);
  expect(end({ ...fullBucket(now), owed: 1000, underWay: { me: 1 } }, true).owed).toBe(3000);
});

it('has back what processes had under way that have ended', () => {
  const bucket = take(take(take(fullBucket(now)), 'gone'), 'gone');
  const isGone = (holder: string) => holder === 'gone';
  expect(withoutGone(bucket, rule, isGone)).toMatchObject({ owed: 3000, underWay: { me: 1 } });
  expect(withoutGone({ ...bucket, owed: 5000 }, rule, isGone).owed).toBe(0);
  expect(withoutGone(bucket, rule, () => false)).toEqual(bucket);
});

it('forgets what is under way when it is full again', () => {
  const bucket = take(fullBucket(now));
  expect(refilled(bucket, now + 2999).underWay).toEqual({ me: 1 });
  expect(refilled(bucket, now + 3000).underWay).toEqual({});
});

it('remembers whom it turned away, for as long as a failure', () => {
  const bucket = turnedAway(turnedAway(fullBucket(now), rule), rule);
  const later = (milliseconds: number) => refilled(bucket, now + milliseconds);
  expect([turnedAwayOf(bucket, rule), turnedAwayOf(later(2999), rule)]).toEqual([2, 2]);
  expect([turnedAwayOf(later(3000), rule), later(9000).turnedAway]).toEqual([1, 0]);
  expect([isUntouched(bucket), isUntouched(later(9000)), isUntouched(spent(fullBucket(now), rule))]).toEqual([
    ...[false, true, false],
  ]);
});

it('counts whole failures, and none that is under way', () => {
  expect(failuresOf(take(fullBucket(now)), rule)).toBe(0);
  const waited = { ...fullBucket(now), owed: 1000, underWay: { me: 2 } };
  expect(failuresOf(waited, rule), 'that come back while they are under way').toBe(0);
  expect(failuresOf({ ...fullBucket(now), owed: 3001 }, rule)).toBe(2);
});
