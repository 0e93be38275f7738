/**
 * The state of a data folder: the file that its database was made in, the run of the servers that worked in it last, whether it is a
 * copy that `backup` took, and the progress of a restore. A copy is another file, made later, and so a folder that was put back from one
 * is recognized, unless the file system does not record when a file was made. A copy that was written over the file itself is recognized
 * by the name of a newer run beside it, and by the lock file.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder, FolderState } from '@watchword/core/ports';
import { dataFile } from './database-file.ts';
import { RunFiles } from './entrance/run-files.ts';
import type { Environment } from './environment.ts';

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
    // Within transactions: of two processes that begin, one comes after the other.
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

/** A copy was put back over the database, in the same file. */
export async function noteTurnedBack(environment: Environment): Promise<void> {
  const table = tableOf(environment);
  await environment.write(() => table.put(key, { ...table.get(key), turnedBack: true }));
}

const tableOf = (environment: Environment) => environment.table<FolderState, string>('folder', {});
