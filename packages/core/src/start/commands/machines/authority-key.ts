/**
 * `authority-key`: the key of the authority that was made in a data folder, where it stands encrypted. Whoever moves to many machines, or
 * to an authority file of their own, takes it along, so that what was signed stays good.
 */
import { readKeyRing } from '../../../adapters/system/index.ts';
import { StartError } from '../../../errors/start-error.ts';
import { readOwnAuthority } from '../../secrets/authority.ts';
import type { Command } from '../command.ts';

export const authorityKey: Command = {
  name: 'authority-key',
  does: 'prints the key of the certificate authority that the first start has made, in clear',
  options: {},
  run: async ({ config: path, readConfiguration, around }) => {
    const { config } = readConfiguration(path);
    const { data, ca, keys_file } = config;
    if (ca.key !== undefined)
      throw new StartError(`The key of the authority is in ${ca.key}, as ca.key says.`);
    const own = readOwnAuthority(data, () => readKeyRing(keys_file, { mayCreate: false }));
    if (!own) throw new StartError(`No authority was made in ${data} yet; the first start makes it.`);
    around.print(own.key.trim());
  },
};
