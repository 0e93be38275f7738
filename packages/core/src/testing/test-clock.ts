/** A clock that moves only when a test says so. Sleeping takes no time and is recorded. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';

interface Repeated {
  readonly milliseconds: number;
  readonly task: () => void;
  due: number;
}

/**
 * A clock that moves only when a test advances it. Sleeping takes no time and is recorded.
 * @example
 * ```ts
 * import { TestClock } from '@watchword/core/testing';
 *
 * const clock = new TestClock(0);
 * clock.advance(60_000);
 * await clock.sleep(500);
 * console.log(clock.now(), clock.slept); // 60000 [ 500 ]
 * ```
 */
export class TestClock implements Clock {
  /** The sleeps in milliseconds, in order. */
  readonly slept: number[] = [];
  readonly #repeated = new Set<Repeated>();
  #now: number;

  constructor(now = Date.UTC(2026, 10, 20, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.slept.push(milliseconds);
    await nextTurn();
  }

  every(milliseconds: number, task: () => void): () => void {
    const repeated = { milliseconds, task, due: this.#now + milliseconds };
    this.#repeated.add(repeated);
    return () => this.#repeated.delete(repeated);
  }

  /** Returns the number of repeated tasks. */
  get repeating(): number {
    return this.#repeated.size;
  }

  /**
   * Advances the clock by milliseconds; repeated tasks that became due run once. Set back, it leaves the intervals as they are: timers do
   * not know the time.
   */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const repeated of this.#repeated) {
      if (milliseconds < 0) repeated.due += milliseconds;
      if (repeated.due > this.#now) continue;
      repeated.due = this.#now + repeated.milliseconds;
      repeated.task();
    }
  }
}

/** A test clock whose sleepers wake when a test says so. */
export class GatedClock extends TestClock {
  readonly #sleepers: (() => void)[] = [];

  override sleep(milliseconds: number): Promise<void> {
    this.slept.push(milliseconds);
    return new Promise((wake) => this.#sleepers.push(wake));
  }

  wakeAll(): void {
    for (const wake of this.#sleepers.splice(0)) wake();
  }
}
