import { setTimeout } from 'node:timers/promises';
import type { Clock } from '@watchword/core/ports';

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => setTimeout(milliseconds),
  every(milliseconds, task) {
    const timer = setInterval(task, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
