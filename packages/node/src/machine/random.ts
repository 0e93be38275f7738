import { randomFillSync } from 'node:crypto';
import type { Random } from '@watchword/core/ports';

/** Asking the system costs the same for 8 bytes and for 4096, so small requests are served out of a pool. */
const small = 64;

function pooledRandom(): Random {
  const pool = new Uint8Array(4096);
  let used = pool.length;

  /** What is handed out is wiped in the pool: nobody finds a key there, and no byte is given twice. */
  function take(length: number): Uint8Array {
    if (used + length > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  }

  return { bytes: (length) => (length > small ? randomFillSync(new Uint8Array(length)) : take(length)) };
}

/** The random numbers of the operating system. */
export const systemRandom: Random = pooledRandom();
