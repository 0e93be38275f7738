/**
 * The address space of the database. LMDB maps the whole file, and a signal ends the process if the system refuses to map more. A process
 * with too small a limit does not start.
 */
import { readFileSync } from 'node:fs';
import { StartError } from '@watchword/core/foundation';

/** Bytes of address space, not memory. LMDB maps a database that outgrows it again. */
export const mapSize = 2 ** 36;
/** Other mappings of the process in bytes. */
const besides = 2 ** 32;

/**
 * @param folder the folder of the process in /proc (proc(5))
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

/** Returns undefined without a limit, and on systems without /proc. */
function number(pattern: RegExp, file: string): number | undefined {
  try {
    const [, digits] = pattern.exec(readFileSync(file, 'latin1')) ?? [];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
}
