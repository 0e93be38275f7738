/**
 * PBKDF2, RFC 8018 §5.2, in the form of OpenLDAP's module pw-pbkdf2: rounds, salt and key between dollars. Their base64 has dots for plus signs
 * and no padding. The plain base64 of the 389 Directory Server is read, too.
 */
import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Check } from './check.ts';

/** The limit of rounds, as for SHA-crypt: half a second of a thread. */
const mostRounds = 1_000_000;

const algorithms: Readonly<Record<string, readonly [algorithm: string, size: number]>> = {
  PBKDF2: ['sha1', 20],
  'PBKDF2-SHA1': ['sha1', 20],
  'PBKDF2-SHA256': ['sha256', 32],
  'PBKDF2-SHA512': ['sha512', 64],
};

const derive = promisify(pbkdf2);

/** Returns undefined for another scheme, and for a hash that is malformed or too expensive. */
export function pbkdf2Check(scheme: string, hashed: string): Check | undefined {
  const [algorithm, size] = algorithms[scheme] ?? [];
  const [, rounds, salt, key] =
    /^([1-9][0-9]{0,8})\$([A-Za-z0-9+/.]{1,512}=*)\$([A-Za-z0-9+/.]{1,86}=*)$/.exec(hashed) ?? [];
  if (algorithm === undefined || salt === undefined || key === undefined) return undefined;
  const stored = bytesOf(key);
  if (Number(rounds) > mostRounds || stored.length !== size) return undefined;
  return async (password) =>
    timingSafeEqual(await derive(password, bytesOf(salt), Number(rounds), size, algorithm), stored);
}

const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64');
