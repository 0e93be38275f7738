import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTickBatch, inTickBatchUnlessAlone } from './tick-batch.ts';

it('runs a batch after its tick, in order, before the promises that its tasks resolve', async () => {
  const seen: string[] = [];
  const note = (text: string) => () => seen.push(text);
  const promise = new Promise<void>((resolve) =>
    inTickBatch(() => {
      seen.push('first');
      resolve();
    }),
  );
  promise.then(note('after the first'));
  inTickBatch(note('second'));
  process.nextTick(note('tick'));
  seen.push('now');
  await nextTurn();
  expect(seen).toEqual(['now', 'tick', 'first', 'second', 'after the first']);
});

it('runs a task that is added by a task in the next batch', async () => {
  const seen: string[] = [];
  inTickBatch(() => {
    inTickBatch(() => seen.push('next'));
    setImmediate(() => seen.push('immediate'));
    seen.push('this');
  });
  await nextTurn();
  expect(seen).toEqual(['this']);
  await nextTurn();
  expect(seen).toEqual(['this', 'next', 'immediate']);
});

it('runs a task at once while tasks arrive alone, and checks that with a batch now and then', async () => {
  const seen: string[] = [];
  /** Returns whether the task ran at once. */
  const arrive = async (): Promise<boolean> => {
    const before = seen.length;
    inTickBatchUnlessAlone(() => seen.push('run'));
    const isRun = seen.length > before;
    await nextTurn();
    return isRun;
  };
  const arriveTogether = async () => {
    inTickBatch(() => seen.push('one'));
    inTickBatchUnlessAlone(() => seen.push('other'));
    await nextTurn();
  };
  await arriveTogether();
  const alone: boolean[] = [];
  for (let n = 0; n < 26; n += 1) alone.push(await arrive());
  expect(alone.map((isAtOnce, at) => (isAtOnce ? -1 : at)).filter((at) => at >= 0)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 7],
    24,
  ]);
  await arriveTogether();
  expect(await arrive()).toBe(false);
});
