/** Opening of the environment of a data folder that several processes share. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@watchword/core/foundation';
import { open, type RootDatabase } from 'lmdb';
import { assertSound, dataFile, isOlderThanLock, lockFile } from '../database-file.ts';
import { Environment } from '../environment.ts';
import { markOverwritten } from '../folder-state.ts';
import { makePrivate, refuseShared } from '../private-files.ts';
import { assertAddresses, mapSize } from './address-space.ts';
import { noBarrier, OpenBarrier } from './open-barrier.ts';

const maxTables = 32;
/** Readers of all processes: searches that pause, exports. A reader takes 64 bytes. */
const maxReaders = 1024;

/**
 * Opens the environment in a folder, and creates either if it does not exist.
 * Files, and a folder created here, are for their owner only.
 * @param folder the folder, which several processes of a machine may open
 * @param options `isEphemeral`: commits are not flushed, as the values need not survive a crash.
 *   `isAlone`: no other process knows the folder
 * @returns the environment, for the engines of this package
 * @throws StartError if the folder cannot be used, or is writable by all, or its database is damaged
 * @see docs/concepts/stores-and-nodes.md#embedded-store
 * @example
 * ```ts
 * import { openEnvironment, openStore } from '@watchword/embedded';
 * import { systemClock } from '@watchword/node';
 *
 * const environment = await openEnvironment('./data');
 * const store = openStore(environment, systemClock);
 * console.log(await store.claim('demo:code', 7, 60)); // true
 * console.log(await store.claim('demo:code', 7, 60)); // false
 * await environment.close();
 * ```
 */
export async function openEnvironment(
  folder: string,
  {
    isEphemeral = false,
    isAlone = false,
  }: { readonly isEphemeral?: boolean; readonly isAlone?: boolean } = {},
): Promise<Environment> {
  try {
    assertAddresses();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await refuseShared(folder);
    await assertSound(folder);
    for (const file of [dataFile, lockFile]) await makePrivate(join(folder, file));
    if (isAlone)
      return new Environment(openRoot(folder, isEphemeral), { folder, isEphemeral, barrier: noBarrier });
    // LMDB records the transaction of the copy when it opens it. No process may have the folder open: closing the lock file releases all
    // locks that the process has on it (fcntl(2)).
    const isOverwritten =
      !isEphemeral && !(await OpenBarrier.mayBeOpen(folder)) && (await isOlderThanLock(folder));
    const environment = await enter(folder, isEphemeral);
    if (isOverwritten) await closingOnError(environment, () => markOverwritten(environment));
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

async function enter(folder: string, isEphemeral: boolean): Promise<Environment> {
  const barrier = await OpenBarrier.join(folder);
  try {
    const root = await barrier.open(() => openRoot(folder, isEphemeral));
    await barrier.resumed();
    return new Environment(root, { folder, isEphemeral, barrier });
  } catch (error) {
    barrier.close();
    throw error;
  }
}

/**
 * Opens LMDB without overlapping syncs and batches per turn. With either, a failed commit (a full disk) would leave writes unanswered, or end the
 * process. A commit is durable when it resolves.
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
