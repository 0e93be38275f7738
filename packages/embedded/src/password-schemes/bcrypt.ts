/** bcrypt as crypt(5) writes it: `$2a$`, `$2b$`, `$2y$`. */
import * as bcrypt from '@node-rs/bcrypt';
import type { Check } from './check.ts';

/** The binary logarithm of the rounds: some seconds of a thread. */
const mostCost = 16;

/** Undefined if it is none, is malformed or asks for too much. */
export function bcryptCheck(hashed: string): Check | undefined {
  const [, cost] = /^\$2[aby]\$([0-9]{2})\$[./0-9A-Za-z]{53}$/.exec(hashed) ?? [];
  if (cost === undefined || Number(cost) > mostCost) return undefined;
  return (password) => bcrypt.verify(password, hashed).catch(() => false);
}
