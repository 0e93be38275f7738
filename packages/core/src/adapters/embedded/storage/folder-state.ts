/**
 * What a data folder knows of itself: in which file its database was made, whether it is a copy that `backup` took, and
 * how far a restore of it has come. A copy of the file is another file, made later; so a folder that was put back from
 * one is known, whoever copied it. A file system that does not tell when a file was made tells nothing of this.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFile, lockFile } from './database-file.ts';
import { type Environment, openEnvironment } from './environment.ts';

export interface FolderState {
  /** Stands for the file that servers have worked in. */
  readonly file?: string;
  /** When `backup` took this copy, in milliseconds since 1970; left out: it is no such copy. */
  readonly copied?: number;
  /** A restore that has begun and not ended. */
  readonly restoring?: Restoring;
  /** The last one that has ended. */
  readonly restored?: Restoring;
}

export interface Restoring {
  /** The moment that the folder was as it is; milliseconds since 1970, as the other one. */
  readonly taken: number;
  /** When it began. */
  readonly began: number;
}

/** What a folder that is open knows of itself. */
export interface DataFolder {
  /** As in the configuration. */
  readonly path: string;
  state(): FolderState;
  /** Durable when it resolves. @param next from what is there, within the transaction */
  change(next: (before: FolderState) => FolderState): Promise<void>;
  /** Stands for the file that its database is in; undefined: the file system does not tell. */
  file(): Promise<string | undefined>;
}

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
  const copy = await openEnvironment(folder);
  try {
    await dataFolder(copy, folder).change((before) => ({ ...before, copied: taken }));
  } finally {
    await copy.close();
  }
  await rm(join(folder, lockFile));
}
