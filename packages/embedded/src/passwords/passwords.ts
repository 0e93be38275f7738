/**
 * Passwords as `userPassword` holds them. New ones are hashed with argon2id; what arrived hashed is kept, and verified by
 * its own scheme. A hash that never matches (`password-schemes/`) is told to the log when its user comes.
 */
import { availableParallelism } from 'node:os';
import {
  type Attributes,
  type AttributeValue,
  clearIn,
  opaqueString,
  passwordText,
  ServiceError,
} from '@watchword/core/foundation';
import { type Asker, type JudgedPolicy, type Random, RareWarning } from '@watchword/core/ports';
import {
  type HashCost,
  hash,
  readStored,
  type StoredPassword,
  standIn,
  usualCost,
} from '../password-schemes/index.ts';
import { isPassword } from '../schema/schema.ts';
import { HashingQueue, type HashingQueuePorts } from './hashing-queue.ts';
import { judgedPolicy, usualPolicy } from './password-policy.ts';

const saltLength = 16;
/** Bytes; longer ones are refused, so that nobody makes us hash megabytes. */
const longestPassword = 1024;

/** Whose password is asked for, and what is stored of it. */
export interface Account {
  /** For the log: the DN. */
  readonly user: string;
  /** Nothing, where there is no such user. */
  readonly stored: readonly AttributeValue[];
}

export interface PasswordOptions {
  /** The cost of new hashes, and of the hash that a missing one costs; stored hashes cost what they say. */
  readonly cost?: HashCost | undefined;
  /** The rules for new passwords in clear; a hash is stored as it is. */
  readonly policy?: JudgedPolicy | undefined;
}

export class Passwords {
  readonly #random: Random;
  readonly #cost: HashCost;
  readonly #policy: JudgedPolicy;
  /** One processor stays free, and so do most threads of the pool that file access shares. */
  readonly #queue: HashingQueue;
  readonly #neverMatches: RareWarning;

  constructor(
    { random, ...ports }: HashingQueuePorts & { readonly random: Random },
    { cost = usualCost, policy = judgedPolicy(usualPolicy) }: PasswordOptions = {},
  ) {
    this.#random = random;
    this.#cost = cost;
    this.#policy = policy;
    this.#queue = new HashingQueue(Math.max(1, Math.min(3, availableParallelism() - 1)), ports);
    this.#neverMatches = new RareWarning(
      'a stored password never matches: its scheme is not verified here, or it is malformed or asks for too much work; ' +
        'an administrator sets a new password for this user',
      ports,
    );
  }

  /**
   * A value for `userPassword` as it is stored: hashed, unless it is already.
   * @throws ServiceError `password_refused` by the policy, if it is empty or longer than 1024 bytes, or for a hash that never matches
   */
  async protect(value: AttributeValue): Promise<string> {
    const clear = clearIn(value);
    if (clear !== undefined) return this.hash(clear);
    assertMatchable(passwordText(value));
    return passwordText(value);
  }

  /** {@link protect} for several values. */
  protectAll(values: readonly AttributeValue[]): Promise<string[]> {
    return Promise.all(values.map((value) => this.protect(value)));
  }

  /** The attributes with all passwords in them protected. */
  protectEntry(attributes: Attributes): Promise<Attributes> {
    return this.#protectedEntry(attributes, (value) => this.protect(value));
  }

  /** The same for an entry that is moved here with its passwords, which no policy of ours was asked about. */
  protectMoved(attributes: Attributes): Promise<Attributes> {
    return this.#protectedEntry(attributes, async (value) => {
      const clear = clearIn(value);
      return clear === undefined ? passwordText(value) : this.#hashed(clear);
    });
  }

  async #protectedEntry(
    attributes: Attributes,
    protect: (value: AttributeValue) => Promise<string>,
  ): Promise<Attributes> {
    const result = new Map(attributes);
    for (const [name, values] of attributes) {
      if (isPassword(name)) result.set(name, await Promise.all(values.map(protect)));
    }
    return result;
  }

  /** Hashes a new password in clear, whatever it looks like. @throws as {@link protect} */
  async hash(password: string): Promise<string> {
    assertHashable(password);
    await this.#policy.assertTakes(password);
    return this.#hashed(password);
  }

  async #hashed(password: string): Promise<string> {
    assertHashable(password);
    const salt = this.#random.bytes(saltLength);
    return `{ARGON2}${await this.#queue.run(() => hash(opaqueString(password), salt, this.#cost))}`;
  }

  /** How many of the passwords of an entry can match nobody's. */
  neverMatching(attributes: Attributes): number {
    return [...attributes]
      .filter(([name]) => isPassword(name))
      .flatMap(([, values]) => values.map((value) => readStored(String(value))))
      .filter((stored) => stored && !stored.check).length;
  }

  /**
   * True if the password matches one of the stored values. An argon2 hash is computed in any case, for users
   * that do not exist, for quick old schemes and for those that never match: time does not tell who exists.
   * Hashes of other systems, and of before RFC 8265, may be of the password as it was typed: that is tried, too.
   * @param asker left out: this program itself
   * @throws ServiceError `unavailable` where too many wait, or the asker has gone
   */
  async verify({ user, stored }: Account, password: string, asker?: Asker): Promise<boolean> {
    if (password === '' || Buffer.byteLength(password) > longestPassword) return false;
    const values = stored.map((value) => readStored(String(value))).filter((value) => value !== undefined);
    const forms = new Set([opaqueString(password), password]);
    const isOne = await this.#queue.run(() => this.#matchesOne(values, forms), asker);
    const hopeless = isOne ? undefined : values.find(({ check }) => !check);
    if (hopeless) this.#neverMatches.note({ user, scheme: hopeless.scheme });
    return isOne;
  }

  /** @param forms of one password, all of which are tried */
  async #matchesOne(values: readonly StoredPassword[], forms: ReadonlySet<string>): Promise<boolean> {
    const hasArgon2 = values.some(({ isArgon2 }) => isArgon2);
    let isOne = false;
    for (const form of forms) {
      if (!hasArgon2) await standIn(form, this.#cost);
      for (const { check } of values) if (await check?.(form)) isOne = true;
    }
    return isOne;
  }
}

/** @throws ServiceError `password_refused`, naming the scheme */
function assertMatchable(hashed: string): void {
  const stored = readStored(hashed);
  if (!stored || stored.check) return;
  const why = 'its scheme is not verified here, or it is malformed or asks for too much work';
  throw new ServiceError('password_refused', {
    detail: `no password matches a hash ${stored.scheme} like this: ${why}`,
  });
}

/** @throws ServiceError `password_refused` */
function assertHashable(password: string): void {
  if (password === '') throw new ServiceError('password_refused', { detail: 'the password is empty' });
  if (Buffer.byteLength(password) > longestPassword) {
    throw new ServiceError('password_refused', {
      detail: `the password is longer than ${longestPassword} bytes`,
    });
  }
}
