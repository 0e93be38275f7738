/** Turns for keys: one after the other where one is in common, and nobody waits for another one. */
import { expect, it } from 'vitest';
import { type KeyTurn, KeyTurns } from './turns.ts';

/** @returns which have begun, and how one of them ends */
function entering(...all: readonly (readonly string[])[]) {
  const turns = new KeyTurns();
  const begun: number[] = [];
  const entered = all.map((ids, n) => turns.enter(ids, () => begun.push(n)));
  for (const turn of entered) turn.begin();
  return { begun, leave: (n: number) => turns.leave(entered[n] as KeyTurn) };
}

it('come at once where no key is in common', () => {
  expect(entering(['a'], ['b', 'c'], []).begun).toEqual([0, 1, 2]);
});

it('come in their order where one is, and wait for all that are before', () => {
  const { begun, leave } = entering(['a'], ['b'], ['a', 'b'], ['b'], ['c']);
  expect(begun).toEqual([0, 1, 4]);
  leave(1);
  expect(begun).toEqual([0, 1, 4]);
  leave(0);
  expect(begun).toEqual([0, 1, 4, 2]);
  leave(2);
  expect(begun).toEqual([0, 1, 4, 2, 3]);
});

it('come once, whoever has several keys in common', () => {
  const { begun, leave } = entering(['a', 'b', 'c'], ['c', 'a']);
  leave(0);
  leave(1);
  expect(begun).toEqual([0, 1]);
});

it('come for many that leave as soon as they have begun, as where their time is over', () => {
  const turns = new KeyTurns();
  const first = turns.enter(['a'], () => undefined);
  first.begin();
  let begun = 0;
  for (let n = 0; n < 50_000; n += 1) {
    const turn: KeyTurn = turns.enter(['a'], () => {
      begun += 1;
      turns.leave(turn);
    });
    turn.begin();
  }
  expect(begun).toBe(0);
  turns.leave(first);
  expect(begun).toBe(50_000);
});
