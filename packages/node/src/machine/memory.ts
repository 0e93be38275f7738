/** Garbage collection of an idle process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The `gc` of V8; without options it collects everything. */
type Collect = (options?: { type: 'minor'; execution: 'sync' }) => void;

/** Collects garbage, and returns memory to the system. Blocks the event loop for some tens of milliseconds. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // Compacts the heap: otherwise half of the pages would stay for a few objects each.
  setFlagsFromString('--optimize-for-size');
  collect();
  setFlagsFromString('--no-optimize-for-size');
  // The next collection returns the pages to the system.
  collect({ type: 'minor', execution: 'sync' });
}

/**
 * Turns off the pretenuring of V8, which allocates objects in the old generation where earlier ones survived. Logins end within milliseconds,
 * and their old objects would stay until a full collection.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** The interval of checks in milliseconds. */
const interval = 1000;
/** The limit of an idle process in microseconds of processor time between two checks, with a login now and then. */
const idle = 30_000;
/** Microseconds of processor time that leave enough garbage for a collection. */
const worthwhile = 500_000;
/** The limit of a start in microseconds of processor time. */
const startTime = 4_000_000;
/** Checks without work before a collection, after the start and after a load. */
const rests = { afterStart: 2, afterLoad: 60 };
/** Checks until a second collection: V8 shrinks its young generation after five seconds with few allocations. */
const untilAgain = 6;

/**
 * Collects garbage when the process has been idle for a minute after work, or two seconds after its start. V8 collects on allocation only, so an
 * idle process keeps the garbage of its start or last load. A collection also drops compiled code, which makes the next load more expensive for
 * a second or two, so short pauses cause none.
 * @returns a function that stops the checks
 */
export function collectGarbageWhenIdle(): () => void {
  let lastUsage = process.cpuUsage();
  // A start is always worthwhile.
  let worked = worthwhile;
  let idleChecks = 0;
  /** The second collection is due. */
  let isDue = false;
  const check = () => {
    const { user, system } = process.cpuUsage(lastUsage);
    const isIdle = user + system < idle;
    idleChecks = isIdle ? idleChecks + 1 : 0;
    if (!isIdle) worked += user + system;
    const needed = hasJustStarted() ? rests.afterStart : rests.afterLoad;
    if (idleChecks === needed) {
      if (worked >= worthwhile) {
        collectGarbage();
        isDue = true;
      }
      worked = 0;
    } else if (isDue && idleChecks === needed + untilAgain) {
      collectGarbage();
      isDue = false;
    }
    lastUsage = process.cpuUsage();
  };
  const timer = setInterval(check, interval).unref();
  return () => clearInterval(timer);
}

function hasJustStarted(): boolean {
  const { user, system } = process.cpuUsage();
  return user + system < startTime;
}
