/** The codes of a token, as somebody reads them off an app who is in no hurry: each is good once, and they rise. */

import { createSecretKey } from 'node:crypto';
import { fromBase32, totp } from '@watchword/core';
import type { DemoToken } from '@watchword/quickstart';

/**
 * Each code is a step further than the one before. So they run ahead of the clock, and the service learns of it as it
 * learns of a token whose clock is fast: two steps off, and the drift follows.
 */
export function codes({ secret, digits, period }: DemoToken): () => string {
  const source = { secret: createSecretKey(fromBase32(secret) ?? new Uint8Array()), digits, period };
  let last = 0;
  let drift = 0;
  return () => {
    const now = Math.floor(Date.now() / 1000 / period);
    last = Math.max(last + 1, now + drift - 1);
    if (Math.abs(last - now - drift) > 1) drift = last - now;
    return totp(source, last * period * 1000);
  };
}
