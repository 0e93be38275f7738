/**
 * Failed attempts are counted by subject (an address, a user), and too many of them block it for a while
 * (concepts.md §7). Parallel requests cannot outrun the count: as many attempts are judged at the same time
 * as failures are left, and the others wait until it is known how those ended. What counts is in the store,
 * so it holds over all nodes.
 */
import { hash } from 'node:crypto';
import type { ServiceConfig } from './config.ts';
import type { Dn } from './directory/dn.ts';
import { ServiceError } from './errors.ts';
import { holderOf } from './network.ts';
import type { Clock } from './ports/clock.ts';
import type { Store } from './ports/store.ts';
import { Queue } from './queue.ts';
import { Turns } from './turns.ts';

/** Somebody whose failures are counted. */
export interface Subject {
  /** `address:192.0.2.1`, `user:uid=…`; any text. */
  readonly key: string;
  /** This many failures within `windowSeconds` … */
  readonly failures: number;
  readonly windowSeconds: number;
  /** … refuse every attempt for this long. */
  readonly blockSeconds: number;
}

/**
 * Whoever's password is tried, wherever it is tried: at a login, or by an administrator who checks it. A way
 * that had a count of its own would be a way around the other.
 */
export function userSubject(user: Dn, { user_failures, user_block_s }: ServiceConfig['limits']): Subject {
  return {
    key: `user:${user.key}`,
    failures: user_failures,
    windowSeconds: user_block_s,
    blockSeconds: user_block_s,
  };
}

/** Ends an attempt: whose failure it was, and whose failures are forgotten by it. */
export type Leave = (ended: {
  readonly failed?: readonly Subject[];
  readonly forgiven?: readonly Subject[];
}) => Promise<void>;

/** How a subject stands. */
export interface Standing {
  /** 0: it is not blocked. */
  readonly blockedSeconds: number;
  /** Within its window. */
  readonly failures: number;
}

/**
 * An address that logins come from, whoever they are for; of IPv6 its network, which one caller has for itself. Those
 * of the Manager are counted apart: what happens at one door keeps nobody out of the other.
 */
export function addressSubject(
  address: string,
  { address_failures, address_window_s, address_block_s }: ServiceConfig['limits'],
  door: 'manager' | 'web',
): Subject {
  return {
    key: `${door}:${holderOf(address)}`,
    failures: address_failures,
    windowSeconds: address_window_s,
    blockSeconds: address_block_s,
  };
}

/**
 * What a node that died had under way is forgotten after this, which is sooner than those who wait lose patience: they
 * come late, but nobody is shut out. Attempts that last longer are not counted any more; their failures are.
 */
const pendingSeconds = 20;

const patienceMilliseconds = 30_000;
/** How soon a place is seen that another node gave free; this node's own are called out at once. */
const pollMilliseconds = 20;
/** Those far behind look less often: thousands who wait must not keep the store busy. */
const longestPollMilliseconds = 1000;

export class Throttle {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #queue = new Queue();
  /** SHA-256 of their keys: an attempt asks for each a dozen times. */
  readonly #digests = new WeakMap<Subject, string>();
  /** Of one user after the other, on this node; what nodes share is guarded by counts and claims. */
  readonly turns = new Turns();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Judges an attempt on behalf of a subject.
   * @param judge undefined stands for a failure
   * @throws ServiceError `too_many_attempts` if the subject is blocked; what `judge` throws counts neither way
   */
  async attempt<T>(subject: Subject, judge: () => Promise<T | undefined>): Promise<T | undefined> {
    const leave = await this.enter([subject]);
    let failed: readonly Subject[] = [];
    try {
      const verdict = await judge();
      if (verdict === undefined) failed = [subject];
      return verdict;
    } finally {
      await leave({ failed });
    }
  }

  /**
   * Waits until an attempt may be judged that concerns several subjects, and takes its place with each of them.
   * They come in the order address, user, token everywhere: two who waited for each other's place would wait
   * for ever.
   * @returns what has to be called once when the attempt has ended
   * @throws ServiceError `too_many_attempts` if one of them is blocked
   */
  async enter(subjects: readonly Subject[]): Promise<Leave> {
    if (!(await this.#enterAtOnce(subjects))) await this.#enterInTurn(subjects);
    return async ({ failed = [], forgiven = [] }) => {
      await Promise.all([
        ...subjects.map((subject) => this.#leave(subject, failed.includes(subject))),
        ...forgiven.map((subject) => this.forgive(subject)),
      ]);
    };
  }

  /** Forgets the failures of a subject that has shown who it is. A block stays: another's failures began it. */
  async forgive(subject: Subject): Promise<void> {
    if ((await this.#count(subject, 'failed', { by: 0 })) > 0)
      await this.#store.remove(this.#storeKey('failed', subject));
  }

  /** Refuses a subject from now on, whatever its failures. */
  async block(subject: Subject, seconds: number): Promise<void> {
    const end = this.#clock.now() + seconds * 1000;
    await this.#store.put(this.#storeKey('blocked', subject), Buffer.from(String(end), 'latin1'), seconds);
  }

  /** Forgets the failures of a subject, and that it is blocked. */
  async reset(subject: Subject): Promise<void> {
    await Promise.all([
      this.#store.remove(this.#storeKey('blocked', subject)),
      this.#store.remove(this.#storeKey('failed', subject)),
    ]);
  }

  async look(subject: Subject): Promise<Standing> {
    const blockedSeconds = this.#secondsLeft(await this.#store.get(this.#storeKey('blocked', subject)));
    return { blockedSeconds, failures: await this.#count(subject, 'failed', { by: 0 }) };
  }

  /** @param block its end, in milliseconds since 1970, as text */
  #secondsLeft(block: Uint8Array | undefined): number {
    const left = block ? Number(Buffer.from(block).toString('latin1')) - this.#clock.now() : 0;
    return Math.max(0, Math.ceil(left / 1000));
  }

  /** True if there was a place with all of them; else it has taken none. */
  async #enterAtOnce(subjects: readonly Subject[]): Promise<boolean> {
    const entries = await Promise.allSettled(subjects.map((subject) => this.#enterUnblocked(subject)));
    if (entries.every((entry) => entry.status === 'fulfilled' && entry.value)) return true;
    const entered = subjects.filter((_, index) => {
      const entry = entries[index];
      return entry?.status === 'fulfilled' && entry.value;
    });
    await Promise.all(entered.map((subject) => this.#leave(subject, false)));
    for (const entry of entries) if (entry.status === 'rejected') throw entry.reason;
    return false;
  }

  async #enterInTurn(subjects: readonly Subject[]): Promise<void> {
    const entered: Subject[] = [];
    try {
      for (const subject of subjects) {
        await this.#admit(subject);
        entered.push(subject);
      }
    } catch (error) {
      await Promise.all(entered.map((subject) => this.#leave(subject, false)));
      throw error;
    }
  }

  async #enterUnblocked(subject: Subject): Promise<boolean> {
    await this.#refuseBlocked(subject);
    return this.#enter(subject);
  }

  async #leave(subject: Subject, failed: boolean): Promise<void> {
    // In this order, and in one commit: who sees the place free sees the failure as well.
    const failing = failed ? this.#fail(subject) : undefined;
    const leaving = this.#count(subject, 'pending', { by: -1 });
    try {
      await Promise.all([failing, leaving]);
    } finally {
      this.#queue.call(subject.key);
    }
  }

  /** Lets the attempt be judged, or tells the next of those who wait that they are refused as well. */
  async #admit(subject: Subject): Promise<void> {
    try {
      await this.#wait(subject);
    } catch (error) {
      this.#queue.call(subject.key);
      throw error;
    }
  }

  /** Waits until the attempt may be judged: those under way and those that failed are fewer than the limit. */
  async #wait(subject: Subject): Promise<void> {
    const deadline = this.#clock.now() + patienceMilliseconds;
    while (!(await this.#enterUnblocked(subject))) {
      if (this.#clock.now() > deadline) throw tooMany(subject.blockSeconds);
      const pause = pollMilliseconds * (1 + this.#queue.length(subject.key));
      const moment = this.#clock.sleep(Math.min(pause, longestPollMilliseconds));
      await this.#queue.wait(subject.key, moment);
    }
  }

  /** Takes a place among those under way if one is free, and looks again: one of them may just have failed. */
  async #enter(subject: Subject): Promise<boolean> {
    const limit = subject.failures - (await this.#count(subject, 'failed', { by: 0 }));
    const pending = await this.#count(subject, 'pending', { by: 1, limit });
    if (pending === none) return false;
    try {
      // First the failures, then the block: whoever resets the failures has set the block before.
      const failed = await this.#count(subject, 'failed', { by: 0 });
      await this.#refuseBlocked(subject);
      if (pending + failed <= subject.failures) return true;
    } catch (error) {
      await this.#count(subject, 'pending', { by: -1 });
      throw error;
    }
    await this.#count(subject, 'pending', { by: -1 });
    return false;
  }

  async #fail(subject: Subject): Promise<void> {
    const { failures, blockSeconds } = subject;
    if ((await this.#count(subject, 'failed', { by: 1 })) < failures) return;
    await this.block(subject, blockSeconds);
    await this.#count(subject, 'failed', { by: -failures });
  }

  async #refuseBlocked(subject: Subject): Promise<void> {
    const left = this.#secondsLeft(await this.#store.get(this.#storeKey('blocked', subject)));
    if (left > 0) throw tooMany(left);
  }

  async #count(
    subject: Subject,
    family: 'pending' | 'failed',
    step: { by: number; limit?: number },
  ): Promise<number> {
    const seconds = family === 'pending' ? pendingSeconds : subject.windowSeconds;
    return (await this.#store.count(this.#storeKey(family, subject), { ...step, seconds })) ?? none;
  }

  /** Hashed, because the key of a user is as long as a DN, and the keys of a store are short. */
  #storeKey(family: string, subject: Subject): string {
    const digest = this.#digests.get(subject) ?? hash('sha256', subject.key);
    this.#digests.set(subject, digest);
    return `${family}:${digest}`;
  }
}

/** A step that would have gone beyond its limit. */
const none = Number.POSITIVE_INFINITY;

function tooMany(seconds: number): ServiceError {
  return new ServiceError('too_many_attempts', {
    detail: `try again in ${seconds} seconds`,
    retryAfter: seconds,
  });
}
