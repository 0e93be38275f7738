/**
 * Values of `userPassword`. New passwords are hashed with argon2id; hashes are kept, and verified by their scheme. A hash that can never match
 * (`password-schemes/`) is logged when its user logs in.
 */
import { availableParallelism } from 'node:os';
import {
  type Attributes,
  type AttributeValue,
  clearTextPassword,
  opaqueString,
  passwordText,
  ServiceError,
} from '@watchword/core/foundation';
import {
  type EnforcedPasswordPolicy,
  type Random,
  type Requester,
  ThrottledWarning,
} from '@watchword/core/ports';
import {
  dummyCheck,
  type HashCost,
  hash,
  readStored,
  type StoredPassword,
  usualCost,
} from '../password-schemes/index.ts';
import { isPassword } from '../schema/schema.ts';
import { HashingQueue, type HashingQueuePorts } from './hashing-queue.ts';
import { enforcedPolicy, usualPolicy } from './password-policy.ts';

const saltLength = 16;
/** The limit of a password in bytes, so that no client causes hashes of megabytes. */
const longestPassword = 1024;

/** The account of a password. */
export interface Account {
  /** The DN, for the log. */
  readonly user: string;
  /** Stored values; empty for an unknown user. */
  readonly stored: readonly AttributeValue[];
}

export interface PasswordOptions {
  /** The cost of new hashes, and of the dummy hash; stored hashes have their own. */
  readonly cost?: HashCost | undefined;
  /** The rules for new passwords in clear; a hash is stored as it is. */
  readonly policy?: EnforcedPasswordPolicy | undefined;
}

export class Passwords {
  readonly #random: Random;
  readonly #cost: HashCost;
  readonly #policy: EnforcedPasswordPolicy;
  /** Leaves a processor free, and most threads of the pool that file access shares. */
  readonly #queue: HashingQueue;
  readonly #neverMatches: ThrottledWarning;

  constructor(
    { random, ...ports }: HashingQueuePorts & { readonly random: Random },
    { cost = usualCost, policy = enforcedPolicy(usualPolicy) }: PasswordOptions = {},
  ) {
    this.#random = random;
    this.#cost = cost;
    this.#policy = policy;
    this.#queue = new HashingQueue(Math.max(1, Math.min(3, availableParallelism() - 1)), ports);
    this.#neverMatches = new ThrottledWarning(
      'a stored password never matches: its scheme is not verified here, or it is malformed or asks for too much work; ' +
        'an administrator sets a new password for this user',
      ports,
    );
  }

  /**
   * Returns a value of `userPassword` in stored form: hashed, unless it is a hash.
   * @throws ServiceError `password_refused` by the policy, if it is empty or longer than 1024 bytes, or for a hash that never matches
   */
  async protect(value: AttributeValue): Promise<string> {
    const clear = clearTextPassword(value);
    if (clear !== undefined) return this.hash(clear);
    assertMatchable(passwordText(value));
    return passwordText(value);
  }

  /** {@link protect} for several values. */
  protectAll(values: readonly AttributeValue[]): Promise<string[]> {
    return Promise.all(values.map((value) => this.protect(value)));
  }

  /** Protects all passwords of an entry. */
  protectEntry(attributes: Attributes): Promise<Attributes> {
    return this.#protectedEntry(attributes, (value) => this.protect(value));
  }

  /** {@link protectEntry} without the policy, for imported entries. */
  protectMoved(attributes: Attributes): Promise<Attributes> {
    return this.#protectedEntry(attributes, async (value) => {
      const clear = clearTextPassword(value);
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

  /** Hashes a new password, even if it looks like a hash. @throws as {@link protect} */
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

  /** Counts the hashes of an entry that can never match. */
  neverMatching(attributes: Attributes): number {
    return [...attributes]
      .filter(([name]) => isPassword(name))
      .flatMap(([, values]) => values.map((value) => readStored(String(value))))
      .filter((stored) => stored && !stored.check).length;
  }

  /**
   * Returns whether a password matches a stored value. An argon2 hash is computed in any case, so that the time does not reveal which users
   * exist. The password as typed is tried, too: hashes of other systems may not have the form of RFC 8265.
   * @param requester optional; default: the program itself
   * @throws ServiceError `unavailable` if too many wait, or the client has disconnected
   */
  async verify({ user, stored }: Account, password: string, requester?: Requester): Promise<boolean> {
    if (password === '' || Buffer.byteLength(password) > longestPassword) return false;
    const values = stored.map((value) => readStored(String(value))).filter((value) => value !== undefined);
    const forms = new Set([opaqueString(password), password]);
    const matches = await this.#queue.run(() => this.#matchesOne(values, forms), requester);
    const unmatchable = matches ? undefined : values.find(({ check }) => !check);
    if (unmatchable) this.#neverMatches.note({ user, scheme: unmatchable.scheme });
    return matches;
  }

  /** @param forms the forms of the password to try */
  async #matchesOne(values: readonly StoredPassword[], forms: ReadonlySet<string>): Promise<boolean> {
    const hasArgon2 = values.some(({ isArgon2 }) => isArgon2);
    let isOne = false;
    for (const form of forms) {
      if (!hasArgon2) await dummyCheck(form, this.#cost);
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
