/** Secrets against secrets: codes, PINs, keys, digests (`architecture.test.ts` sees to it that nothing else compares them). */
import { hash, timingSafeEqual } from 'node:crypto';

/** One hash against another, of texts in UTF-8: the time tells neither where they differ nor how long they are. */
export function isSameSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
