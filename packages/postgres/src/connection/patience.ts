/** Deadlines: of a step, and of all steps of one request. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { elapsed } from '@watchword/core/foundation';
import type { Patience } from '@watchword/core/ports';

/**
 * A step that is answered in an eighth of the time has not been waited for: a request that looks at the store every second for
 * a minute, or makes a thousand steps, does not use up its time by that.
 */
const notWaitedFor = 1 / 8;

/** Between two tries, in milliseconds. */
export const pause = 50;

/** When the time of a step is over, by a clock that nobody sets. */
export class Deadline {
  readonly #begun = elapsed();
  readonly #end: number;
  readonly #request: Request | undefined;

  /** @param milliseconds for a step; less is left where its request has waited before */
  constructor(milliseconds: number, request?: Request) {
    this.#end = this.#begun + (request?.left ?? milliseconds);
    this.#request = request;
  }

  get isOver(): boolean {
    return this.left === 0;
  }

  /** In milliseconds. */
  get left(): number {
    return Math.max(0, this.#end - elapsed());
  }

  /** Adds the time of this step to what its request has waited. */
  ended(): void {
    this.#request?.waited(this.#begun, elapsed());
  }
}

/** The one of them that ends last. */
export const latest = (deadlines: readonly Deadline[]): Deadline =>
  deadlines.reduce((last, one) => (one.left > last.left ? one : last));

/** Counts how long a request has waited for the database. */
class Request {
  readonly #most: number;
  #spent = 0;
  /** The moment up to which waiting is counted: steps at the same time wait once. */
  #countedTo = 0;
  isOver = false;

  constructor(most: number) {
    this.#most = most;
  }

  get left(): number {
    return Math.max(0, this.#most - this.#spent);
  }

  waited(begun: number, ended: number): void {
    if (ended - begun <= this.#most * notWaitedFor) return;
    this.#spent += Math.max(0, ended - Math.max(begun, this.#countedTo));
    this.#countedTo = ended;
  }
}

export class RequestPatience implements Patience {
  readonly #timeout: number;
  readonly #requests = new AsyncLocalStorage<Request>();

  /** @param timeout of a step, and of all steps of a request; milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return this.#request ? work() : this.apart(work);
  }

  async apart<T>(work: () => Promise<T>): Promise<T> {
    const request = new Request(this.#timeout);
    try {
      return await this.#requests.run(request, work);
    } finally {
      request.isOver = true;
    }
  }

  /** Runs work that no request waits for, or of which each step has its own time. */
  aside<T>(work: () => T): T {
    return this.#requests.exit(work);
  }

  /** The deadline of a step that begins now. */
  deadline(): Deadline {
    return new Deadline(this.#timeout, this.#request);
  }

  get #request(): Request | undefined {
    const request = this.#requests.getStore();
    return request?.isOver === false ? request : undefined;
  }
}
