/**
 * The connections of one identity. Each is opened once for all who wait for it, and is bound before anyone gets
 * it. After a cut, all that were opened before it take no new requests: what failed once is tried again on a
 * connection that is certainly fresh.
 */

import { elapsed, ServiceError, withTimeout } from '@watchword/core/foundation';
import type { ConnectionCounts } from '@watchword/core/ports';
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
  /** Milliseconds of {@link elapsed}. */
  readonly deadline: number;
  take(slot: Slot): void;
  fail(error: ServiceError): void;
}

/**
 * Requests that are asked for in one tick batch go out as one write, as long as their connection has no more than these in flight: what
 * is behind a slow one waits.
 */
const mostTogether = 8;

/** @param done may be called before the result is there: nothing of it is under way any more, and others may have the connection */
type Work<T> = (connection: Connection, done: () => void) => Promise<T>;

/** May it be repeated after a cut: always (it only reads), or only if it never reached the server. */
export type Repeat = 'read' | 'write';

interface Job<T> {
  readonly work: Work<T>;
  /** What is repeated is not repeated again. */
  readonly repeat: Repeat | 'no more';
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #together: number;
  #slots: Slot[] = [];
  readonly #waiting: Waiting[] = [];
  #watch: NodeJS.Timeout | undefined;
  /** How many wait until a connection is open. */
  #opening = 0;
  #epoch = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#together = Math.min(mostTogether, options.capacity);
  }

  /** Takes in a connection that is open and bound already. */
  adopt(connection: Connection): void {
    const slot: Slot = { epoch: this.#epoch, ready: Promise.resolve(connection), connection, load: 0 };
    this.#keep(slot, connection);
    this.#slots.push(slot);
  }

  /** @throws ServiceError `unavailable` if there is no connection in time, or it is cut and not repeated. */
  run<T>(repeat: Repeat, work: Work<T>): Promise<T> {
    return this.#attempt({ work, repeat });
  }

  counts(): Pick<ConnectionCounts, 'open' | 'inUse' | 'waiting'> {
    const open = this.#slots.filter(({ connection }) => connection);
    const inUse = open.filter(({ load }) => load > 0);
    return { open: open.length, inUse: inUse.length, waiting: this.#waiting.length + this.#opening };
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

  /** At once where a connection is free. */
  #attempt<T>(job: Job<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closed());
    const free = this.#take();
    if (free?.connection) return this.#use(free, free.connection, job);
    const deadline = elapsed() + this.#options.timeout;
    if (free) return this.#useOnceOpen(free, deadline, job);
    return this.#turn(deadline).then((slot) =>
      slot.connection ? this.#use(slot, slot.connection, job) : this.#useOnceOpen(slot, deadline, job),
    );
  }

  #use<T>(slot: Slot, connection: Connection, job: Job<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      this.#release(slot);
    };
    return begun(job.work, connection, done).then(
      (answer) => {
        done();
        return answer;
      },
      (error: unknown) => {
        if (error instanceof Cut && slot.epoch === this.#epoch) this.#epoch += 1;
        done();
        return this.#afterFailure(error, job);
      },
    );
  }

  #useOnceOpen<T>(slot: Slot, deadline: number, job: Job<T>): Promise<T> {
    return this.#opened(slot, deadline).then(
      (connection) => this.#use(slot, connection, job),
      (error: unknown) => this.#afterFailure(error, job),
    );
  }

  /** What is done instead, once the slot is given back. */
  #afterFailure<T>(error: unknown, { work, repeat }: Job<T>): Promise<T> {
    if (!(error instanceof Cut)) throw error;
    if (repeat === 'no more') throw cutAgain(error);
    if (repeat === 'write' && error.sent) throw undecided(error);
    return this.#attempt({ work, repeat: 'no more' });
  }

  async #opened(slot: Slot, deadline: number): Promise<Connection> {
    this.#opening += 1;
    try {
      return await withTimeout(deadline - elapsed(), slot.ready, this.#late);
    } catch (error) {
      this.#release(slot);
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  /** Waits until a slot is free. */
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
      const left = first.deadline - elapsed();
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

  /** The slot that is about to send, or that with least to do, or a new one, or none if all are busy. */
  #take(): Slot | undefined {
    if (this.#closed) return undefined;
    let sending: Slot | undefined;
    let least: Slot | undefined;
    for (const slot of this.#slots) {
      if (this.#isStale(slot)) {
        this.#retireStale();
        return this.#take();
      }
      if (slot.connection?.hasUnsent && slot.load < this.#together) sending = slot;
      if (!least || slot.load < least.load) least = slot;
    }
    const isNewDue = least?.load !== 0 && this.#slots.length < this.#options.size;
    const slot = sending ?? (isNewDue ? this.#openSlot() : least);
    if (!slot || slot.load >= this.#options.capacity) return undefined;
    slot.load += 1;
    return slot;
  }

  #isStale({ epoch, connection }: Slot): boolean {
    return epoch < this.#epoch || connection?.usable === false;
  }

  #retireStale(): void {
    const stale = this.#slots.filter((slot) => this.#isStale(slot));
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

function begun<T>(work: Work<T>, connection: Connection, done: () => void): Promise<T> {
  try {
    return work(connection, done);
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
