/** Wait queues of this process, by key. The waiter at the front tries; the others wait in the order of their ranks. */
import { ServiceError } from '../errors/errors.ts';

interface QueueClock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** Lower ranks come first: by failures, then by refusals. */
export interface Rank {
  readonly failures: number;
  readonly turnedAway: number;
}

/** The result of a try. Milliseconds; those of a pace are waited for in full. */
export type Tried<T> =
  | { readonly entered: T }
  | { readonly over: true }
  | { readonly waitFor: number }
  | { readonly waitForPace: number };

export interface Waiting<T> {
  /** Largest number of waiters after the one at the front. */
  readonly most: number;
  readonly rank: Rank;
  /** The longest wait, in milliseconds. */
  readonly patience: number;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal | undefined;
  /**
   * @param now includes paces that were waited for: a clock that does not move keeps no request waiting for ever
   * @param until the end of the patience
   */
  attempt(now: number, until: number): Promise<Tried<T>>;
}

interface Waiter {
  readonly rank: Rank;
  readonly came: number;
  /** True: the waiter is at the front now. False: the waiter gave way. */
  readonly call: (isFront: boolean) => void;
}

interface Queue {
  readonly waiting: Waiter[];
  /** Lets the waiter at the front try again. */
  wake: () => void;
}

/** Milliseconds. */
export const usualPatience = 10_000;

export class WaitQueues {
  readonly #clock: QueueClock;
  readonly #queues = new Map<string, Queue>();

  constructor(clock: QueueClock) {
    this.#clock = clock;
  }

  /**
   * Waits for the front of a queue, and tries there.
   * @returns undefined where there is no room, or the patience has ended
   * @throws ServiceError `unavailable` when the client has disconnected
   */
  async enter<T>(key: string, waiting: Waiting<T>): Promise<T | undefined> {
    const came = this.#clock.now();
    const queue = this.#queues.get(key);
    if (queue && !(await this.#toFront(queue, waiting, came))) {
      if (waiting.signal?.aborted) throw disconnected();
      return undefined;
    }
    const mine = queue ?? this.#begin(key);
    try {
      return await this.#tryAtFront(mine, waiting, came);
    } finally {
      this.#callNext(key, mine);
    }
  }

  /** The number of waiters in all queues. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Returns whether a key has no waiter, at the front or after it. */
  isFree(key: string): boolean {
    return this.#queues.size === 0 || !this.#queues.has(key);
  }

  /** Lets the waiter at the front try at once: a lock or token may have become free. */
  wake(key: string): void {
    if (this.#queues.size > 0) this.#queues.get(key)?.wake();
  }

  #begin(key: string): Queue {
    const queue: Queue = { waiting: [], wake: () => {} };
    this.#queues.set(key, queue);
    return queue;
  }

  /** A client that disconnects leaves its place to others. */
  #toFront(
    { waiting }: Queue,
    { rank, most, signal }: Pick<Waiting<unknown>, 'rank' | 'most' | 'signal'>,
    came: number,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const call = (isFront: boolean) => {
        signal?.removeEventListener('abort', leave);
        resolve(isFront);
      };
      const mine: Waiter = { rank, came, call };
      const leave = () => {
        waiting.splice(waiting.indexOf(mine), 1);
        call(false);
      };
      signal?.addEventListener('abort', leave);
      waiting.push(mine);
      waiting.sort(byRank);
      if (waiting.length > most) waiting.pop()?.call(false);
    });
  }

  #callNext(key: string, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next) next.call(true);
    else this.#queues.delete(key);
  }

  async #tryAtFront<T>(
    queue: Queue,
    { attempt, patience, signal }: Waiting<T>,
    came: number,
  ): Promise<T | undefined> {
    let paced = 0;
    for (;;) {
      if (signal?.aborted) throw disconnected();
      const now = Math.max(this.#clock.now(), came + paced);
      if (now - came > patience) return undefined;
      const tried = await attempt(now, came + patience);
      if ('entered' in tried) return tried.entered;
      if ('over' in tried) return undefined;
      if ('waitForPace' in tried) {
        paced = now - came + tried.waitForPace;
        await this.#clock.sleep(tried.waitForPace);
      } else await this.#pause(queue, tried.waitFor);
    }
  }

  async #pause(queue: Queue, milliseconds: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      queue.wake = resolve;
    });
    await Promise.race([woken, this.#clock.sleep(milliseconds)]);
  }
}

const disconnected = (): ServiceError =>
  new ServiceError('unavailable', { detail: 'the client has disconnected', retryAfter: 1 });

/** Equal ranks wait in the order of their arrival. */
const byRank = (a: Waiter, b: Waiter): number =>
  a.rank.failures - b.rank.failures || a.rank.turnedAway - b.rank.turnedAway || a.came - b.came;
