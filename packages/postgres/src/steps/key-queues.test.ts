import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeyQueues, type QueuedStep } from './key-queues.ts';

/** @returns the steps that have begun, and a function that ends one */
function entering(...all: readonly (readonly string[])[]) {
  const queues = new KeyQueues();
  const begun: number[] = [];
  const entered = all.map((ids) => queues.enter(ids));
  for (const [n, step] of entered.entries()) {
    const turn = step.turn();
    if (turn) turn.then(() => begun.push(n));
    else begun.push(n);
  }
  const leave = async (n: number) => {
    queues.leave(entered[n] as QueuedStep);
    await nextTurn();
  };
  return { begun, leave };
}

it('lets steps begin at once when they share no key', () => {
  expect(entering(['a'], ['b', 'c'], []).begun).toEqual([0, 1, 2]);
});

it('lets steps that share a key begin in their order, after all before them', async () => {
  const { begun, leave } = entering(['a'], ['b'], ['a', 'b'], ['b'], ['c']);
  expect(begun).toEqual([0, 1, 4]);
  await leave(1);
  expect(begun).toEqual([0, 1, 4]);
  await leave(0);
  expect(begun).toEqual([0, 1, 4, 2]);
  await leave(2);
  expect(begun).toEqual([0, 1, 4, 2, 3]);
});

it('lets a step begin once when it shares several keys', async () => {
  const { begun, leave } = entering(['a', 'b', 'c'], ['c', 'a']);
  await leave(0);
  await leave(1);
  expect(begun).toEqual([0, 1]);
});

it('lets 50,000 steps leave as soon as they begin, as after their deadline', async () => {
  const queues = new KeyQueues();
  const first = queues.enter(['a']);
  let begun = 0;
  const all = Array.from({ length: 50_000 }, async () => {
    const step = queues.enter(['a']);
    await step.turn();
    begun += 1;
    queues.leave(step);
  });
  expect(begun).toBe(0);
  queues.leave(first);
  await Promise.all(all);
  expect(begun).toBe(50_000);
});
