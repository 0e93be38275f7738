import { setTimeout } from 'node:timers/promises';
import type { Clock } from '@watchword/core/ports';

/**
 * The clock of this machine.
 * @see docs/guide/operating.md#keep-the-clocks-right
 * @example
 * ```ts
 * import { systemClock } from '@watchword/node';
 *
 * console.log(systemClock.now() > Date.UTC(2026, 0)); // true
 * ```
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => setTimeout(milliseconds),
  every(milliseconds, task) {
    const timer = setInterval(task, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
