/** For `limits/killed.test.ts`: a process that has let in all that a place can have under way, and judges none of them. */
import { systemClock } from '../../../../../node/src/machine/index.ts';
import { atOnePlace, openLimits } from '../limits-ground.ts';

const [folder = ''] = process.argv.slice(2);
const { limits } = await openLimits(folder, systemClock);
process.once('disconnect', () => process.exit()); // the test run is gone
const entered = await Promise.all(atOnePlace.map((one) => limits.admit(one)));
process.send?.(entered.map(({ kind }) => kind));
