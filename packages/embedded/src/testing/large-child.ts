/**
 * The child of `large-changes.test.ts`: adds two groups that are large updates, reports the outcomes and closes nothing: open handles must not
 * keep it alive.
 */
import type { ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { openDirectory, openEnvironment } from '../index.ts';
import { attributes, base, named } from './test-directory.ts';

const [folder = '', members = ''] = process.argv.slice(2);
const environment = await openEnvironment(folder);
const directory = await openDirectory(environment, { base }, { clock: systemClock, random: systemRandom });
const { service } = directory;
const groupOf = (count: number) =>
  attributes({
    objectclass: ['groupOfNames'],
    member: Array.from({ length: count }, (_, n) => named(`user ${n}`).toString()),
  });
const make = (name: string, count: number) =>
  service.add(named(name), groupOf(count)).then(
    () => 'made',
    (error: ServiceError) => `${error.reason}: ${error.detail}: ${error.cause}`,
  );

process.send?.(await make('first', 1000));
process.send?.(await make('everybody', Number(members)));
