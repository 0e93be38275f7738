import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inWave, inWaveUnlessAlone } from './wave.ts';

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

it('a task that comes alone, as those before it did, is run at once, and now and then it is looked whether it is alone', async () => {
  const seen: string[] = [];
  /** Whether it was run at once. */
  const come = async (): Promise<boolean> => {
    const before = seen.length;
    inWaveUnlessAlone(() => seen.push('run'));
    const isRun = seen.length > before;
    await nextTurn();
    return isRun;
  };
  const comeTogether = async () => {
    inWave(() => seen.push('one'));
    inWaveUnlessAlone(() => seen.push('other'));
    await nextTurn();
  };
  await comeTogether();
  const alone: boolean[] = [];
  for (let n = 0; n < 26; n += 1) alone.push(await come());
  expect(alone.map((isAtOnce, at) => (isAtOnce ? -1 : at)).filter((at) => at >= 0)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 7],
    24,
  ]);
  await comeTogether();
  expect(await come()).toBe(false);
});
