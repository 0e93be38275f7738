/**
 * Passwords as `userPassword` holds them, RFC 2307 §5.3: `{SCHEME}hash`. New ones are hashed with argon2id, in
 * the form that OpenLDAP's argon2 module verifies; what arrived hashed is verified by its own scheme. Schemes of
 * OpenLDAP that are not known here, and hashes that ask for too much, are kept and never match.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import * as bcrypt from '@node-rs/bcrypt';
import type { Asker } from '../../directory/directory.ts';
import { type Attributes, type AttributeValue, isHashedPassword } from '../../directory/value.ts';
import { ServiceError } from '../../errors.ts';
import type { Random } from '../../ports/random.ts';
import { HashingQueue, type HashingQueuePorts } from './hashing-queue.ts';
import { isPassword } from './schema.ts';
import { unixCrypt } from './unix-crypt/index.ts';

/** Argon2id with 19 MiB (KiB here), two passes, one lane: RFC 9106 in OWASP's measure, 10 ms of a processor. */
const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const saltLength = 16;
/** Stored hashes that ask for more (KiB, KiB × passes, rounds as a power of 2) would take the server down. */
const mostArgon2Memory = 524_288;
const mostArgon2Work = 4 * 1_048_576;
const mostBcryptCost = 16;
/** Bytes; longer ones are refused, so that nobody makes us hash megabytes. */
const longestPassword = 1024;

/** Hash of a password that nobody has, for names that do not exist. */
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyB0aGlz$MqEVWxSEiRbrVAqu1rpT4i7YyLzD4XGG8WMjTbMbBTY';

export class Passwords {
  readonly #random: Random;
  /** One processor stays free, and so do most threads of the pool that file access shares. */
  readonly #queue: HashingQueue;

  constructor({ random, ...ports }: HashingQueuePorts & { readonly random: Random }) {
    this.#random = random;
    this.#queue = new HashingQueue(Math.max(1, Math.min(3, availableParallelism() - 1)), ports);
  }

  /**
   * A value for `userPassword` as it is stored: hashed, unless it is already.
   * @throws ServiceError `password_refused` if it is empty or longer than 1024 bytes.
   */
  async protect(value: AttributeValue): Promise<string> {
    const text = typeof value === 'string' ? value : Buffer.from(value).toString('latin1');
    return isHashedPassword(text) ? text : this.hash(text.replace(/^\{CLEARTEXT\}/i, ''));
  }

  /** {@link protect} for several values. */
  protectAll(values: readonly AttributeValue[]): Promise<string[]> {
    return Promise.all(values.map((value) => this.protect(value)));
  }

  /** The attributes with all passwords in them protected. */
  async protectEntry(attributes: Attributes): Promise<Attributes> {
    const result = new Map(attributes);
    for (const [name, values] of attributes) {
      if (isPassword(name)) result.set(name, await this.protectAll(values));
    }
    return result;
  }

  /** Hashes a password in clear, whatever it looks like. @throws as {@link protect} */
  async hash(password: string): Promise<string> {
    if (password === '') throw new ServiceError('password_refused', { detail: 'the password is empty' });
    if (Buffer.byteLength(password) > longestPassword) {
      throw new ServiceError('password_refused', {
        detail: `the password is longer than ${longestPassword} bytes`,
      });
    }
    const salt = this.#random.bytes(saltLength);
    return `{ARGON2}${await this.#queue.run(() => argon2.hash(password, { ...argon2id, salt }))}`;
  }

  /**
   * True if the password matches one of the stored values. An argon2 hash is computed in any case, for users
   * that do not exist and for quick old schemes too: time does not tell who exists.
   * @param asker left out: this program itself
   * @throws ServiceError `unavailable` where too many wait, or the asker has gone
   */
  async verify(stored: readonly AttributeValue[], password: string, asker?: Asker): Promise<boolean> {
    if (password === '' || Buffer.byteLength(password) > longestPassword) return false;
    return this.#queue.run(() => matchesOne(stored.map(String), password), asker);
  }
}

async function matchesOne(values: readonly string[], password: string): Promise<boolean> {
  const slow = values.some((value) => /^\{ARGON2\}/i.test(value));
  if (!slow) await argon2.verify(nobody, password);
  let isOne = false;
  for (const value of values) if (await matches(value, password)) isOne = true;
  return isOne;
}

async function matches(stored: string, password: string): Promise<boolean> {
  const [, scheme = '', hashed = ''] = /^\{([^}]+)\}(.*)$/s.exec(stored) ?? [];
  const name = scheme.toUpperCase();
  if (name === 'ARGON2') return matchesArgon2(hashed, password);
  if (name === 'CRYPT') return matchesCrypt(hashed, password);
  const algorithm = digests[name];
  return algorithm !== undefined && matchesDigest(algorithm, hashed, password);
}

const digests: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SMD5: 'md5',
  SHA: 'sha1',
  SSHA: 'sha1',
  SHA256: 'sha256',
  SSHA256: 'sha256',
  SHA384: 'sha384',
  SSHA384: 'sha384',
  SHA512: 'sha512',
  SSHA512: 'sha512',
};

/** base64 of digest(password ‖ salt) ‖ salt. */
function matchesDigest(algorithm: string, hashed: string, password: string): boolean {
  const bytes = Buffer.from(hashed, 'base64');
  const size = createHash(algorithm).digest().length;
  const digest = createHash(algorithm).update(password, 'utf8').update(bytes.subarray(size)).digest();
  return same(digest, bytes.subarray(0, size));
}

async function matchesArgon2(hashed: string, password: string): Promise<boolean> {
  try {
    const { memoryCost, timeCost } = argon2.parseOptions(hashed);
    if (memoryCost > mostArgon2Memory || memoryCost * timeCost > mostArgon2Work) return false;
    return await argon2.verify(hashed, password);
  } catch {
    return false; // not an argon2 hash at all
  }
}

async function matchesCrypt(hashed: string, password: string): Promise<boolean> {
  if (/^\$2[aby]\$/.test(hashed)) return matchesBcrypt(hashed, password);
  const computed = await unixCrypt(password, hashed);
  return computed !== undefined && same(Buffer.from(computed), Buffer.from(hashed));
}

async function matchesBcrypt(hashed: string, password: string): Promise<boolean> {
  try {
    return bcrypt.parseOptions(hashed).cost <= mostBcryptCost && (await bcrypt.verify(password, hashed));
  } catch {
    return false; // not a bcrypt hash at all
  }
}

function same(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
