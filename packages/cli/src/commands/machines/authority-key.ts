/**
 * The command `authority-key`: writes the decrypted key of the certificate authority of a data folder. A move to several machines, or to a
 * configured authority, needs it so that issued certificates stay valid.
 */

import { StartError } from '@watchword/core/foundation';
import { readOwnAuthority } from '@watchword/engines/installation';
import { createFileExclusively, readKeyRing, whyUnreadable } from '@watchword/node';
import type { Command } from '../command.ts';

export const authorityKey: Command = {
  name: 'authority-key',
  does: 'writes the key of the certificate authority that the first start has made into a new FILE, in clear',
  operand: 'FILE',
  options: {},
  run: async ({ config: path, operand: file, readConfiguration, around }) => {
    const { config } = readConfiguration(path);
    const { data, ca, keys_file } = config;
    if (file === undefined) throw new StartError('authority-key needs a FILE to write the key into.');
    if (ca.key !== undefined)
      throw new StartError(
        `This configuration names its authority, whose key is in ${ca.key}. To take along that of another installation, name the configuration of that one.`,
      );
    const { key } = await readOwnAuthority(data, () => readKeyRing(keys_file, { mayCreate: false }));
    if (!written(file, key)) throw new StartError(`${file} is there already; name a new file.`);
    around.print(
      `${file} has the key of the authority of ${data}, in clear: whoever reads it signs as the authority.`,
    );
  },
};

/** Writes a file for its owner only. @returns false if the file exists */
function written(file: string, text: string): boolean {
  try {
    return createFileExclusively(file, text);
  } catch (cause) {
    throw new StartError(`${file} cannot be written (${whyUnreadable(cause)}).`, { cause });
  }
}
