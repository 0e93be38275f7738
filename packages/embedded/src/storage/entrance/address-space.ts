/**
 * The addresses that the map of the database takes. LMDB maps the whole file, and ends the process by a signal where the system refuses
 * to map more of it. So there are enough from the start, and a process that may not have them does not start.
 */
import { readFileSync } from 'node:fs';
import { StartError } from '@watchword/core/foundation';

/** In bytes. They are addresses, not memory; LMDB maps a larger database again as it grows. */
export const mapSize = 2 ** 36;
/** In bytes: what the process maps besides. */
const besides = 2 ** 32;

/**
 * @param folder of the kernel's facts about this process (proc(5))
 * @throws StartError if this process may not map a database
 */
export function assertAddresses(folder = '/proc/self'): void {
  const limit = number(/^Max address space +(\d+) /m, `${folder}/limits`);
  const taken = number(/^VmSize:\s+(\d+) kB/m, `${folder}/status`) ?? 0;
  if (limit === undefined || taken * 1024 + mapSize + besides <= limit) return;
  throw new StartError(
    `The database needs ${mapSize / 2 ** 30} GiB of addresses, which take no memory, and this process may have ${Math.floor(limit / 2 ** 30)} GiB in all: remove the limit (LimitAS of systemd, ulimit -v).`,
  );
}

/** Undefined where nothing tells it: there is no limit, or this is no Linux. */
function number(pattern: RegExp, file: string): number | undefined {
  try {
    const [, digits] = pattern.exec(readFileSync(file, 'latin1')) ?? [];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
}
