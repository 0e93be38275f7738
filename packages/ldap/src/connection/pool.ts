/**
 * The connection pool of an identity. Connections are bound before their first use. After a lost connection all older ones accept no new
 * requests, so that a retry runs on a new one.
 */

import { elapsed, ServiceError, withTimeout } from '@watchword/core/foundation';
import type { ConnectionCounts } from '@watchword/core/ports';
import { type Connection, ConnectionLost } from './connection.ts';

export interface PoolOptions {
  /** Opens a bound connection. */
  open(): Promise<Connection>;
  /** Most connections. */
  readonly size: number;
  /** Most requests in flight on a connection: 1 if a request changes the identity. */
  readonly capacity: number;
  /** The timeout of the wait for a connection in milliseconds. */
  readonly timeout: number;
}

interface Slot {
  readonly epoch: number;
  readonly ready: Promise<Connection>;
  connection?: Connection;
  load: number;
}

interface Waiter {
  /** Milliseconds of {@link elapsed}. */
  readonly deadline: number;
  take(slot: Slot): void;
  fail(error: ServiceError): void;
}

/** Most requests in flight on a connection that still joins a tick batch: requests after a slow one wait. */
const mostBatched = 8;

/** @param done releases the connection, and may be called before the result is complete */
type Work<T> = (connection: Connection, done: () => void) => Promise<T>;

/** The retry after a lost connection: `read` always, `write` only if it never reached the server. */
export type RetryPolicy = 'read' | 'write';

interface Job<T> {
  readonly work: Work<T>;
  readonly retry: RetryPolicy | 'no more';
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #mostBatched: number;
  #slots: Slot[] = [];
  readonly #waiting: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Callers that wait for a connection to open. */
  #opening = 0;
  #epoch = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#mostBatched = Math.min(mostBatched, options.capacity);
  }

  /** Adds a bound connection. */
  adopt(connection: Connection): void {
    const slot: Slot = { epoch: this.#epoch, ready: Promise.resolve(connection), connection, load: 0 };
    this.#attach(slot, connection);
    this.#slots.push(slot);
  }

  /** Runs work on a connection. @throws ServiceError `unavailable` if there is none in time, or it is lost and the work is not retried */
  run<T>(retry: RetryPolicy, work: Work<T>): Promise<T> {
    return this.#attempt({ work, retry });
  }

  counts(): Pick<ConnectionCounts, 'open' | 'inUse' | 'waiting'> {
    const open = this.#slots.filter(({ connection }) => connection);
    const inUse = open.filter(({ load }) => load > 0);
    return { open: open.length, inUse: inUse.length, waiting: this.#waiting.length + this.#opening };
  }

  /** Resolves when the requests in flight are answered, and all connections have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { fail } of this.#waiting.splice(0)) fail(closed());
    clearTimeout(this.#timer);
    const slots = this.#slots;
    this.#slots = [];
    await Promise.all(slots.map(ended));
  }

  /** Runs a job, synchronously if a connection is free. */
  #attempt<T>(job: Job<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closed());
    const free = this.#take();
    if (free?.connection) return this.#use(free, free.connection, job);
    const deadline = elapsed() + this.#options.timeout;
    if (free) return this.#useOnceOpen(free, deadline, job);
    return this.#waitForSlot(deadline).then((slot) =>
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
    return start(job.work, connection, done).then(
      (answer) => {
        done();
        return answer;
      },
      (error: unknown) => {
        if (error instanceof ConnectionLost && slot.epoch === this.#epoch) this.#epoch += 1;
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

  /** Retries or fails a job, after the release of its slot. */
  #afterFailure<T>(error: unknown, { work, retry }: Job<T>): Promise<T> {
    if (!(error instanceof ConnectionLost)) throw error;
    if (retry === 'no more') throw lostAgain(error);
    if (retry === 'write' && error.sent) throw unknownOutcome(error);
    return this.#attempt({ work, retry: 'no more' });
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
  #waitForSlot(deadline: number): Promise<Slot> {
    return new Promise((take, fail) => {
      this.#waiting.push({ deadline, take, fail });
      this.#timer ??= this.#startTimer(this.#options.timeout);
    });
  }

  /** Starts a single timer for all waiters, which are in the order of deadlines. @param milliseconds until the first deadline */
  #startTimer(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#failOverdue(), milliseconds).unref();
  }

  #failOverdue(): void {
    this.#timer = undefined;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const left = first.deadline - elapsed();
      if (left > 0) {
        this.#timer = this.#startTimer(left);
        return;
      }
      this.#waiting.shift();
      first.fail(new ServiceError('unavailable', { detail: this.#late }));
    }
  }

  get #late(): string {
    return `no connection to the directory within ${this.#options.timeout} ms`;
  }

  /** Gives free slots to waiters, in order. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const slot = this.#take();
      if (!slot) return;
      this.#waiting.shift()?.take(slot);
    }
  }

  /** Takes the slot that is about to send, else a new or the least busy one; none if all are full. */
  #take(): Slot | undefined {
    if (this.#closed) return undefined;
    let sending: Slot | undefined;
    let least: Slot | undefined;
    for (const slot of this.#slots) {
      if (this.#isStale(slot)) {
        this.#retireStale();
        return this.#take();
      }
      if (slot.connection?.hasUnsent && slot.load < this.#mostBatched) sending = slot;
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
    slot.ready.then((connection) => this.#attach(slot, connection)).catch(() => this.#drop(slot));
    return slot;
  }

  #attach(slot: Slot, connection: Connection): void {
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

function start<T>(work: Work<T>, connection: Connection, done: () => void): Promise<T> {
  try {
    return work(connection, done);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Ends an idle connection; work of several requests is not interrupted. */
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

function unknownOutcome(cause: ConnectionLost): ServiceError {
  const detail = 'the connection was cut before the directory answered: the change may have been made or not';
  return new ServiceError('unavailable', { detail, cause });
}

function lostAgain(cause: ConnectionLost): ServiceError {
  return new ServiceError('unavailable', { detail: 'the connection to the directory was cut', cause });
}
