/** bcrypt in the form of crypt(5): `$2a$`, `$2b$`, `$2y$`. */
import * as bcrypt from '@node-rs/bcrypt';
import type { Check } from './check.ts';

/** The limit of the binary logarithm of the rounds: some seconds of a thread. */
const mostCost = 16;

/** Returns undefined for another scheme, and for a hash that is malformed or too expensive. */
export function bcryptCheck(hashed: string): Check | undefined {
  const [, cost] = /^\$2[aby]\$([0-9]{2})\$[./0-9A-Za-z]{53}$/.exec(hashed) ?? [];
  if (cost === undefined || Number(cost) > mostCost) return undefined;
  return (password) => bcrypt.verify(password, hashed).catch(() => false);
}
