import { hash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets (strings as UTF-8) by their hashes: the time shows neither their length nor where they differ. */
export function isSameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
