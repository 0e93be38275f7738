/**
 * scrypt (RFC 7914) as crypt(3) writes it: `$7$`, then log2 of N in one digit, r and p in five each, the lowest
 * first, and the salt as text.
 */
import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { encode, numberOf } from './base64.ts';

/** Bytes, as much as crypt(3) takes if it is not told; each lane takes 0.2 s of a thread. */
const mostMemory = 64 * 1024 * 1024;
const mostLanes = 4;

type Derive = (
  password: string,
  salt: string,
  length: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>;
const derive: Derive = promisify(scrypt);

/** The `$7$` hash of a password with the salt and costs of `stored`; undefined if that is none, or too costly. */
export async function scryptCrypt(password: string, stored: string): Promise<string | undefined> {
  const [, prefix, n = '', r = '', p = '', salt = ''] =
    /^(\$7\$([./0-9A-Za-z])([./0-9A-Za-z]{5})([./0-9A-Za-z]{5})([./0-9A-Za-z]{0,64})\$)[./0-9A-Za-z]{43}$/.exec(
      stored,
    ) ?? [];
  const costs = { N: 2 ** numberOf(n), r: numberOf(r), p: numberOf(p) };
  const memory = 128 * costs.r * costs.N;
  if (prefix === undefined || costs.N < 2 || memory === 0 || memory > mostMemory) return undefined;
  if (costs.p === 0 || costs.p > mostLanes) return undefined;
  // Beside the N blocks there are the lanes and some scratch.
  const key = await derive(password, salt, 32, { ...costs, maxmem: 2 * mostMemory });
  return prefix + encode(key);
}
