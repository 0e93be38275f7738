/**
 * Passwords are hashed a few at a time: nothing that a stranger may ask for costs more. The others wait in turn, one caller after
 * the other however much each has sent, and those who may be known before strangers, but for every fourth turn. Whoever would
 * wait too long is told so at once, and whoever has gone gives up the place.
 */

import { ServiceError } from '@watchword/core/foundation';
import { type Asker, type Clock, type Log, RareWarning } from '@watchword/core/ports';
import { Lane, type Waiting } from './lane.ts';

/** In milliseconds. */
const longestWait = 2000;
/** Turns of those who are known before a stranger has one. */
const knownTurns = 3;
/** Milliseconds for one, until it is measured; how much a new measure counts; and how many times the usual it counts for at most. */
const [firstCost, weight, dearest] = [10, 0.2, 4];

export interface HashingQueuePorts {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly log?: Log | undefined;
}

export class HashingQueue {
  readonly #atOnce: number;
  readonly #clock: Pick<Clock, 'now' | 'sleep'>;
  readonly #warning: RareWarning;
  readonly #known = new Lane();
  readonly #strangers = new Lane();
  /** Those of whom something has been judged: what is left of their attempt is neither refused nor given up. */
  readonly #begun = new WeakSet<Asker>();
  #running = 0;
  #turnsOfKnown = 0;
  #cost = firstCost;

  constructor(atOnce: number, { clock, log }: HashingQueuePorts) {
    this.#atOnce = atOnce;
    this.#clock = clock;
    this.#warning = new RareWarning(
      'logins are refused, because more passwords wait to be checked than can be in two seconds',
      { clock, log },
    );
  }

  /**
   * Runs a task in its turn. @param asker left out: this program itself, which waits as long as it takes
   * @throws ServiceError `unavailable` if it would wait too long, or whoever asked has gone
   */
  async run<T>(task: () => Promise<T>, asker?: Asker): Promise<T> {
    await this.#enter(asker);
    if (asker) this.#begun.add(asker);
    const begun = this.#clock.now();
    try {
      return await task();
    } finally {
      this.#measure(this.#clock.now() - begun);
      this.#leave();
    }
  }

  /** One hash that somebody made dear is not what the next ones cost, and a clock that was set back measures nothing. */
  #measure(spent: number): void {
    const counted = Math.min(Math.max(0, spent), dearest * this.#cost + 1);
    this.#cost += weight * (counted - this.#cost);
  }

  #enter(asker: Asker | undefined): Promise<void> | undefined {
    const mayGiveUp = asker !== undefined && !this.#begun.has(asker);
    if (mayGiveUp && asker.signal?.aborted) throw gone();
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return undefined;
    }
    this.#dropLate();
    const lane = !asker || asker.isKnown ? this.#known : this.#strangers;
    if (!mayGiveUp) return this.#wait(lane, { caller: asker?.caller ?? '', until: Number.POSITIVE_INFINITY });
    this.#assertShort(asker);
    // Not only when one has ended: it may take longer than all of them can wait.
    void this.#clock.sleep(longestWait).then(() => this.#dropLate());
    return this.#wait(lane, { ...asker, until: this.#clock.now() + longestWait });
  }

  #wait(
    lane: Lane,
    { caller, until, signal }: Pick<Waiting, 'caller' | 'until'> & Pick<Asker, 'signal'>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const settled = () => signal?.removeEventListener('abort', giveUp);
      const call = () => {
        settled();
        resolve();
      };
      const fail = (error: Error) => {
        settled();
        reject(error);
      };
      const waiting: Waiting = { caller, until, call, fail };
      const giveUp = () => {
        lane.leave(waiting);
        fail(gone());
      };
      signal?.addEventListener('abort', giveUp);
      lane.join(waiting);
    });
  }

  #assertShort(asker: Asker): void {
    const wait = ((this.#ahead(asker) + 1) * this.#cost) / this.#atOnce;
    if (wait > longestWait) throw this.#tooMany(wait);
  }

  /** How many will have their turn before it. */
  #ahead({ caller, isKnown }: Asker): number {
    const [own, other] = isKnown ? [this.#known, this.#strangers] : [this.#strangers, this.#known];
    const ahead = own.ahead(caller);
    const between = isKnown ? Math.floor(ahead / knownTurns) + 1 : (ahead + 1) * knownTurns;
    return ahead + Math.min(other.size, between);
  }

  #leave(): void {
    this.#dropLate();
    const next = this.#next();
    if (next) next.call();
    else this.#running -= 1;
  }

  #next(): Waiting | undefined {
    const isKnown = this.#known.size > 0 && (this.#turnsOfKnown < knownTurns || this.#strangers.size === 0);
    this.#turnsOfKnown = isKnown ? this.#turnsOfKnown + 1 : 0;
    return (isKnown ? this.#known : this.#strangers).next();
  }

  /** Others came before them, or one took longer than was thought. */
  #dropLate(): void {
    const now = this.#clock.now();
    for (const lane of [this.#known, this.#strangers])
      for (const late of lane.takeLate(now)) late.fail(this.#tooMany(longestWait));
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

const gone = (): ServiceError =>
  new ServiceError('unavailable', { detail: 'whoever asked has gone', retryAfter: 1 });
