/**
 * Returns whether a begin lies in the future by more than the minute that clocks of nodes may differ by: a clock that was ahead has set it.
 * @param begun milliseconds since 1970 @param now milliseconds since 1970
 */
export const isAhead = (begun: number, now: number): boolean => begun - now > 60_000;

/**
 * The port of the time. `systemClock` of `@watchword/node` is that of the machine.
 * @see docs/decisions/0044-ages-are-measured-by-clocks-that-do-not-leap.md
 * @example
 * ```ts
 * import type { Clock } from '@watchword/core';
 * import { systemClock } from '@watchword/node';
 *
 * const late: Clock = { ...systemClock, now: () => systemClock.now() - 60_000 };
 * console.log(late.now() < systemClock.now()); // true
 * ```
 */
export interface Clock {
  /** Returns milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;

  /** Runs a task at intervals, without keeping the process alive. @returns a function that ends it */
  every(milliseconds: number, task: () => void): () => void;
}
