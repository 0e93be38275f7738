import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inWave } from './wave.ts';

it('a wave comes after what the turn has brought, in its order, and before what its promises go on with', async () => {
  const seen: string[] = [];
  const note = (text: string) => () => seen.push(text);
  const promise = new Promise<void>((resolve) =>
    inWave(() => {
      seen.push('first');
      resolve();
    }),
  );
  promise.then(note('behind the first'));
  inWave(note('second'));
  process.nextTick(note('tick'));
  seen.push('now');
  await nextTurn();
  expect(seen).toEqual(['now', 'tick', 'first', 'second', 'behind the first']);
});

it('what a task asks for is done in the next wave', async () => {
  const seen: string[] = [];
  inWave(() => {
    inWave(() => seen.push('next'));
    setImmediate(() => seen.push('as soon'));
    seen.push('this');
  });
  await nextTurn();
  expect(seen).toEqual(['this']);
  await nextTurn();
  expect(seen).toEqual(['this', 'next', 'as soon']);
});
