/** What a database knows of itself, in the place of a data folder: how far a restore of it has come. */
import type { DataFolder, FolderState } from '@watchword/core/ports';
import { type Decision, forGood } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';

const name: Name = { key: '=installation:state', lasting: true };

/** @param path what people call the database */
export async function openState(steps: Steps, path: string): Promise<DataFolder> {
  let state = read(await steps.read(name));
  return {
    path,
    state: () => state,
    change: async (next) => {
      state = await steps.change([name], (found): Decision<FolderState> => {
        const result = next(read(found(0)));
        return { result, changes: [[0, forGood(Buffer.from(JSON.stringify(result)))]] };
      });
    },
    // A database that was put back looks like one that failed over. Directories tell: they remember the epoch of the store.
    file: async () => undefined,
    stateOfRun: async () => 'newest',
    beginRun: async () => undefined,
  };
}

const read = (value: Buffer | undefined): FolderState =>
  value === undefined ? {} : JSON.parse(value.toString('utf8'));
