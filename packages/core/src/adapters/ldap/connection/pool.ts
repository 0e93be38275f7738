/**
 * The connections of one identity. Each is opened once for all who wait for it, and is bound before anyone gets
 * it. After a cut, all that were opened before it take no new requests: what failed once is tried again on a
 * connection that is certainly fresh.
 */

import { within } from '../../../concurrency/within.ts';
import type { ConnectionCounts } from '../../../directory/directory.ts';
import { ServiceError } from '../../../errors/errors.ts';
import { type Connection, Cut } from './connection.ts';

export interface PoolOptions {
  /** Connects and binds. */
  open(): Promise<Connection>;
  /** Connections at most. */
  readonly size: number;
  /** Requests in flight at most on each: 1 where a request changes who is bound. */
  readonly capacity: number;
  /** Milliseconds to wait for a connection. */
  readonly timeout: number;
}

interface Slot {
  readonly epoch: number;
  readonly ready: Promise<Connection>;
  connection?: Connection;
  load: number;
}

/** Whoever waits for a slot. */
interface Waiting {
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  take(slot: Slot): void;
  fail(error: ServiceError): void;
}

type Work<T> = (connection: Connection) => Promise<T>;
type Failed<T> = (error: unknown) => Promise<T>;

/** May it be repeated after a cut: always (it only reads), or only if it never reached the server. */
export type Repeat = 'read' | 'write';

export class Pool {
  readonly #options: PoolOptions;
  #slots: Slot[] = [];
  readonly #waiting: Waiting[] = [];
  #watch: NodeJS.Timeout | undefined;
  /** How many wait for a connection. */
  #queued = 0;
  #epoch = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Takes in a connection that is open and bound already. */
  adopt(connection: Connection): void {
    const slot: Slot = { epoch: this.#epoch, ready: Promise.resolve(connection), connection, load: 0 };
    this.#keep(slot, connection);
    this.#slots.push(slot);
  }

  /** @throws ServiceError `unavailable` if there is no connection in time, or it is cut and not repeated. */
  run<T>(repeat: Repeat, work: Work<T>): Promise<T> {
    return this.#attempt(work, (error) => {
      if (!(error instanceof Cut)) throw error;
      if (repeat === 'write' && error.sent) throw undecided(error);
      return this.#attempt(work, (again) => {
        throw again instanceof Cut ? cutAgain(again) : again;
      });
    });
  }

  counts(): Pick<ConnectionCounts, 'open' | 'inUse' | 'waiting'> {
    const open = this.#slots.filter(({ connection }) => connection);
    const inUse = open.filter(({ load }) => load > 0);
    return { open: open.length, inUse: inUse.length, waiting: this.#queued };
  }

  /** Requests in flight are still answered; resolves when the last connection has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { fail } of this.#waiting.splice(0)) fail(closed());
    clearTimeout(this.#watch);
    const slots = this.#slots;
    this.#slots = [];
    await Promise.all(slots.map(ended));
  }

  /** At once where a connection is free. @param failed what is done instead where it fails, once the slot is given back */
  #attempt<T>(work: Work<T>, failed: Failed<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closed());
    const free = this.#take();
    if (free?.connection) return this.#use(free, free.connection, work, failed);
    return this.#acquire(free).then(
      (slot) =>
        slot.connection
          ? this.#use(slot, slot.connection, work, failed)
          : slot.ready.then((connection) => this.#use(slot, connection, work, failed)),
      failed,
    );
  }

  #use<T>(slot: Slot, connection: Connection, work: Work<T>, failed: Failed<T>): Promise<T> {
    return promised(() => work(connection)).then(
      (answer) => {
        this.#release(slot);
        return answer;
      },
      (error: unknown) => {
        if (error instanceof Cut && slot.epoch === this.#epoch) this.#epoch += 1;
        this.#release(slot);
        return failed(error);
      },
    );
  }

  /** Waits for a turn if there is none, and for the connection to be open. @param free taken already */
  async #acquire(free: Slot | undefined): Promise<Slot> {
    const { timeout } = this.#options;
    const deadline = performance.now() + timeout;
    this.#queued += 1;
    try {
      const slot = free ?? (await this.#turn(deadline));
      if (!slot.connection) await this.#opened(slot, deadline);
      return slot;
    } finally {
      this.#queued -= 1;
    }
  }

  async #opened(slot: Slot, deadline: number): Promise<void> {
    try {
      await within(deadline - performance.now(), slot.ready, this.#late);
    } catch (error) {
      this.#release(slot);
      throw error;
    }
  }

  #turn(deadline: number): Promise<Slot> {
    return new Promise((take, fail) => {
      this.#waiting.push({ deadline, take, fail });
      this.#watch ??= this.#watchFor(this.#options.timeout);
    });
  }

  /** One for all who wait, who came in the order of their deadlines. @param milliseconds until the first one may be over */
  #watchFor(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#giveUpLate(), milliseconds).unref();
  }

  #giveUpLate(): void {
    this.#watch = undefined;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const left = first.deadline - performance.now();
      if (left > 0) {
        this.#watch = this.#watchFor(left);
        return;
      }
      this.#waiting.shift();
      first.fail(new ServiceError('unavailable', { detail: this.#late }));
    }
  }

  get #late(): string {
    return `no connection to the directory within ${this.#options.timeout} ms`;
  }

  /** Slots that are free go to those who wait, in the order in which they came. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const slot = this.#take();
      if (!slot) return;
      this.#waiting.shift()?.take(slot);
    }
  }

  /** The slot with least to do, or a new one, or none if all are busy. */
  #take(): Slot | undefined {
    if (this.#closed) return undefined;
    this.#retireStale();
    let least: Slot | undefined;
    for (const slot of this.#slots) if (!least || slot.load < least.load) least = slot;
    const slot = least?.load !== 0 && this.#slots.length < this.#options.size ? this.#openSlot() : least;
    if (!slot || slot.load >= this.#options.capacity) return undefined;
    slot.load += 1;
    return slot;
  }

  #retireStale(): void {
    const isStale = (slot: Slot) => slot.epoch < this.#epoch || slot.connection?.usable === false;
    if (!this.#slots.some(isStale)) return;
    const stale = this.#slots.filter(isStale);
    this.#slots = this.#slots.filter((slot) => !stale.includes(slot));
    for (const slot of stale) retireIfIdle(slot);
  }

  #openSlot(): Slot {
    const slot: Slot = { epoch: this.#epoch, ready: this.#options.open(), load: 0 };
    this.#slots.push(slot);
    slot.ready.then((connection) => this.#keep(slot, connection)).catch(() => this.#drop(slot));
    return slot;
  }

  #keep(slot: Slot, connection: Connection): void {
    slot.connection = connection;
    connection.closed.then(() => this.#drop(slot));
  }

  #drop(slot: Slot): void {
    this.#slots = this.#slots.filter((other) => other !== slot);
    this.#serve();
  }

  #release(slot: Slot): void {
    slot.load -= 1;
    if (!this.#slots.includes(slot)) retireIfIdle(slot);
    this.#serve();
  }
}

function promised<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Work that takes several requests is not cut between them. */
function retireIfIdle(slot: Slot): void {
  if (slot.load === 0) slot.connection?.retire();
}

async function ended(slot: Slot): Promise<void> {
  retireIfIdle(slot);
  const connection = await slot.ready.catch(() => undefined);
  retireIfIdle(slot);
  await connection?.closed;
}

const closed = (): ServiceError =>
  new ServiceError('unavailable', { detail: 'the connection to the directory is closed' });

function undecided(cause: Cut): ServiceError {
  const detail = 'the connection was cut before the directory answered: the change may have been made or not';
  return new ServiceError('unavailable', { detail, cause });
}

function cutAgain(cause: Cut): ServiceError {
  return new ServiceError('unavailable', { detail: 'the connection to the directory was cut', cause });
}
