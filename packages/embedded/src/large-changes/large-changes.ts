/**
 * Large updates, which a writer process makes, so that they do not block the event loop. The process starts with the first one, and ends when it
 * has been idle for a while.
 */

import { KeyedMutex, ServiceError } from '@watchword/core/foundation';
import type { Clock } from '@watchword/core/ports';
import type { DirectoryTables, Update, UpdateRequest } from '../entries/update.ts';
import { Snapshot } from '../storage/snapshot.ts';
import { isLarge } from './weight.ts';
import { startWriter, type Writer } from './writer.ts';

/** A cost, see `weight.ts`: some 5 ms of a processor of three gigahertz, and at most 15. */
const defaultLimit = 64_000;
/** The idle time in milliseconds after which the writer process ends. */
const idle = 60_000;
/** The pause in milliseconds after a writer process that did not start. */
const pause = 5000;
/** Most updates that wait, as each is held in memory. */
const mostWaiting = 32;

export class LargeChanges {
  readonly #directory: DirectoryTables;
  readonly #from: number;
  readonly #clock: Pick<Clock, 'every'>;
  /** Serializes the updates: each is durable before the next is sent. */
  readonly #mutex = new KeyedMutex();
  #writer: Promise<Writer> | undefined;
  /** The error of the last start, until the next one may be tried. */
  #failure: { readonly cause: unknown } | undefined;
  #underWay = 0;
  #stopWaiting: () => void = () => undefined;

  /** @param options.from the cost of a large update, see `weight.ts` */
  constructor(
    directory: DirectoryTables,
    { clock, from = defaultLimit }: { clock: Pick<Clock, 'every'>; from?: number },
  ) {
    this.#directory = directory;
    this.#from = from;
    this.#clock = clock;
    directory.environment.expectLongWrites();
    directory.environment.beforeClose(() => this.#end());
  }

  isLarge(update: Update): boolean {
    const { tables, base } = this.#directory;
    return isLarge(new Snapshot(tables, base), update, this.#from);
  }

  /**
   * Resolves when the update is durable.
   * @throws ServiceError as `makeUpdate`; `unavailable` if the environment is closed, too many updates wait, or the process does not start, ends or
   *   does not answer
   */
  async make(request: UpdateRequest): Promise<void> {
    this.#directory.environment.assertOpen();
    if (this.#underWay > mostWaiting) throw tooMany();
    this.#stopWaiting();
    this.#underWay += 1;
    try {
      await this.#mutex.run('', async () => (await this.#started()).make(request));
    } finally {
      this.#directory.environment.refresh();
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
    const { environment, base } = this.#directory;
    const forget = () => {
      if (this.#writer === started) this.#writer = undefined;
    };
    const fail = (cause: unknown) => {
      forget();
      this.#backOff(cause);
    };
    const about = { folder: environment.folder, base, clock: this.#clock, onEnd: forget, onFailure: fail };
    const started = startWriter(about);
    started.catch(fail);
    return started;
  }

  /** Delays the next start: processes that end at once would otherwise be started in a loop. */
  #backOff(cause: unknown): void {
    this.#failure = { cause };
    const stop = this.#clock.every(pause, () => {
      stop();
      this.#failure = undefined;
    });
  }

  /** Ends the process after the updates under way. */
  #end(): Promise<void> {
    this.#stopWaiting();
    return this.#mutex.run('', async () => {
      const writer = this.#writer;
      this.#writer = undefined;
      // Callers have got the error of a failed start.
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
