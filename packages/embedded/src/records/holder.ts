/**
 * Processes of this machine that hold locks. A holder is named by its PID namespace, its PID and its start time, as PIDs are reused. Processes
 * of other namespaces (containers) cannot be checked.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { kill, pid } from 'node:process';
import { TextCache } from '@watchword/core/foundation';

/** Holders seen to have ended, so that one does not seem alive again while the system removes it. */
const seenEnded = new TextCache<true>(1000);

/** Returns whether a holder has ended; false if unknown. @param holder {@link thisProcess} of a process since the last boot */
export function hasEnded(holder: string): boolean {
  return seenEnded.get(holder) ?? (looksEnded(holder) && seenEnded.keep(holder, true));
}

function looksEnded(holder: string): boolean {
  const [numbers, number, start] = holder.split(' ');
  if (numbers !== namespace) return false;
  if (!exists(Number(number))) return true;
  const found = startOf(Number(number));
  // The process may have been removed between the two checks.
  return found === '' ? !exists(Number(number)) : found !== start;
}

/** Returns the start time in clock ticks (proc(5)); the state of a zombie; '' if unknown. */
function startOf(process: number): string {
  const stat = read(() => readFileSync(`/proc/${process}/stat`, 'latin1'));
  // The name, in parentheses, may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', start = ''] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' ? state : start;
}

function exists(process: number): boolean {
  try {
    return kill(process, 0);
  } catch (error) {
    // A process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns '' on systems without /proc. */
function read(file: () => string): string {
  try {
    return file();
  } catch {
    return '';
  }
}

const namespace = read(() => readlinkSync('/proc/self/ns/pid'));
export const thisProcess = `${namespace} ${pid} ${startOf(pid)}`;
