/** Slots of the pace: each is given once, and an attempt keeps the one that it was given. */
import { beforeEach, expect, it } from 'vitest';
import { TestClock } from '../testing/test-clock.ts';
import { paced, paceKey } from './rate-limit.ts';

let clock: TestClock;
let kept: Map<string, Uint8Array>;
beforeEach(() => {
  clock = new TestClock();
  kept = new Map();
});

/** An attempt that waits for its slot. */
interface Waiting {
  readonly key: string;
  slot: number | undefined;
}

/** Tries as an attempt does that waits no longer than 10 s, and keeps the slot that it was given. */
function look(of: Waiting, until = clock.now() + 10_000): number | undefined {
  const state = { now: clock.now(), value: (key: string) => kept.get(key), claimed: () => undefined };
  const given = paced({ ...of, now: clock.now(), until }, state);
  for (const [key, value] of given.values ?? []) if (value) kept.set(key, value.value);
  of.slot ??= given.slot;
  return given.wait;
}
const pacer = (of = 'user:alice'): Waiting => ({ key: paceKey(of), slot: undefined });

it('judges the first at once, and each other a second later in its own slot', () => {
  const [first, second, third] = [pacer(), pacer(), pacer()];
  expect([look(first), look(second), look(third)]).toEqual([0, 1000, 2000]);
  clock.advance(400);
  expect([look(second), look(third)]).toEqual([600, 1600]);
  const fourth = pacer();
  expect([look(second), look(fourth)]).toEqual([600, 2600]);
  clock.advance(600);
  expect([look(second), look(third)]).toEqual([0, 1000]);
  clock.advance(1000);
  expect([look(third), look(fourth)]).toEqual([0, 1000]);
});

it('gives another user or source slots of its own', () => {
  expect([look(pacer()), look(pacer('user:bob'))]).toEqual([0, 0]);
});

it('leaves a slot free that comes too late', () => {
  look(pacer());
  const until = clock.now() + 1000;
  expect([look(pacer(), until - 1), look(pacer(), until - 1), look(pacer(), until)]).toEqual([
    ...[undefined, undefined, 1000],
  ]);
});

it('keeps the slot of an attempt past the time that it would have waited for another', () => {
  const [, second] = [look(pacer()), pacer()];
  const until = clock.now() + 1000;
  expect(look(second, until)).toBe(1000);
  clock.advance(1500);
  expect(look(second, until)).toBe(0);
});

it('begins the next slot when an attempt is judged late, but takes none that was given', () => {
  look(pacer());
  const second = pacer();
  look(second);
  clock.advance(1700);
  expect(look(second)).toBe(0);
  const third = pacer();
  expect(look(third)).toBe(1000);
  const fourth = pacer();
  expect(look(fourth)).toBe(2000);
  clock.advance(1300);
  expect([look(third), look(pacer())]).toEqual([0, 1700]);
});
