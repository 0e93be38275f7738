/**
 * PBKDF2, RFC 8018 §5.2, as OpenLDAP's module pw-pbkdf2 writes it: rounds, salt and key between dollars, both in base64
 * with a dot for the plus sign and no padding. The 389 Directory Server writes plain base64, which is read as well.
 */
import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Check } from './check.ts';

/** As of SHA-crypt: half a second of a thread. */
const mostRounds = 1_000_000;

const algorithms: Readonly<Record<string, readonly [algorithm: string, size: number]>> = {
  PBKDF2: ['sha1', 20],
  'PBKDF2-SHA1': ['sha1', 20],
  'PBKDF2-SHA256': ['sha256', 32],
  'PBKDF2-SHA512': ['sha512', 64],
};

const derive = promisify(pbkdf2);

/** Undefined if the scheme is none of these, or the hash is malformed or asks for too much. */
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
