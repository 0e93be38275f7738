/** Memory of this process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8's own words; without options it collects everything. */
type Collect = (options?: { type: 'minor'; execution: 'sync' }) => void;

/** Gives back what nobody uses any more. It holds the event loop for some tens of milliseconds. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // Also what is left here and there is moved together: without it, half of the pages would stay for a few objects each.
  setFlagsFromString('--optimize-for-size');
  collect();
  setFlagsFromString('--no-optimize-for-size');
  // Pages are given to the system when the next collection begins.
  collect({ type: 'minor', execution: 'sync' });
}

/**
 * Tells V8 that nothing is to be born old. It would make what has outlived two collections of the young generation old from the
 * start, wherever the same line makes it anew: a login does, that happened to be under way at both. But each login is over in
 * a few milliseconds, and what is old stays until everything is collected, with all that it names (measured: 5 KB of each).
 */
export function bearYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Milliseconds between two looks. */
const between = 1000;
/** Microseconds of processor time between two looks: a server that rests spends some on being there, or on a login now and then. */
const resting = 30_000;
/** Microseconds of work that leave enough behind to be collected. */
const worthwhile = 500_000;
/** Microseconds of work, within which a server starts. */
const start = 4_000_000;
/** Looks without work, behind the start and behind a rush. */
const rests = { afterStart: 2, afterRush: 60 };
/** Looks until it is done again: V8 gives back what its young generation has grown to when little was made for more than five seconds. */
const untilAgain = 6;

/**
 * {@link collectGarbage} when this process has rested for a while after work: a minute, but two seconds after its start. V8
 * collects by itself where memory is asked for; a server that is not asked would keep what its start, or the rush before, has
 * left: more than half of all it has. Where nothing is under way, it also takes from V8 the shapes of objects that its compiled
 * code is made for, and the next rush costs twice as much for a second or two: so it is not done in a pause.
 * @returns ends that
 */
export function collectAtRest(): () => void {
  let looked = process.cpuUsage();
  // A start always is.
  let worked = worthwhile;
  let rested = 0;
  /** It is to be done again, in the next rest that is long enough for it. */
  let isOwed = false;
  const look = () => {
    const { user, system } = process.cpuUsage(looked);
    const isAtRest = user + system < resting;
    rested = isAtRest ? rested + 1 : 0;
    if (!isAtRest) worked += user + system;
    const long = hasJustStarted() ? rests.afterStart : rests.afterRush;
    if (rested === long) {
      if (worked >= worthwhile) {
        collectGarbage();
        isOwed = true;
      }
      worked = 0;
    } else if (isOwed && rested === long + untilAgain) {
      collectGarbage();
      isOwed = false;
    }
    looked = process.cpuUsage();
  };
  const timer = setInterval(look, between).unref();
  return () => clearInterval(timer);
}

function hasJustStarted(): boolean {
  const { user, system } = process.cpuUsage();
  return user + system < start;
}
