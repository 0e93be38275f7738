/** The state of a database, in place of that of a data folder: the progress of a restore. */
import type { DataFolder, FolderState } from '@watchword/core/ports';
import { type Decision, permanent } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';

const name: Name = { key: '=installation:state', lasting: true };

/** @param path the name of the database in messages */
export async function openState(steps: Steps, path: string): Promise<DataFolder> {
  let state = read(await steps.read(name));
  return {
    path,
    state: () => state,
    change: async (next) => {
      state = await steps.change([name], (found): Decision<FolderState> => {
        const result = next(read(found(0)));
        return { result, changes: [[0, permanent(Buffer.from(JSON.stringify(result)))]] };
      });
    },
    // A restored database looks like one after a failover. Directories detect it by the epoch of the store.
    file: async () => undefined,
    stateOfRun: async () => 'newest',
    beginRun: async () => undefined,
  };
}

const read = (value: Buffer | undefined): FolderState =>
  value === undefined ? {} : JSON.parse(value.toString('utf8'));
