/**
 * How much work something is, in milliseconds of a processor of three gigahertz: of processor time, and in measures of a loop that
 * is timed beside it. So neither a slow machine nor one that is busy with something else fails a test that text cannot make us slow.
 */

/** About a millisecond of a processor of three gigahertz. */
const roundsOfMeasure = 660_000;

/** What this process needs for `run`, to its end. */
export async function processorTime(run: () => unknown): Promise<number> {
  const measure = millisecondHere();
  const before = processorNow();
  await run();
  return (processorNow() - before) / measure;
}

/** Processor time of this process so far, in milliseconds of this machine. */
export function processorNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How many milliseconds of this machine's processor are one of a processor of three gigahertz. */
export function millisecondHere(): number {
  const spent = [1, 2, 3].map(() => {
    const before = processorNow();
    loop();
    return processorNow() - before;
  });
  return Math.min(...spent) / 10;
}

/** How many times longer work takes here and now than on a processor of three gigahertz that does nothing else. */
export function slowness(): number {
  const took = [1, 2, 3].map(() => {
    const began = performance.now();
    loop();
    return performance.now() - began;
  });
  return Math.min(...took) / 10;
}

/** Ten of them: the clock of the processor is coarse. */
function loop(): number {
  let mixed = 1;
  for (let round = 0; round < 10 * roundsOfMeasure; round += 1)
    mixed = Math.imul(mixed ^ round, 0x9e3779b1) | 1;
  return mixed;
}
