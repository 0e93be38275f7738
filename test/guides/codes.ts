/** The codes of a token, as somebody reads them off an app who is in no hurry: each is good once, and they rise. */

import { createSecretKey } from 'node:crypto';
import { fromBase32, totp } from '@watchword/core';
import type { DemoToken } from '@watchword/quickstart';

/** Steps that a code may be behind; less than the window of a token that nobody has configured. */
const slack = 3;

export function codes({ secret, digits, period }: DemoToken): () => string {
  const source = { secret: createSecretKey(fromBase32(secret) ?? new Uint8Array()), digits, period };
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(Date.now() / 1000 / period) - slack);
    return totp(source, last * period * 1000);
  };
}
