/**
 * The queue of password hashes, which are the most expensive work that any client may cause. A few run at a time. Callers take turns, and known
 * ones come first except in every fourth turn. A request that would wait too long is refused at once.
 */

import { ServiceError } from '@watchword/core/foundation';
import { type Clock, type Log, type Requester, ThrottledWarning } from '@watchword/core/ports';
import { FairQueue, type Waiting } from './fair-queue.ts';

/** Milliseconds. */
const longestWait = 2000;
/** Turns of known callers before an unknown one has a turn. */
const knownTurns = 3;
/** The first estimate of a hash in milliseconds; the weight of a new measure; the most that it counts, in multiples of the average. */
const [firstCost, weight, mostCounted] = [10, 0.2, 4];

export interface HashingQueuePorts {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly log?: Log | undefined;
}

export class HashingQueue {
  readonly #atOnce: number;
  readonly #clock: Pick<Clock, 'now' | 'sleep'>;
  readonly #warning: ThrottledWarning;
  readonly #known = new FairQueue();
  readonly #unknown = new FairQueue();
  /** Requests whose first hash has run: their other hashes are neither refused nor dropped. */
  readonly #begun = new WeakSet<Requester>();
  #running = 0;
  #turnsOfKnown = 0;
  #cost = firstCost;

  constructor(atOnce: number, { clock, log }: HashingQueuePorts) {
    this.#atOnce = atOnce;
    this.#clock = clock;
    this.#warning = new ThrottledWarning(
      'logins are refused, because more passwords wait to be checked than can be in two seconds',
      { clock, log },
    );
  }

  /**
   * Runs a task in its turn.
   * @param requester optional; default: the program itself, which is never refused
   * @throws ServiceError `unavailable` if the wait would be too long, or the client has disconnected
   */
  async run<T>(task: () => Promise<T>, requester?: Requester): Promise<T> {
    await this.#enter(requester);
    if (requester) this.#begun.add(requester);
    const begun = this.#clock.now();
    try {
      return await task();
    } finally {
      this.#measure(this.#clock.now() - begun);
      this.#leave();
    }
  }

  /** Updates the average. Limits the weight of one expensive hash, and ignores a clock that was set back. */
  #measure(spent: number): void {
    const counted = Math.min(Math.max(0, spent), mostCounted * this.#cost + 1);
    this.#cost += weight * (counted - this.#cost);
  }

  #enter(requester: Requester | undefined): Promise<void> | undefined {
    const mayGiveUp = requester !== undefined && !this.#begun.has(requester);
    if (mayGiveUp && requester.signal?.aborted) throw disconnected();
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return undefined;
    }
    this.#dropLate();
    const queue = !requester || requester.isKnown ? this.#known : this.#unknown;
    if (!mayGiveUp)
      return this.#wait(queue, { caller: requester?.caller ?? '', until: Number.POSITIVE_INFINITY });
    this.#assertShort(requester);
    // A running hash may take longer than the longest wait.
    void this.#clock.sleep(longestWait).then(() => this.#dropLate());
    return this.#wait(queue, { ...requester, until: this.#clock.now() + longestWait });
  }

  #wait(
    queue: FairQueue,
    { caller, until, signal }: Pick<Waiting, 'caller' | 'until'> & Pick<Requester, 'signal'>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const settled = () => signal?.removeEventListener('abort', giveUp);
      const start = () => {
        settled();
        resolve();
      };
      const fail = (error: Error) => {
        settled();
        reject(error);
      };
      const waiting: Waiting = { caller, until, start, fail };
      const giveUp = () => {
        queue.leave(waiting);
        fail(disconnected());
      };
      signal?.addEventListener('abort', giveUp);
      queue.join(waiting);
    });
  }

  #assertShort(requester: Requester): void {
    const wait = ((this.#ahead(requester) + 1) * this.#cost) / this.#atOnce;
    if (wait > longestWait) throw this.#tooMany(wait);
  }

  /** Returns the number of requests that come first. */
  #ahead({ caller, isKnown }: Requester): number {
    const [own, other] = isKnown ? [this.#known, this.#unknown] : [this.#unknown, this.#known];
    const ahead = own.ahead(caller);
    const between = isKnown ? Math.floor(ahead / knownTurns) + 1 : (ahead + 1) * knownTurns;
    return ahead + Math.min(other.size, between);
  }

  #leave(): void {
    this.#dropLate();
    const next = this.#next();
    if (next) next.start();
    else this.#running -= 1;
  }

  #next(): Waiting | undefined {
    const isKnown = this.#known.size > 0 && (this.#turnsOfKnown < knownTurns || this.#unknown.size === 0);
    this.#turnsOfKnown = isKnown ? this.#turnsOfKnown + 1 : 0;
    return (isKnown ? this.#known : this.#unknown).next();
  }

  /** Refuses the requests that have waited too long. */
  #dropLate(): void {
    const now = this.#clock.now();
    for (const queue of [this.#known, this.#unknown])
      for (const late of queue.takeLate(now)) late.fail(this.#tooMany(longestWait));
  }

  #tooMany(wait: number): ServiceError {
    this.#warning.note();
    const seconds = Math.ceil(wait / 1000);
    return new ServiceError('unavailable', {
      detail: `too many logins at a time, try again in ${seconds} seconds`,
      retryAfter: seconds,
    });
  }
}

const disconnected = (): ServiceError =>
  new ServiceError('unavailable', { detail: 'the client has disconnected', retryAfter: 1 });
