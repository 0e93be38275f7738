/** The child of `large-changes.test.ts`: adds members to a group, one by one and then many at once. */
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { openDirectory, openEnvironment } from '../index.ts';
import { addMembers, base } from './test-directory.ts';

const [folder = '', of = ''] = process.argv.slice(2);
const environment = await openEnvironment(folder);
const ports = { clock: systemClock, random: systemRandom };
const { service } = await openDirectory(environment, { base }, ports);
await addMembers(service, of);
await environment.close();
process.disconnect?.();
