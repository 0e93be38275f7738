/** How the environment of a data folder is opened, beside other processes that have it open or open it, too. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@watchword/core/foundation';
import { open, type RootDatabase } from 'lmdb';
import { assertSound, dataFile, isBehindLock, lockFile } from '../database-file.ts';
import { Environment } from '../environment.ts';
import { noteTurnedBack } from '../folder-state.ts';
import { makePrivate, refuseShared } from '../private-files.ts';
import { assertAddresses, mapSize } from './address-space.ts';
import { Entrance, noEntrance } from './entrance.ts';

const maxTables = 32;
/** Readers of all processes together: searches that pause, exports. LMDB keeps 64 bytes for each. */
const maxReaders = 1024;

/**
 * Opens the environment in a folder, making both if need be: the files are for their owner only, and so is the
 * folder if it is made here.
 * @param isMomentary it holds what is over in seconds, and is worth nothing once the machine has stopped
 * @param isAlone no other process knows of the folder
 * @throws StartError if the folder cannot be used, everybody may change it or its database is damaged
 */
export async function openEnvironment(
  folder: string,
  {
    isMomentary = false,
    isAlone = false,
  }: { readonly isMomentary?: boolean; readonly isAlone?: boolean } = {},
): Promise<Environment> {
  try {
    assertAddresses();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await refuseShared(folder);
    await assertSound(folder);
    for (const file of [dataFile, lockFile]) await makePrivate(join(folder, file));
    if (isAlone)
      return new Environment(openRoot(folder, isMomentary), { folder, isMomentary, entrance: noEntrance });
    // LMDB notes the transaction of the copy when it opens it. No process may have the folder open: closing the lock file releases all
    // locks that the process has on it (fcntl(2)).
    const isBehind = !isMomentary && !(await Entrance.mayBeIn(folder)) && (await isBehindLock(folder));
    const environment = await enter(folder, isMomentary);
    if (isBehind) await closingOnError(environment, () => noteTurnedBack(environment));
    return environment;
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`The data folder ${folder} cannot be used (${codeOf(cause)}).`, { cause });
  }
}

async function closingOnError(environment: Environment, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    await environment.close();
    throw error;
  }
}

async function enter(folder: string, isMomentary: boolean): Promise<Environment> {
  const entrance = await Entrance.make(folder);
  try {
    const root = await entrance.open(() => openRoot(folder, isMomentary));
    await entrance.passed();
    return new Environment(root, { folder, isMomentary, entrance });
  } catch (error) {
    entrance.close();
    throw error;
  }
}

/**
 * With overlapping syncs, or batches for each turn of the event loop, a commit that fails (a full disk) would
 * leave writes without an answer for ever, or end the process with a rejection that nobody can catch. Without
 * them a commit is durable when it resolves, and concurrent writes are one commit all the same.
 */
function openRoot(path: string, noSync: boolean): RootDatabase {
  return open({
    path,
    noSubdir: false,
    maxDbs: maxTables,
    maxReaders,
    mapSize,
    overlappingSync: false,
    eventTurnBatching: false,
    noSync,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'the database cannot be opened';
}
