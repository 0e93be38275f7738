/**
 * Processes of this machine that hold something for seconds. A process is named by its number and the moment at which it
 * began, so that another one which is given the number later is not taken for it; and by what numbers are its (a container
 * has its own), since of others nothing can be told.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { kill, pid } from 'node:process';
import { TextCache } from '@watchword/core/foundation';

/** Processes that were seen to have ended: looked at while the system takes one off its lists, it must not come back. */
const seenEnded = new TextCache<true>(1000);

/** @param holder as {@link thisProcess}, made in this run of the machine @returns false if it cannot be told */
export function hasEnded(holder: string): boolean {
  return seenEnded.get(holder) ?? (looksEnded(holder) && seenEnded.keep(holder, true));
}

function looksEnded(holder: string): boolean {
  const [numbers, number, start] = holder.split(' ');
  if (numbers !== namespace) return false;
  if (!isThere(Number(number))) return true;
  const there = startOf(Number(number));
  // It may have been taken off the list of processes between the two looks: whatever is gone stays gone.
  return there === '' ? !isThere(Number(number)) : there !== start;
}

/** proc(5): when it began, in clock ticks; of one that has ended and whose parent has not asked yet, its state; '': unknown. */
function startOf(process: number): string {
  const stat = read(() => readFileSync(`/proc/${process}/stat`, 'latin1'));
  // The name, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', start = ''] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' ? state : start;
}

function isThere(process: number): boolean {
  try {
    return kill(process, 0);
  } catch (error) {
    // Of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Other systems have no such files. */
function read(file: () => string): string {
  try {
    return file();
  } catch {
    return '';
  }
}

const namespace = read(() => readlinkSync('/proc/self/ns/pid'));
export const thisProcess = `${namespace} ${pid} ${startOf(pid)}`;
