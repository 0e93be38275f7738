/**
 * The longest time in which a request blocks the event loop, in milliseconds of a processor of three gigahertz; the least of several
 * attempts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { millisecondHere, processorNow } from './processor-time.ts';

/** @param most an attempt with less than this is the last */
export async function longestTurn(work: () => Promise<unknown>, most = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 15 && least >= most; attempt += 1) {
    const measure = millisecondHere();
    least = Math.min(least, (await longestOf(work)) / measure);
  }
  return least;
}

/** Counts the turns of the event loop while the work runs. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const over = work().finally(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await nextTurn();
  await over;
  return turns;
}

async function longestOf(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work().finally(() => {
    isOver = true;
  });
  let [longest, last] = [0, processorNow()];
  while (!isOver) {
    await nextTurn();
    const next = processorNow();
    [longest, last] = [Math.max(longest, next - last), next];
  }
  await over;
  return longest;
}
