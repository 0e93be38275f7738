/**
 * Work in milliseconds of a processor of three gigahertz: processor time, compared with a loop that is timed beside it. So neither a slow
 * machine nor a busy one fails a test of hostile input.
 */

/** About a millisecond of a processor of three gigahertz. */
const roundsOfMeasure = 660_000;

/** Returns the work of this process for `run`. */
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

/** Returns the milliseconds of this machine's processor that equal one of a processor of three gigahertz. */
export function millisecondHere(): number {
  const spent = [1, 2, 3].map(() => {
    const before = processorNow();
    loop();
    return processorNow() - before;
  });
  return Math.min(...spent) / 10;
}

/** Returns how much longer work takes now than on an idle processor of three gigahertz. */
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
