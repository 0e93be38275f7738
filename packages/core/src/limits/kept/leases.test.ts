/** The leases of one node, on a ledger in memory: who holds one renews it, and touches nobody else's. */
import { beforeEach, expect, it } from 'vitest';
import type { Ledger, StateBefore, ValueAfter } from '../../ports/store/ledger.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { MomentaryLeases } from './leases.ts';

const key = 'turn:a';
let clock: TestClock;
let kept: Map<string, Uint8Array>;
let isDown: boolean;
let entered: number;
let found: StateBefore;
let ledger: Pick<Ledger, 'enter' | 'holder' | 'isGone'>;

beforeEach(() => {
  clock = new TestClock();
  kept = new Map();
  isDown = false;
  entered = 0;
  found = { value: (at) => kept.get(at), claimed: () => undefined };
  ledger = {
    holder: 'here',
    isGone: () => false,
    enter: async ({ decide }) => {
      entered += 1;
      if (isDown) throw new Error('down');
      const { result, values = [] } = decide({ lasting: found, momentary: found });
      keep([...values]);
      return result;
    },
  };
});

const node = (name: string) => new MomentaryLeases(ledger, clock, name);
function keep(values: readonly ValueAfter[]): void {
  for (const [at, value] of values) {
    if (value) kept.set(at, value.value);
    else kept.delete(at);
  }
}

it('who leaves a turn too late does not give up that of the one who has it by now', () => {
  const [ours, theirs] = [node('ours'), node('theirs')];
  const [before, now] = [ours.lease(key), theirs.lease(key)];
  keep([ours.taken(before)]);
  clock.advance(5000);
  expect(ours.isFree(key, found)).toBe(true);
  keep([theirs.taken(now)]);
  keep(ours.left(before, found));
  expect(theirs.isFree(key, found)).toBe(false);
  keep(theirs.left(now, found));
  expect(theirs.isFree(key, found)).toBe(true);
});

it('a turn is renewed once it has been held for a second, for as long as it is held', () => {
  const leases = node('ours');
  const lease = leases.lease(key);
  keep([leases.taken(lease)]);
  leases.hold(lease);
  clock.advance(1000);
  expect(entered).toBe(0);
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000);
    expect(leases.isFree(key, found)).toBe(false);
  }
  expect(entered).toBe(10);
  leases.drop(lease);
  for (let second = 0; second < 5; second += 1) clock.advance(1000);
  expect(leases.isFree(key, found)).toBe(true);
  expect([entered, clock.repeating]).toEqual([10, 0]);
});

it('a turn that another one has by now is not taken back by its renewal', () => {
  const [ours, theirs] = [node('ours'), node('theirs')];
  const [before, now] = [ours.lease(key), theirs.lease(key)];
  keep([ours.taken(before)]);
  ours.hold(before);
  clock.advance(5000);
  keep([theirs.taken(now)]);
  const record = kept.get(key);
  clock.advance(1000);
  expect([entered, kept.get(key)]).toEqual([1, record]);
});

it('a store that is down ends neither the process nor the renewals', async () => {
  const leases = node('ours');
  const lease = leases.lease(key);
  keep([leases.taken(lease)]);
  leases.hold(lease);
  const unheard: unknown[] = [];
  const note = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', note);
  isDown = true;
  clock.advance(1000);
  clock.advance(1000);
  // Node tells of a rejection that nobody heard before the next turn of its loop.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect([entered, unheard]).toEqual([1, []]);
  isDown = false;
  clock.advance(1000);
  expect(leases.isFree(key, found)).toBe(false);
  clock.advance(4000);
  expect([entered, leases.isFree(key, found)]).toEqual([3, false]);
});

it('a turn that a clock ahead has taken is free where that is further than a lease lasts', () => {
  const leases = node('ours');
  keep([leases.taken(leases.lease(key))]);
  clock.advance(-5000);
  expect(leases.isFree(key, found)).toBe(false);
  clock.advance(-1);
  expect(leases.isFree(key, found)).toBe(true);
});

it('a turn that nobody has any more is left without a change', () => {
  const leases = node('ours');
  expect(leases.left(leases.lease(key), found)).toEqual([]);
});
