/**
 * A process for `administration/license/seats.test.ts`: reports when it is ready, activates all given users at once on a message, and
 * sends the outcome of each.
 */
import { once } from 'node:events';
import { openDirectory, openEnvironment, openStore } from '../../../../../embedded/src/index.ts';
import { systemClock, systemRandom } from '../../../../../node/src/machine/index.ts';
import { VerifiedLicense } from '../../../administration/license/license.ts';
import { withLicense } from '../../../administration/license/limits.ts';
import { Domains } from '../../../directory/domain.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { readServiceConfig } from '../../../index.ts';

const [folder = '', base = '', license = '', key = '', ...people] = process.argv.slice(2);
const ports = { clock: systemClock, random: systemRandom };
const environment = await openEnvironment(folder);
const config = readServiceConfig({ domains: { Default: { base } } });
const { service } = withLicense(await openDirectory(environment, { base: Dn.parse(base) }, ports), {
  license: VerifiedLicense.verify({ license, key }),
  domains: new Domains(config),
  schema: config.schema,
  store: openStore(environment, systemClock),
  clock: systemClock,
});
process.send?.('ready');
await once(process, 'message');
const account = { operation: 'add', attribute: 'objectClass', values: ['webadmAccount'] } as const;
const outcomes = people.map(async (dn) => {
  try {
    await service.modify(Dn.parse(dn), [account]);
    return 'activated';
  } catch (error) {
    return error instanceof ServiceError ? error.reason : String(error);
  }
});
process.send?.(await Promise.all(outcomes));
await environment.close();
process.disconnect?.();
