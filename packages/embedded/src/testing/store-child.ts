/** The child of `store.test.ts`: counts in a store, and reports the results. */
import { systemClock } from '../../../node/src/machine/index.ts';
import { openEnvironment, openStore } from '../index.ts';

const [folder = '', times = '0'] = process.argv.slice(2);
const environment = await openEnvironment(folder);
const store = openStore(environment, systemClock);
const steps = Array.from({ length: Number(times) }, () =>
  store.count('count:processes', { by: 1, seconds: 3600 }),
);
process.send?.(await Promise.all(steps));
await environment.close();
process.disconnect?.();
