/**
 * What a data folder knows of itself: in which file its database was made, which run of the servers worked in it last, whether it is
 * a copy that `backup` took, and how far a restore of it has come. A copy of the file is another file, made later; so a folder that
 * was put back from one is known, whoever copied it. A file system that does not tell when a file was made tells nothing of this. A
 * copy that was written over the file itself is known by the run, which stands in a file beside it, and by the lock file.
 */
import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder, FolderState } from '../../../ports/data-folder.ts';
import { dataFile } from './database-file.ts';
import type { Environment } from './environment.ts';

const key = 'state';
/** Has the id of the run that began last, and while one begins that of the run before. */
export const runFile = 'run';

export function dataFolder(environment: Environment, path: string): DataFolder {
  const table = tableOf(environment);
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
    isOfOtherRun: () => {
      const { run } = state();
      return run !== undefined && !runsIn(path).includes(run);
    },
    beginRun: async (run) => {
      await environment.write(() => {
        const before = state();
        // A process that ends before the commit leaves a file that has both.
        writeRuns(path, before.run === undefined ? [run] : [before.run, run]);
        table.put(key, { ...before, run });
      });
      await environment.write(() => {
        // Another process may have begun meanwhile.
        if (state().run === run) writeRuns(path, [run]);
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

function runsIn(path: string): readonly string[] {
  try {
    return readFileSync(join(path, runFile), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function writeRuns(path: string, runs: readonly string[]): void {
  const draft = join(path, `${runFile}.new`);
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, runs.join('\n'));
    // Root gives commands beside servers that are another user's.
    if (process.getuid?.() === 0) {
      const { uid, gid } = statSync(path);
      fchownSync(file, uid, gid);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, join(path, runFile));
}
