/**
 * Password hashes of crypt(3) that rest on DES: the traditional one, of 13 characters, which sees seven bits of
 * the first eight bytes of a password; and BSDi's, `_`, which sees all bytes and says how many rounds it takes.
 */
import { digits, numberOf } from './base64.ts';
import {
  type Bits,
  bitsOf,
  encrypt,
  groups,
  type Halves,
  iterate,
  keySchedule,
  permuteFinally,
  saltSwaps,
} from './des.ts';
import { mostRounds, stretch } from './rounds.ts';

/** The hash of a password with the salt of `stored`; undefined if that is none. */
export async function desCrypt(password: string, stored: string): Promise<string | undefined> {
  const [, salt] = /^([./0-9A-Za-z]{2})[./0-9A-Za-z]{11}$/.exec(stored) ?? [];
  if (salt === undefined) return undefined;
  const [key = emptyKey] = keysOf(password);
  return salt + (await hash(key, { salt: numberOf(salt), rounds: 25 }));
}

/** The same for BSDi's; undefined also if it is too costly. */
export async function bsdiCrypt(password: string, stored: string): Promise<string | undefined> {
  const match = /^(_([./0-9A-Za-z]{4})([./0-9A-Za-z]{4}))[./0-9A-Za-z]{11}$/.exec(stored);
  if (!match) return undefined;
  const [, setting = '', count = '', salt = ''] = match;
  const rounds = Math.max(1, numberOf(count));
  if (rounds > mostRounds) return undefined;
  return setting + (await hash(folded(password), { salt: numberOf(salt), rounds }));
}

/** A block of zeros, encrypted so many times. */
async function hash(key: Bits, { salt, rounds }: { salt: number; rounds: number }): Promise<string> {
  const keys = keySchedule(key);
  const swaps = saltSwaps(salt);
  const zeros: Halves = [0, 0];
  const halves = await stretch(zeros, rounds, (block) => iterate(block, keys, swaps));
  return digits(groups([...permuteFinally(halves), 0, 0], 6));
}

/** One key of a whole password: the key so far, encrypted with itself, is mixed with the next eight bytes. */
function folded(password: string): Bits {
  const [first = emptyKey, ...rest] = keysOf(password);
  return rest.reduce((key, next) => exclusiveOr(encrypt(key, keySchedule(key)), next), first);
}

/** Eight bytes each, of which the seven low bits go to where DES looks for them. */
function keysOf(password: string): Bits[] {
  const bits = Array.from(Buffer.from(password, 'utf8'), (byte) => bitsOf(byte << 1, 8));
  return Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) => {
    const key = bits.slice(8 * at, 8 * at + 8).flat();
    return [...key, ...emptyKey.slice(key.length)];
  });
}

const emptyKey: Bits = Array<number>(64).fill(0);

function exclusiveOr(one: Bits, other: Bits): Bits {
  return one.map((bit, at) => bit ^ (other[at] ?? 0));
}
