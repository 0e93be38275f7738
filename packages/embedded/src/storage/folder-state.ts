/**
 * The state of a data folder: creation time of the database file, last run of the servers, mark of a backup copy, progress of a restore. A
 * restored folder has a younger file, where the file system records creation times. A copy written over the file itself is recognized by the file
 * of a newer run, and by the lock file.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder, FolderState } from '@watchword/core/ports';
import { dataFile } from './database-file.ts';
import type { Environment } from './environment.ts';
import { RunFiles } from './open-barrier/run-files.ts';

const key = 'state';

export function dataFolder(environment: Environment, path: string): DataFolder {
  const table = tableOf(environment);
  const state = () => table.get(key) ?? {};
  const files = new RunFiles(path);
  return {
    path,
    state: () => {
      environment.assertOpen();
      return state();
    },
    change: async (next) => {
      await environment.write(() => table.put(key, next(state())));
    },
    file: async () => {
      const { birthtimeNs } = await stat(join(path, dataFile), { bigint: true });
      return birthtimeNs > 0n ? String(birthtimeNs) : undefined;
    },
    // Within transactions, which order two processes that begin at a time.
    stateOfRun: () =>
      environment.write(() => {
        const { run } = state();
        return run === undefined ? 'newest' : files.stateOf(run);
      }),
    beginRun: async (run) => {
      await environment.write(() => {
        files.begin(run);
        table.put(key, { ...state(), run });
      });
      await environment.write(() => {
        if (state().run === run) files.keepOnly(run);
      });
    },
  };
}

/** Records that a copy was written over the database file. */
export async function markOverwritten(environment: Environment): Promise<void> {
  const table = tableOf(environment);
  await environment.write(() => table.put(key, { ...table.get(key), turnedBack: true }));
}

const tableOf = (environment: Environment) => environment.table<FolderState, string>('folder', {});
