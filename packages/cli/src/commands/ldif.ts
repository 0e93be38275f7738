/** The commands `export-ldif` and `import-ldif`: the embedded directory as LDIF, while a server may run. */

import type { ServerConfig } from '@watchword/core';
import { Dn, ServiceError, StartError } from '@watchword/core/foundation';
import { foreignSecrets, secretCollections } from '@watchword/core/operator';
import type { EmbeddedDirectory } from '@watchword/embedded';
import { systemClock, systemRandom } from '@watchword/node';
import type { Command, Task } from './command.ts';
import { type Installation, readEmbedded, refuseEmpty, withInstallation } from './installation.ts';

export const exportLdif: Command = {
  name: 'export-ldif',
  does: 'writes the embedded directory to standard output, for slapadd or import-ldif',
  options: {
    'no-overlays': { says: 'without memberOf and the pwd… attributes, for a slapd without those overlays' },
  },
  run: async (task) => {
    const config = readEmbedded(task, 'Its own tools export it, such as slapcat.');
    await refuseEmpty(config, task);
    const overlays = !task.switches.has('no-overlays');
    await withDirectory(config, async (directory) => {
      for await (const record of directory.exportLdif({ overlays })) await task.streams.write(record);
    });
  },
};

export const importLdif: Command = {
  name: 'import-ldif',
  does: 'adds the entries of an LDIF on standard input to the embedded directory',
  options: {},
  run: async (task) => {
    const config = readEmbedded(task, 'Its own tools import LDIF, such as ldapadd or slapadd.');
    // The key ring is made before the first entry, so that it can be missed later on.
    await withInstallation(config, task, async () => {});
    await withDirectory(config, (directory) => importAll(directory, task));
    await withInstallation(config, task, (installation) => tellForeign(task, installation));
  },
};

/** @throws StartError if none of the secrets that came can be read here */
async function tellForeign({ around }: Task, { config, engines }: Installation): Promise<void> {
  const places = secretCollections({ ...engines, config });
  const foreign = await foreignSecrets(places, { keys: engines.keys, file: config.keys_file });
  if (foreign?.isAll) throw new StartError(`The entries were added. ${foreign.text}.`);
  if (foreign) around.printError(`Warning: ${foreign.text}.`);
}

async function importAll(directory: EmbeddedDirectory, { streams, around }: Task): Promise<void> {
  let [entries, neverMatching] = [0, 0];
  const onNeverMatching = (count: number) => {
    neverMatching = count;
  };
  const onProgress = (count: number) => {
    entries = count;
    around.printError(`${count} entries`);
  };
  try {
    await directory.importLdif(streams.input, { onProgress, onNeverMatching });
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    const kept =
      entries === 0 ? 'Nothing was added.' : `The first ${entries} entries were added; import the rest.`;
    throw new StartError(`${cause.detail ?? cause.message}. ${kept}`, { cause });
  } finally {
    if (neverMatching > 0) around.printError(`Warning: ${sentenceOf(neverMatching)}`);
  }
  if (entries === 0) throw new StartError('There is no entry on standard input.');
}

const sentenceOf = (passwords: number): string =>
  `${passwords} stored ${passwords === 1 ? 'password' : 'passwords'} came in a scheme that is not verified here, or asking for ` +
  'too much work. They are kept and never match: an administrator sets new ones.';

/** The directory alone: LDIF goes out even where the key ring is lost. */
async function withDirectory(
  { data, directory: { base } }: ServerConfig,
  work: (directory: EmbeddedDirectory) => Promise<void>,
): Promise<void> {
  const { openDirectory, openEnvironment } = await import('@watchword/embedded');
  const environment = await openEnvironment(data);
  try {
    const ports = { clock: systemClock, random: systemRandom };
    await work(await openDirectory(environment, { base: Dn.parse(base) }, ports));
  } finally {
    await environment.close();
  }
}
