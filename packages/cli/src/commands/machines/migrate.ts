/**
 * The command `migrate`: moves the state of a data folder, except the directory, into the database that several machines share. Nothing is
 * interpreted, so used codes stay used. The move is atomic, and afterwards no server opens the folder.
 */

import { StartError } from '@watchword/core/foundation';
import { ringsOfNodes, signOfAge, withInstallationSecret } from '@watchword/core/operator';
import type { DataFolder, Store } from '@watchword/core/ports';
import {
  assertSameAuthority,
  isShared,
  moveInto,
  nameOfKept,
  type SharedConfig,
} from '@watchword/engines/installation';
import { readKeyRing, systemClock, systemRandom } from '@watchword/node';
import type { Command, Task } from '../command.ts';

export const migrate: Command = {
  name: 'migrate',
  does: 'moves all that a data FOLDER keeps into the PostgreSQL database of store',
  operand: 'FOLDER',
  options: {},
  run: async (task) => {
    const { config } = task.readConfiguration(task.config);
    const { operand } = task;
    if (!isShared(config)) throw new StartError('migrate needs a configuration whose store is postgres.');
    if (operand === undefined)
      throw new StartError('migrate needs the data FOLDER that the servers worked in.');
    await moveFolder(operand, task, config);
  },
};

async function moveFolder(path: string, { around }: Task, config: SharedConfig): Promise<void> {
  const embedded = await import('@watchword/embedded/storage');
  if (!(await embedded.holdsDatabase(path))) throw new StartError(`There is no database in ${path}.`);
  await embedded.assertSound(path, { pages: Number.POSITIVE_INFINITY });
  const environment = await embedded.openEnvironment(path);
  try {
    const folder = embedded.dataFolder(environment, path);
    const store = embedded.openStore(environment, systemClock);
    await refuseUnfit(folder, store);
    // They belong together: what is sealed opens in the database as it did in the folder.
    await withInstallationSecret(readKeyRing(config.keys_file, { mayCreate: false }), {
      store,
      random: systemRandom,
    });
    await assertSameAuthority(path, config.ca);
    await whileNobodyWorksIn(folder, store, nameOfKept(config), async () => {
      const taken = await moveInto(config, embedded.readContents(environment, systemClock.now()));
      const { values, entryRecords, certificates, events } = taken;
      around.print(
        `${nameOfKept(config)} has what ${path} kept: ${values} values, ${entryRecords} records of entries, ${certificates} certificates, ${events} events.`,
      );
    });
  } finally {
    await environment.close();
  }
}

/** @throws StartError for one that servers work in, or would not start on */
async function refuseUnfit(folder: DataFolder, store: Store): Promise<void> {
  const sign = folder.state().moved === undefined ? await signOfAge(folder) : undefined;
  if (sign !== undefined) throw new StartError(`${sign}. Close what was used since with "restored" first.`);
  await refuseRunning(store);
}

async function refuseRunning(store: Store): Promise<void> {
  const [running] = await ringsOfNodes(store);
  if (!running) return;
  throw new StartError(
    `${running.node} works in the folder, or has ended in the last minute without saying so; stop all servers first.`,
  );
}

/** The mark comes first: whatever stops when, nobody begins to use codes in the folder that the database has. */
async function whileNobodyWorksIn(
  folder: DataFolder,
  store: Store,
  moved: string,
  work: () => Promise<void>,
): Promise<void> {
  const before = folder.state().moved;
  await folder.change((state) => ({ ...state, moved }));
  try {
    await refuseRunning(store);
    await work();
  } catch (error) {
    if (before === undefined) await folder.change(({ moved: _, ...state }) => state);
    throw error;
  }
}
