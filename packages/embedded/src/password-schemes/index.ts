/**
 * Values of `userPassword`, RFC 2307 §5.3: `{SCHEME}hash`. Verified schemes are digests with and without salt, PBKDF2, argon2, bcrypt and
 * SHA-crypt. Other schemes, and hashes that are too expensive, never match.
 */
import { isHashedPassword } from '@watchword/core/foundation';
import { argon2Check } from './argon2.ts';
import { bcryptCheck } from './bcrypt.ts';
import type { Check } from './check.ts';
import { digestCheck } from './digest.ts';
import { pbkdf2Check } from './pbkdf2.ts';
import { shaCryptCheck } from './sha-crypt.ts';

export { dummyCheck, type HashCost, hash, usualCost } from './argon2.ts';

export interface StoredPassword {
  /** The scheme for the log, without the hash: `{CRYPT}$y$`. */
  readonly scheme: string;
  /** Left out if no password can match: the scheme is unknown, or the hash is malformed or too expensive. */
  readonly check?: Check | undefined;
  /** The check takes as long as that of a new password. */
  readonly isArgon2: boolean;
}

/** Returns undefined for a value that is no hash, and for one of a locked account. */
export function readStored(value: string): StoredPassword | undefined {
  const [, word = '', hashed = ''] = /^\{([^}]+)\}(.*)$/s.exec(value) ?? [];
  const name = word.toUpperCase();
  if (!isHashedPassword(value) || (name === 'CRYPT' && isLocked(hashed))) return undefined;
  const check = checkOf(name, hashed);
  return { scheme: `{${name}}${cryptPrefix(name, hashed)}`, check, isArgon2: name === 'ARGON2' && !!check };
}

function checkOf(name: string, hashed: string): Check | undefined {
  if (name === 'ARGON2') return argon2Check(hashed);
  if (name === 'CRYPT') return bcryptCheck(hashed) ?? shaCryptCheck(hashed);
  return pbkdf2Check(name, hashed) ?? digestCheck(name, hashed);
}

/** Returns whether a hash is locked, shadow(5). */
const isLocked = (hashed: string): boolean => /^[!*]/.test(hashed);

/** Returns the prefix of a hash, which names its method (crypt(5)). DES has none. */
const cryptPrefix = (name: string, hashed: string): string =>
  name === 'CRYPT' ? (/^(?:_|\$[a-z0-9-]{1,8}\$)/i.exec(hashed)?.[0] ?? '') : '';
