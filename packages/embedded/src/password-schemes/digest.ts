/** Digests with and without salt, in the form of OpenLDAP and its module pw-sha2: base64 of digest(password ‖ salt) ‖ salt. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Check } from './check.ts';

const algorithms: Readonly<Record<string, readonly [algorithm: string, size: number]>> = {
  MD5: ['md5', 16],
  SMD5: ['md5', 16],
  SHA: ['sha1', 20],
  SSHA: ['sha1', 20],
  SHA256: ['sha256', 32],
  SSHA256: ['sha256', 32],
  SHA384: ['sha384', 48],
  SSHA384: ['sha384', 48],
  SHA512: ['sha512', 64],
  SSHA512: ['sha512', 64],
};

/** Returns undefined for another scheme, and for a digest that is too short. */
export function digestCheck(scheme: string, hashed: string): Check | undefined {
  const [algorithm, size] = algorithms[scheme] ?? [];
  const bytes = Buffer.from(hashed, 'base64');
  if (algorithm === undefined || size === undefined || bytes.length < size) return undefined;
  const [digest, salt] = [bytes.subarray(0, size), bytes.subarray(size)];
  return (password) =>
    timingSafeEqual(createHash(algorithm).update(password, 'utf8').update(salt).digest(), digest);
}
