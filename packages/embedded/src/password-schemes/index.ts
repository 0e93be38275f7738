/**
 * A value of `userPassword` taken apart, RFC 2307 §5.3: `{SCHEME}hash`. What Node and native libraries compute is verified:
 * digests with and without salt, PBKDF2, argon2, and of crypt(5) bcrypt and SHA-crypt. All other schemes that OpenLDAP
 * has, and hashes that ask for too much, never match.
 */
import { isHashedPassword } from '@watchword/core/foundation';
import { argon2Check } from './argon2.ts';
import { bcryptCheck } from './bcrypt.ts';
import type { Check } from './check.ts';
import { digestCheck } from './digest.ts';
import { pbkdf2Check } from './pbkdf2.ts';
import { shaCryptCheck } from './sha-crypt.ts';

export { type HashCost, hash, standIn, usualCost } from './argon2.ts';

export interface StoredPassword {
  /** For the log: `{CRYPT}$y$`, and nothing of the hash. */
  readonly scheme: string;
  /** Left out where no password can match: the scheme is not computed here, or the hash is malformed or asks for too much. */
  readonly check?: Check | undefined;
  /** The check costs what a password of our own costs. */
  readonly isArgon2: boolean;
}

/** Undefined if it is no hash, or one that says by itself that there is no password. */
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

/** shadow(5): so a field begins that nobody shall log in by. */
const isLocked = (hashed: string): boolean => /^[!*]/.test(hashed);

/** crypt(5): what a hash begins with tells its kind. The oldest, of DES, has nothing there. */
const cryptPrefix = (name: string, hashed: string): string =>
  name === 'CRYPT' ? (/^(?:_|\$[a-z0-9-]{1,8}\$)/i.exec(hashed)?.[0] ?? '') : '';
