/** Seconds of rule 5: each is given out once, and an attempt keeps the one that it was given. */
import { beforeEach, expect, it } from 'vitest';
import { TestClock } from '../testing/test-clock.ts';
import { Pacer } from './pace.ts';

let clock: TestClock;
let kept: Map<string, Uint8Array>;
beforeEach(() => {
  clock = new TestClock();
  kept = new Map();
});

/** Looks as an attempt does that waits no longer than 10 s, and writes down what it was given. */
function look(pacer: Pacer, until = clock.now() + 10_000): number | undefined {
  const paced = pacer.look({ value: (key) => kept.get(key), claimed: () => undefined }, clock.now(), until);
  for (const [key, { value }] of paced.values ?? []) kept.set(key, value);
  pacer.keep(paced);
  return paced.wait;
}
const pacer = () => new Pacer('user:alice', clock);

it('is judged at once, and the next a second later, each in its own second', () => {
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

it('of another user or place has seconds of its own', () => {
  expect([look(pacer()), look(new Pacer('user:bob', clock))]).toEqual([0, 0]);
});

it('is not judged where its second comes too late, and that second stays free', () => {
  look(pacer());
  const until = clock.now() + 1000;
  expect([look(pacer(), until - 1), look(pacer(), until - 1), look(pacer(), until)]).toEqual([
    ...[undefined, undefined, 1000],
  ]);
});

it('keeps its second past the time that it would have waited for another', () => {
  const [, second] = [look(pacer()), pacer()];
  const until = clock.now() + 1000;
  expect(look(second, until)).toBe(1000);
  clock.advance(1500);
  expect(look(second, until)).toBe(0);
});

it('that is judged late begins the next second then, but takes nobody’s who waits', () => {
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
