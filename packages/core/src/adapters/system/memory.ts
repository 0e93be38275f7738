/** Memory of this process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8's own words; without options it collects everything. */
type Collect = (options?: { type: 'minor'; execution: 'sync' }) => void;

/**
 * Gives back what nobody uses any more. It holds the event loop for some tens of milliseconds. What the young generation has
 * grown to is given back where little was made since the collection before.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
  // Pages are given to the system when the next collection begins.
  collect({ type: 'minor', execution: 'sync' });
}

/** Milliseconds between two looks. */
const between = 2000;
/** Microseconds of processor time between two looks that a server spends on nothing but being there. */
const resting = 20_000;
/** Microseconds of work that leave enough behind to be collected. */
const worthwhile = 500_000;
/** Microseconds of work, within which a server starts. */
const start = 4_000_000;
/** Looks without work, behind the start and behind a rush. */
const rests = { afterStart: 2, afterRush: 30 };

/**
 * {@link collectGarbage} when this process has rested for a while after work: a minute, but four seconds after its start. V8
 * collects by itself where memory is asked for; a server that is not asked would keep what its start, or the rush before, has
 * left: more than half of all it has. Where nothing is under way, it also takes from V8 the shapes of objects that its compiled
 * code is made for, and the next rush costs twice as much for a second or two: so it is not done in a pause.
 * @returns ends that
 */
export function collectAtRest(): () => void {
  let looked = process.cpuUsage();
  let worked = looked.user + looked.system;
  let rested = 0;
  const look = () => {
    const { user, system } = process.cpuUsage(looked);
    const isAtRest = user + system < resting;
    rested = isAtRest ? rested + 1 : 0;
    if (!isAtRest) worked += user + system;
    const long = hasJustStarted() ? rests.afterStart : rests.afterRush;
    // Two, as the second one moves together what the first has left here and there.
    if (worked >= worthwhile && rested >= long) collectGarbage();
    if (rested > long) worked = 0;
    looked = process.cpuUsage();
  };
  const timer = setInterval(look, between).unref();
  return () => clearInterval(timer);
}

function hasJustStarted(): boolean {
  const { user, system } = process.cpuUsage();
  return user + system < start;
}
