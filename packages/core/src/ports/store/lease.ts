/**
 * Leases: a task runs on one node at a time, while it holds a lease in the store. The lease of a dead node ends before those who wait
 * lose patience.
 */
import { ServiceError } from '../../foundation/errors/errors.ts';
import { KeyedMutex } from '../../foundation/runtime/keyed-mutex.ts';
import type { Clock } from '../clock.ts';
import type { Store } from './store.ts';

const leaseSeconds = 20;
/** Milliseconds from the start of a lease in which a task may begin: one that takes no longer than the rest has ended by its end. */
const freshMilliseconds = (leaseSeconds * 1000) / 2;
const patienceMilliseconds = 30_000;
/** Milliseconds after which a lease is seen that another node gave back; those of this node wait for each other. */
const pollMilliseconds = 20;

export interface Lease {
  /** To be called before what must not overlap with the next one's. @throws ServiceError `unavailable` */
  assertFresh(): void;
}

export class Leases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #mutex = new KeyedMutex();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Runs a task when it is the only one with this key.
   * @param key `lease:<what for>`
   * @throws ServiceError `unavailable` if others do not come to an end; what the task throws
   */
  run<T>(key: string, task: (lease: Lease) => Promise<T>): Promise<T> {
    return this.#mutex.run(key, async () => {
      const began = await this.#enter(key);
      try {
        return await task({ assertFresh: () => this.#assertFresh(began) });
      } finally {
        await this.#leave(key, began);
      }
    });
  }

  /** @returns a moment before the lease began, so that it does not end later than we believe */
  async #enter(key: string): Promise<number> {
    const deadline = this.#clock.now() + patienceMilliseconds;
    for (;;) {
      const now = this.#clock.now();
      if ((await this.#store.count(key, { by: 1, limit: 1, seconds: leaseSeconds })) !== undefined)
        return now;
      if (now > deadline) throw busy();
      await this.#clock.sleep(pollMilliseconds);
    }
  }

  /** One that is over may be another's by now. If the store is down it will be over soon: the work is done. */
  async #leave(key: string, began: number): Promise<void> {
    if (this.#clock.now() - began >= leaseSeconds * 1000) return;
    await this.#store.count(key, { by: -1, seconds: leaseSeconds }).catch(() => undefined);
  }

  #assertFresh(began: number): void {
    if (this.#clock.now() - began > freshMilliseconds) throw busy();
  }
}

const busy = (): ServiceError =>
  new ServiceError('unavailable', { detail: 'too many at a time; try again', retryAfter: leaseSeconds });
