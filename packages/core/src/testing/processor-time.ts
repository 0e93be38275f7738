/** How much work something is, whatever else the machine does: for tests that text cannot make us slow. */

/** Milliseconds of processor time that this process needs for `run`. */
export function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
