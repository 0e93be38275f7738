/**
 * How long one request keeps all others waiting: the longest stretch of work between two turns of the event loop, in
 * milliseconds of a processor of three gigahertz. Of processor time, in measures of a loop that is timed beside it, and the least
 * of several attempts: a machine that is slow, or busy with something else, does not make it longer.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { processorTime } from './processor-time.ts';

/** About a millisecond of a processor of three gigahertz. */
const roundsOfMeasure = 660_000;

export async function longestTurn(work: () => Promise<unknown>, attempts = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const measure = Math.min(...[1, 2, 3].map(() => processorTime(measured))) / 10;
    least = Math.min(least, (await longestOf(work)) / measure);
  }
  return least;
}

async function longestOf(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work().finally(() => {
    isOver = true;
  });
  let [longest, last] = [0, now()];
  while (!isOver) {
    await nextTurn();
    const next = now();
    [longest, last] = [Math.max(longest, next - last), next];
  }
  await over;
  return longest;
}

/** Of this process, in milliseconds. */
function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Ten of them: the clock of the processor is coarse. */
function measured(): number {
  let mixed = 1;
  for (let round = 0; round < 10 * roundsOfMeasure; round += 1)
    mixed = Math.imul(mixed ^ round, 0x9e3779b1) | 1;
  return mixed;
}
