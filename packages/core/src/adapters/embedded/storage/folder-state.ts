/**
 * What a data folder knows of itself: in which file its database was made, whether it is a copy that `backup` took, and
 * how far a restore of it has come. A copy of the file is another file, made later; so a folder that was put back from
 * one is known, whoever copied it. A file system that does not tell when a file was made tells nothing of this.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder, FolderState } from '../../../ports/data-folder.ts';
import { dataFile, lockFile } from './database-file.ts';
import { openEnvironment } from './entrance/open-environment.ts';
import type { Environment } from './environment.ts';

const key = 'state';

export function dataFolder(environment: Environment, path: string): DataFolder {
  const table = environment.table<FolderState, string>('folder', {});
  const state = () => table.get(key) ?? {};
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
  };
}

/** Writes into a copy that nobody has open that it is one. */
export async function markCopy(folder: string, taken: number): Promise<void> {
  const copy = await openEnvironment(folder, { isAlone: true });
  try {
    await dataFolder(copy, folder).change((before) => ({ ...before, copied: taken }));
  } finally {
    await copy.close();
  }
  await rm(join(folder, lockFile));
}
