/**
 * The command `backup`: makes a consistent copy of the data folder while servers may run. The key ring is left out on purpose. The copy is
 * made under another name and renamed last, so that an interrupted one is never taken for whole.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import { nameOfKept } from '@watchword/engines/installation';
import { codeOf, syncToDisk, systemClock, whyUnreadable } from '@watchword/node';
import type { Command } from './command.ts';
import { refuseEmpty } from './installation.ts';

export const backup: Command = {
  name: 'backup',
  does: 'copies the data folder, without the key ring, into a new FOLDER',
  operand: 'FOLDER',
  options: {},
  run: async (task) => {
    const { config } = task.readConfiguration(task.config);
    const { operand } = task;
    if (operand === undefined) throw new StartError('backup needs a FOLDER that is not there yet.');
    if (config.store.type !== 'embedded')
      throw new StartError(
        `${nameOfKept(config)} is copied by the means of PostgreSQL: see docs/guide/more-than-one-machine.md.`,
      );
    await refuseEmpty(config, task);
    await copyData(config, operand);
    task.around.print(
      `${operand} holds a copy of ${config.data}. The key ring is not in it: keep a copy of ${config.keys_file} in another place.`,
    );
  },
};

/** Files of the data folder that cannot be made again, or only with all that depends on them. */
const others = ['ca.pem', 'ca-key.pem', 'tls-key.pem', 'acme-key.pem', 'acme-account.pem', 'quickstart.json'];

/**
 * The database as it is at one moment, whatever is written meanwhile, and the files beside it; not the key ring.
 * @throws StartError if the target is there, or cannot be written
 */
async function copyData({ data }: Pick<ServerConfig, 'data'>, target: string): Promise<void> {
  const { markCopy, openEnvironment } = await import('@watchword/embedded');
  const place = resolve(target);
  if (existsSync(place)) throw new StartError(`${target} is there already; name a folder that is not.`);
  const draft = join(dirname(place), `.${basename(place)}.${process.pid}`);
  const environment = await openEnvironment(data);
  try {
    mkdirSync(draft, { mode: 0o700 });
    const taken = systemClock.now();
    await environment.copy(draft);
    await markCopy(draft, taken);
    for (const name of others.filter((file) => existsSync(join(data, file)))) {
      copyFileSync(join(data, name), join(draft, name));
      syncToDisk(join(draft, name));
    }
    syncToDisk(draft);
    renameSync(draft, place);
    syncToDisk(dirname(place));
  } catch (cause) {
    if (existsSync(draft)) rmSync(draft, { recursive: true });
    if (cause instanceof StartError) throw cause;
    throw new StartError(`${target} cannot be written (${reasonOf(cause)}).`, { cause });
  } finally {
    await environment.close();
  }
}

/** LMDB tells it in words. */
const reasonOf = (error: unknown): string =>
  codeOf(error) === undefined && error instanceof Error ? error.message : whyUnreadable(error);
