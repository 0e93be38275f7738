/**
 * The port of random bytes, cryptographically strong except in tests.
 * `systemRandom` of `@watchword/node` is that of the operating system.
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import type { Random } from '@watchword/core';
 *
 * const random: Random = { bytes: (length) => randomBytes(length) };
 * console.log(random.bytes(16).length); // 16
 * ```
 */
export interface Random {
  bytes(length: number): Uint8Array;
}

const digits = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns uniform characters of `[0-9A-Z]`, as in ids of the event log. */
export const randomWord = (random: Random, length: number): string =>
  randomText(random, { length, alphabet: digits + capitals });

/** Returns the id of a session: 16 characters of `[0-9A-Za-z]`, 95 bits. */
export const randomSession = (random: Random): string =>
  randomText(random, { length: 16, alphabet: digits + capitals + capitals.toLowerCase() });

/** Returns uniform characters of an alphabet. @param alphabet at most 256 characters */
export function randomText(
  random: Random,
  { length, alphabet }: { length: number; alphabet: string },
): string {
  const usable = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    const bytes = random.bytes(length);
    for (let at = 0; at < length && text.length < length; at += 1) {
      const byte = bytes[at] ?? usable;
      if (byte < usable) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
