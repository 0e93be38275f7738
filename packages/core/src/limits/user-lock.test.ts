/** The user locks of one node on a ledger in memory: a holder renews its own locks, and touches no others. */
import { beforeEach, expect, it } from 'vitest';
import { isUnlocked, lockRecord } from '../foundation/locks/lock.ts';
import type { EphemeralStepState, Ledger, ValueAt } from '../ports/store/ledger.ts';
import { releasedValues } from '../ports/store/release.ts';
import { TestClock } from '../testing/test-clock.ts';
import { UserLocks } from './user-lock.ts';

const key = 'turn:a';
const holder = 'here';
let clock: TestClock;
let kept: Map<string, Uint8Array>;
let isDown: boolean;
let admitted: number;
let ledger: Pick<Ledger, 'admit' | 'holder'>;

const state = (): EphemeralStepState => ({
  now: clock.now(),
  value: (at) => kept.get(at),
  claimed: () => undefined,
  hasEnded: () => false,
});

beforeEach(() => {
  clock = new TestClock();
  kept = new Map();
  isDown = false;
  admitted = 0;
  ledger = {
    holder,
    admit: async ({ decide }) => {
      admitted += 1;
      if (isDown) throw new Error('down');
      const { result, values = [] } = decide(state(), state());
      keep([...values]);
      return result;
    },
  };
});

const node = (name: string) => new UserLocks(ledger, clock, name);
const isFree = () => isUnlocked(kept.get(key), state());
const take = (owner: string) => keep([[key, lockRecord(owner, { now: clock.now(), holder })]]);
const leave = (owner: string) => keep(releasedValues([{ kind: 'unlock', key, owner }], state(), holder));
function keep(values: readonly ValueAt[]): void {
  for (const [at, value] of values) {
    if (value) kept.set(at, value.value);
    else kept.delete(at);
  }
}

it('keeps the lock of another owner when a late release names the one before', () => {
  const [before, now] = [node('ours').nextOwner(), node('theirs').nextOwner()];
  take(before);
  clock.advance(5000);
  expect(isFree()).toBe(true);
  take(now);
  leave(before);
  expect(isFree()).toBe(false);
  leave(now);
  expect(isFree()).toBe(true);
});

it('names each lock of all nodes differently', () => {
  const [ours, theirs] = [node('ours'), node('theirs')];
  expect(new Set([ours.nextOwner(), ours.nextOwner(), theirs.nextOwner()]).size).toBe(3);
});

it('renews a lock that was held for a second, for as long as it is held', () => {
  const locks = node('ours');
  const lock = { key, owner: locks.nextOwner() };
  take(lock.owner);
  locks.hold(lock);
  clock.advance(1000);
  expect(admitted).toBe(0);
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000);
    expect(isFree()).toBe(false);
  }
  expect(admitted).toBe(10);
  expect([locks.drop(lock), locks.drop(lock)]).toEqual([true, false]);
  for (let second = 0; second < 5; second += 1) clock.advance(1000);
  expect(isFree()).toBe(true);
  expect([admitted, clock.repeating]).toEqual([10, 0]);
});

it('does not take a lock back that another owner has by now', () => {
  const [ours, theirs] = [node('ours'), node('theirs')];
  const lock = { key, owner: ours.nextOwner() };
  take(lock.owner);
  ours.hold(lock);
  clock.advance(5000);
  take(theirs.nextOwner());
  const record = kept.get(key);
  clock.advance(1000);
  expect([admitted, kept.get(key)]).toEqual([1, record]);
});

it('goes on renewing when the store was down', async () => {
  const locks = node('ours');
  const lock = { key, owner: locks.nextOwner() };
  take(lock.owner);
  locks.hold(lock);
  const unheard: unknown[] = [];
  const note = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', note);
  isDown = true;
  clock.advance(1000);
  clock.advance(1000);
  // Node reports an unhandled rejection before the next turn of its loop.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect([admitted, unheard]).toEqual([1, []]);
  isDown = false;
  clock.advance(1000);
  expect(isFree()).toBe(false);
  clock.advance(4000);
  expect([admitted, isFree()]).toEqual([3, false]);
});

it('frees a lock of a clock ahead that is further ahead than a lock lasts', () => {
  take(node('ours').nextOwner());
  clock.advance(-5000);
  expect(isFree()).toBe(false);
  clock.advance(-1);
  expect(isFree()).toBe(true);
});

it('changes nothing when a release names a lock that is free', () => {
  leave(node('ours').nextOwner());
  expect(kept.size).toBe(0);
});
