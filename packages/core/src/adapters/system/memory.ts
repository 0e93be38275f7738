/** Memory of this process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8's own words; without options it collects everything. */
type Collect = (options?: { type: 'minor'; execution: 'sync' }) => void;

/** Gives back what nobody uses any more. It holds the event loop for some tens of milliseconds. */
export function collectGarbage(): void {
  const collect = collector();
  collect();
  collectYoung(collect);
}

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/**
 * What the young generation has grown to is given back where little was made since the collection before; the system gets the
 * pages when the next collection begins.
 */
function collectYoung(collect = collector()): void {
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

/**
 * Collects whenever this process rests after work. V8 collects by itself where memory is asked for; a server that is not asked
 * would keep what its start has left, more than half of all it has, and what its young generation had grown to in a rush. Beyond
 * the start only the young generation is collected: where nothing is under way, a whole collection takes from V8 what it has
 * learned of the shapes of objects, and the next rush costs twice as much for a second or two.
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
    // Two, as the second one moves together what the first has left here and there.
    if (worked >= worthwhile && rested >= 2) (isStart() ? collectGarbage : collectYoung)();
    if (rested >= 3) worked = 0;
    looked = process.cpuUsage();
  };
  const timer = setInterval(look, between).unref();
  return () => clearInterval(timer);
}

function isStart(): boolean {
  const { user, system } = process.cpuUsage();
  return user + system < start;
}
