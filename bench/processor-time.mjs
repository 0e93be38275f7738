/** Processor time of a process, as Linux accounts for it. */
import { readFileSync } from 'node:fs';

/** proc(5) counts in USER_HZ, which is 100 on every Linux that Node runs on. */
const microsecondsPerTick = 10_000;

/** Microseconds in user and kernel mode, of all threads. @param pids of one process or of several */
export function processorTime(pids) {
  return [pids].flat().reduce((sum, pid) => sum + timeOf(pid), 0);
}

function timeOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in parentheses, and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) * microsecondsPerTick;
}
