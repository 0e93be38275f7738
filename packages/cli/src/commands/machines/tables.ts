/** The command `tables`: creates the tables of the shared database, or upgrades them to this version. */
import { StartError } from '@watchword/core/foundation';
import {
  isShared,
  notOpened,
  optionsOf,
  readNamed,
  type SharedConfig,
} from '@watchword/engines/installation';
import type { Command, Task } from '../command.ts';

export const tables: Command = {
  name: 'tables',
  does: 'makes the tables of the PostgreSQL database, or brings them to this version',
  options: {
    user: { value: 'ROLE', says: 'the role that owns the database; else that of store' },
    'password-file': { value: 'FILE', says: 'file with its password' },
    'dry-run': { says: 'print the statements, and run none' },
  },
  run: async (task) => {
    const { config } = task.readConfiguration(task.config);
    if (!isShared(config))
      throw new StartError('The store is in the data folder, which needs no tables: see the setting store.');
    const { from, to, sql } = await upgradeAs(task, config);
    const { print } = task.around;
    if (from === to) return print(`The tables are those of version ${to} already.`);
    if (task.switches.has('dry-run')) return print(sql);
    print(`The tables were those of version ${from}, and are now those of version ${to}.`);
  },
};

/** The longest statement in milliseconds, an hour: a large table may be rewritten. */
const longest = 3_600_000;

async function upgradeAs({ given, switches }: Task, config: SharedConfig) {
  const { Database, upgrade } = await import('@watchword/postgres');
  const file = given['password-file'];
  const database = new Database({
    ...optionsOf(config.store),
    ...(given.user !== undefined && { user: given.user }),
    ...(file !== undefined && { password: readNamed(file).replace(/\r?\n$/, '') }),
    timeout_ms: longest,
  });
  try {
    return await upgrade(database, { role: config.store.user, isDry: switches.has('dry-run') });
  } catch (error) {
    throw notOpened(config, error);
  } finally {
    await database.close();
  }
}
