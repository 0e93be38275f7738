/**
 * Large changes are made by a process of their own on the same folder, and one transaction there as any: nothing is
 * left to this process but to hand them over, so nobody waits here. It starts with the first of them, and ends when
 * there have been none for a while.
 */

import { KeyedMutex, ServiceError } from '@watchword/core/foundation';
import type { Clock } from '@watchword/core/ports';
import type { Order, Place, Update } from '../entries/update.ts';
import { Snapshot } from '../storage/snapshot.ts';
import { isLarge } from './weight.ts';
import { startWriter, type Writer } from './writer.ts';

/** Some 5 ms of a processor of three gigahertz, and at most 15. */
const usual = 64_000;
/** Milliseconds without a large change after which the process ends. */
const idle = 60_000;
/** Milliseconds after a process that did not start until the next one is. */
const pause = 5000;
/** One is made, and so many may wait for it: each is held in memory meanwhile. */
const mostWaiting = 32;

export class LargeChanges {
  readonly #place: Place;
  readonly #from: number;
  readonly #clock: Pick<Clock, 'every'>;
  /** They are made one after the other: each is on disk before the next goes there. */
  readonly #mutex = new KeyedMutex();
  #writer: Promise<Writer> | undefined;
  /** Why the last process did not start, until the next may. */
  #failure: { readonly cause: unknown } | undefined;
  /** How many are on their way. */
  #underWay = 0;
  #stopWaiting: () => void = () => undefined;

  /** @param options.from how much work a change is that is large, see `weight.ts` */
  constructor(place: Place, { clock, from = usual }: { clock: Pick<Clock, 'every'>; from?: number }) {
    this.#place = place;
    this.#from = from;
    this.#clock = clock;
    place.environment.expectLongWrites();
    place.environment.beforeClose(() => this.#end());
  }

  isLarge(update: Update): boolean {
    const { tables, base } = this.#place;
    return isLarge(new Snapshot(tables, base), update, this.#from);
  }

  /**
   * Durable when it resolves.
   * @throws ServiceError as `makeUpdate`; `unavailable` if it is closed, too many wait, or the process cannot start, ends
   * meanwhile or does not answer
   */
  async make(order: Order): Promise<void> {
    this.#place.environment.assertOpen();
    if (this.#underWay > mostWaiting) throw tooMany();
    this.#stopWaiting();
    this.#underWay += 1;
    try {
      await this.#mutex.run('', async () => (await this.#started()).make(order));
    } finally {
      this.#place.environment.refresh();
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#stopWaiting = this.#clock.every(idle, () => void this.#end());
    }
  }

  #started(): Promise<Writer> {
    if (this.#failure) throw notYet(this.#failure.cause);
    this.#writer ??= this.#start();
    return this.#writer;
  }

  #start(): Promise<Writer> {
    const { environment, base } = this.#place;
    const forget = () => {
      if (this.#writer === started) this.#writer = undefined;
    };
    const fail = (cause: unknown) => {
      forget();
      this.#rest(cause);
    };
    const about = { folder: environment.folder, base, clock: this.#clock, onEnd: forget, onFailure: fail };
    const started = startWriter(about);
    started.catch(fail);
    return started;
  }

  /** Starts no process for a while: one after the other that ends at once would take the whole machine. */
  #rest(cause: unknown): void {
    this.#failure = { cause };
    const stop = this.#clock.every(pause, () => {
      stop();
      this.#failure = undefined;
    });
  }

  /** Lets the process end when it has made what it was given. */
  #end(): Promise<void> {
    this.#stopWaiting();
    return this.#mutex.run('', async () => {
      const writer = this.#writer;
      this.#writer = undefined;
      // One that did not start has told those who wanted it.
      const started = await writer?.catch(() => undefined);
      await started?.end();
      if (this.#underWay === 0) this.#stopWaiting();
    });
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('unavailable', {
    detail: `more than ${mostWaiting} large changes wait already`,
    retryAfter: 1,
  });

const notYet = (cause: unknown): ServiceError =>
  new ServiceError('unavailable', {
    detail: 'the process that makes large changes did not start; it is tried again in some seconds',
    cause,
  });
