/** Token buckets at the edges: tokens under way, returned twice, or left by processes that have ended. */
import { expect, it } from 'vitest';
import {
  ended,
  fullBucket,
  isEmpty,
  isUntouched,
  refilled,
  spent,
  spentTokens,
  type TokenBucket,
  taken,
  turnedAway,
  turnedAwayOf,
  underWayOf,
  withoutEnded,
} from './token-bucket.ts';

const now = 1_800_000_000_000;
const rule = { key: 'bucket:x', most: 20, every: 3000 };
const take = (bucket: TokenBucket, holder = 'me') => taken(bucket, rule, holder) ?? bucket;
const end = (bucket: TokenBucket, isKept: boolean, holder = 'me') => ended(bucket, rule, { isKept, holder });

it('is empty when no whole token is left', () => {
  const at = (owed: number) => isEmpty({ ...fullBucket(now), owed }, rule);
  expect([at(57_000), at(57_001), at(60_000)]).toEqual([false, true, true]);
});

it('counts tokens under way for each process', () => {
  const bucket = take(take(take(fullBucket(now)), 'other'));
  expect(bucket).toMatchObject({ owed: 9000, underWay: { me: 2, other: 1 } });
  const left = end(bucket, false);
  expect([left.underWay, underWayOf(left)]).toEqual([{ me: 1, other: 1 }, 2]);
  expect(end(left, false).underWay).toEqual({ other: 1 });
  expect(end(end(left, false), false).underWay, 'not below none').toEqual({ other: 1 });
});

it('returns no more than was owed', () => {
  expect(end({ ...fullBucket(now), owed: 1000, underWay: { me: 1 } }, false).owed).toBe(0);
  expect(end({ ...fullBucket(now), owed: 9000, underWay: { me: 1 } }, true).owed).toBe(9000);
  expect(end({ ...fullBucket(now), owed: 1000, underWay: { me: 1 } }, true).owed).toBe(3000);
});

it('returns tokens that ended processes had under way', () => {
  const bucket = take(take(take(fullBucket(now)), 'ended'), 'ended');
  const hasEnded = (holder: string) => holder === 'ended';
  expect(withoutEnded(bucket, rule, hasEnded)).toMatchObject({ owed: 3000, underWay: { me: 1 } });
  expect(withoutEnded({ ...bucket, owed: 5000 }, rule, hasEnded).owed).toBe(0);
  expect(withoutEnded(bucket, rule, () => false)).toEqual(bucket);
});

it('forgets tokens under way when it is full again', () => {
  const bucket = take(fullBucket(now));
  expect(refilled(bucket, now + 2999).underWay).toEqual({ me: 1 });
  expect(refilled(bucket, now + 3000).underWay).toEqual({});
});

it('remembers a refusal for as long as a token', () => {
  const bucket = turnedAway(turnedAway(fullBucket(now), rule), rule);
  const later = (milliseconds: number) => refilled(bucket, now + milliseconds);
  expect([turnedAwayOf(bucket, rule), turnedAwayOf(later(2999), rule)]).toEqual([2, 2]);
  expect([turnedAwayOf(later(3000), rule), later(9000).turnedAway]).toEqual([1, 0]);
  expect([isUntouched(bucket), isUntouched(later(9000)), isUntouched(spent(fullBucket(now), rule))]).toEqual([
    ...[false, true, false],
  ]);
});

it('counts whole tokens, and none under way', () => {
  expect(spentTokens(take(fullBucket(now)), rule)).toBe(0);
  const waited = { ...fullBucket(now), owed: 1000, underWay: { me: 2 } };
  expect(spentTokens(waited, rule), 'that come back while they are under way').toBe(0);
  expect(spentTokens({ ...fullBucket(now), owed: 3001 }, rule)).toBe(2);
});
