/**
 * scrypt (RFC 7914) as crypt(3) writes it: `$7$`, then log2 of N in one digit, r and p in five each, the lowest
 * first, and the salt as text.
 */
import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { encode, numberOf } from './base64.ts';

/** Bytes: the 64 MiB that crypt(3) takes if it is not told, and some for lanes. Each lane takes 0.2 s of a thread. */
const mostMemory = 65 * 1024 * 1024;
const mostLanes = 4;

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

type Derive = (password: string, salt: string, length: number, options: ScryptOptions) => Promise<Buffer>;
const derive: Derive = promisify(scrypt);

/** The `$7$` hash of a password with the salt and costs of `stored`; undefined if that is none, or too costly. */
export async function scryptCrypt(password: string, stored: string): Promise<string | undefined> {
  if (!/^\$7\$[./0-9A-Za-z]{11,75}\$[./0-9A-Za-z]{43}$/.test(stored)) return undefined;
  const setting = stored.slice(0, stored.lastIndexOf('$'));
  const [n, r, p, salt] = [setting.slice(3, 4), setting.slice(4, 9), setting.slice(9, 14), setting.slice(14)];
  const cost = { N: 2 ** numberOf(n), r: numberOf(r), p: numberOf(p) };
  if (!isBearable(cost)) return undefined;
  const key = await derive(password, salt, 32, { ...cost, maxmem: mostMemory });
  return `${setting}$${encode(key)}`;
}

/** What OpenSSL would refuse, RFC 7914 §6 and its count of memory, is refused here. */
function isBearable({ N, r, p }: Cost): boolean {
  const memory = 128 * r * (N + p + 2);
  return N > 1 && N < 2 ** (16 * r) && p > 0 && p <= mostLanes && memory <= mostMemory;
}
