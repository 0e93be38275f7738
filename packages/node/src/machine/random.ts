import { randomFillSync } from 'node:crypto';
import type { Random } from '@watchword/core/ports';

/** The limit in bytes of requests from the pool: a call of the system costs the same for 8 bytes and for 4096. */
const small = 64;

function pooledRandom(): Random {
  const pool = new Uint8Array(4096);
  let used = pool.length;

  /** Returns bytes of the pool, and wipes them there. */
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

/**
 * The random numbers of the operating system.
 * @example
 * ```ts
 * import { systemRandom } from '@watchword/node';
 *
 * console.log(systemRandom.bytes(32).length); // 32
 * ```
 */
export const systemRandom: Random = pooledRandom();
