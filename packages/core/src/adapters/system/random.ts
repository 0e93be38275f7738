import { randomFillSync } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

/** Asking the system costs the same for 8 bytes and for 4096, so small requests are served out of a pool. */
const pool = Buffer.alloc(4096);
const small = 64;
let used = pool.length;

/** The random numbers of the operating system. */
export const systemRandom: Random = {
  bytes: (length) => (length > small ? randomFillSync(Buffer.alloc(length)) : takeFromPool(length)),
};

/** What is handed out is wiped in the pool: nobody finds a key there, and no byte is given twice. */
function takeFromPool(length: number): Uint8Array {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) {
    bytes[at] = pool[used + at] ?? 0;
    pool[used + at] = 0;
  }
  used += length;
  return bytes;
}
