/** Deadlines of a step, and of all steps of a request. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { elapsed, withTimeout } from '@watchword/core/foundation';
import { OtherVersion, type Patience } from '@watchword/core/ports';

/** The share of the time within which an answered step is not counted, so that a thousand quick steps do not use up the time of a request. */
const uncountedShare = 1 / 8;

/** The pause between two attempts in milliseconds. */
export const retryPause = 50;

/** The time in milliseconds for the comparison of versions of a request that asks the database for nothing else. */
const longestComparison = 500;

/** The end of a step's time, by a monotonic clock. */
export class Deadline {
  readonly #begun = elapsed();
  readonly #end: number;
  readonly #request: Request | undefined;
  #hasEnded = false;

  /** @param milliseconds the time of a step; its request may have less left */
  constructor(milliseconds: number, request?: Request) {
    this.#end = this.#begun + (request?.left ?? milliseconds);
    this.#request = request;
  }

  /** Whether the time is up or the step has ended: a timer may fire some microseconds before the time is up. */
  get isOver(): boolean {
    return this.#hasEnded || this.left === 0;
  }

  /** Milliseconds. */
  get left(): number {
    return Math.max(0, this.#end - elapsed());
  }

  /** Ends the step, and adds its time to what its request has waited. */
  ended(): void {
    this.#hasEnded = true;
    this.#request?.waited(this.#begun, elapsed());
  }
}

/** Returns the deadline that ends last. */
export const latest = (deadlines: readonly Deadline[]): Deadline =>
  deadlines.reduce((last, deadline) => (deadline.left > last.left ? deadline : last));

/** The comparison of a request's version of the run-time configuration with the one in force, by the first steps of the request. */
export class VersionCheck {
  readonly version: string;
  /** The version in force, if it is another one. */
  other: string | undefined;
  isPassed = false;

  constructor(version: string) {
    this.version = version;
  }

  /** Takes the version that the database has. @throws OtherVersion */
  found(version: string): void {
    if (version === this.version) {
      this.isPassed = true;
      return;
    }
    this.other ??= version;
    throw new OtherVersion(version);
  }
}

/** The time that a request has waited for the database. */
class Request {
  readonly #most: number;
  readonly check: VersionCheck | undefined;
  #spent = 0;
  /** The time up to which waiting is counted: concurrent steps count once. */
  #countedTo = 0;
  isOver = false;

  /** @param version of the run-time configuration; left out: it is not compared */
  constructor(most: number, version?: string) {
    this.#most = most;
    this.check = version === undefined ? undefined : new VersionCheck(version);
  }

  get left(): number {
    return Math.max(0, this.#most - this.#spent);
  }

  waited(begun: number, ended: number): void {
    if (ended - begun <= this.#most * uncountedShare) return;
    this.#spent += Math.max(0, ended - Math.max(begun, this.#countedTo));
    this.#countedTo = ended;
  }
}

export class RequestPatience implements Patience {
  readonly #timeout: number;
  readonly #inForce: () => Promise<string>;
  readonly #requests = new AsyncLocalStorage<Request>();

  /**
   * @param timeout milliseconds of a step, and of all steps of a request
   * @param inForce reads the version of the run-time configuration, for requests that make no step
   */
  constructor(timeout: number, inForce: () => Promise<string>) {
    this.#timeout = timeout;
    this.#inForce = inForce;
  }

  during<T>(work: () => Promise<T>, version?: string): Promise<T> {
    return this.#request ? work() : this.#run(work, new Request(this.#timeout, version));
  }

  apart<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(work, new Request(this.#timeout));
  }

  async #run<T>(work: () => Promise<T>, request: Request): Promise<T> {
    const { check } = request;
    try {
      const result = await this.#requests.run(request, work);
      if (!check || (await this.#isPassed(check))) return result;
    } catch (error) {
      if (!check || (await this.#isPassed(check))) throw error;
    } finally {
      request.isOver = true;
    }
    // Whatever the work made of the refusal of its first step: nothing was done.
    throw new OtherVersion(check.other ?? check.version);
  }

  /** Compares the versions after a request that has made no step. A database that does not answer soon changes nothing for it. */
  async #isPassed(check: VersionCheck): Promise<boolean> {
    if (check.isPassed || check.other !== undefined) return check.isPassed;
    const version = await withTimeout(longestComparison, this.#inForce(), 'too late').catch(() => undefined);
    if (version === undefined || version === check.version) return true;
    check.other = version;
    return false;
  }

  /** Runs work outside the time of the current request. */
  detached<T>(work: () => T): T {
    return this.#requests.exit(work);
  }

  /** Returns the deadline of a step that begins now. */
  deadline(): Deadline {
    return new Deadline(this.#timeout, this.#request);
  }

  /** The comparison that the current request has not passed yet. @throws OtherVersion if it has failed */
  get versionCheck(): VersionCheck | undefined {
    const check = this.#request?.check;
    if (check?.other !== undefined) throw new OtherVersion(check.other);
    return check?.isPassed ? undefined : check;
  }

  get #request(): Request | undefined {
    const request = this.#requests.getStore();
    return request?.isOver === false ? request : undefined;
  }
}
