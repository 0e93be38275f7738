/**
 * Large changes are made by a process of their own on the same folder, and one transaction there as any: nothing is
 * left to this process but to hand them over, so nobody waits here. It starts with the first of them, and ends when
 * there have been none for a while.
 */
import type { Clock } from '../../../ports/clock.ts';
import type { Order, Place, Update } from '../entries/update.ts';
import { Snapshot } from '../storage/snapshot.ts';
import { isLarge } from './weight.ts';
import { startWriter, type Writer } from './writer.ts';

/** Some 5 ms of a processor of three gigahertz, and at most 15. */
const usual = 64_000;
/** Milliseconds without a large change after which the process ends. */
const idle = 60_000;

export class LargeChanges {
  readonly #place: Place;
  readonly #from: number;
  readonly #clock: Pick<Clock, 'every'>;
  #writer: Promise<Writer> | undefined;
  /** How many are on their way. */
  #underWay = 0;
  #stopWaiting: () => void = () => undefined;
  #ending: Promise<void> = Promise.resolve();

  /** @param options.from how much work a change is that is large, see `weight.ts` */
  constructor(place: Place, { clock, from = usual }: { clock: Pick<Clock, 'every'>; from?: number }) {
    this.#place = place;
    this.#from = from;
    this.#clock = clock;
    place.environment.beforeClose(() => this.#end());
  }

  isLarge(update: Update): boolean {
    const { tables, base } = this.#place;
    return isLarge(new Snapshot(tables, base), update, this.#from);
  }

  /**
   * Durable when it resolves.
   * @throws ServiceError as `makeUpdate`; `unavailable` if it is closed, or the process cannot start or ends meanwhile
   */
  async make(order: Order): Promise<void> {
    this.#place.environment.assertOpen();
    this.#stopWaiting();
    this.#underWay += 1;
    try {
      const writer = await this.#started();
      await writer.make(order);
    } finally {
      this.#place.environment.refresh();
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#stopWaiting = this.#clock.every(idle, () => void this.#end());
    }
  }

  #started(): Promise<Writer> {
    this.#writer ??= this.#start();
    return this.#writer;
  }

  #start(): Promise<Writer> {
    const { environment, base } = this.#place;
    const forget = () => {
      if (this.#writer === started) this.#writer = undefined;
    };
    const started = startWriter({ folder: environment.folder, base, onEnd: forget });
    started.catch(forget);
    return started;
  }

  /** Lets the process end when it has made what it was given. */
  #end(): Promise<void> {
    this.#stopWaiting();
    const writer = this.#writer;
    this.#writer = undefined;
    this.#ending = Promise.all([this.#ending, ended(writer)]).then(() => undefined);
    return this.#ending;
  }
}

async function ended(writer: Promise<Writer> | undefined): Promise<void> {
  // One that did not start has told those who wanted it.
  const started = await writer?.catch(() => undefined);
  await started?.end();
}
