/** A process for `limits/killed.test.ts`: admits as many attempts as a source can have, and judges none. */
import { systemClock } from '../../../../../node/src/machine/index.ts';
import { atOnePlace, openLimits } from '../limits-ground.ts';

const [folder = ''] = process.argv.slice(2);
const { limits } = await openLimits(folder, systemClock);
process.once('disconnect', () => process.exit()); // the test run is gone
const entered = await Promise.all(atOnePlace.map((one) => limits.admit(one)));
process.send?.(entered.map(({ kind }) => kind));
