/**
 * The environment of ephemeral values, which all processes of a machine share: locks and tokens of rate limits. Commits are not flushed, so a
 * restart of the machine may damage the file. It is named after the boot, and files of other boots are removed.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@watchword/core/foundation';
import type { Environment } from '../storage/environment.ts';
import { OpenBarrier } from '../storage/open-barrier/open-barrier.ts';
import { openEnvironment } from '../storage/open-barrier/open-environment.ts';

/** Most ephemeral records: a client with many addresses must not fill the disk. */
export const maxEphemeralRecords = 100_000;

/** The folder has the name of earlier versions, so that processes of both share it. */
const prefix = 'momentary';

/**
 * Opens the ephemeral environment of a data folder.
 * @param data the data folder; the files of other boots in it are removed
 * @param boot identifies the run of the machine; undefined: unknown, and commits are flushed
 * @returns the environment, for `openLedger` and `openStore`
 * @throws StartError if the folder cannot be used, or its database is damaged while other processes have it open
 * @see docs/concepts/stores-and-nodes.md#ephemeral-values
 * @example
 * ```ts
 * import { openEphemeral, openStore } from '@watchword/embedded';
 * import { systemClock } from '@watchword/node';
 *
 * const ephemeral = await openEphemeral('./data', 'this-boot');
 * const store = openStore(ephemeral, systemClock);
 * await store.put('demo:lock', Buffer.from('mine'), 5);
 * console.log(await store.swap('demo:lock', { before: undefined, after: Buffer.from('theirs'), seconds: 5 })); // false
 * await ephemeral.close();
 * ```
 */
export async function openEphemeral(data: string, boot: string | undefined): Promise<Environment> {
  const name = boot === undefined ? prefix : `${prefix}-${boot}`;
  const folder = join(data, name);
  const options = { isEphemeral: boot !== undefined };
  const names = await readdir(data).catch(() => []);
  const old = names.filter((other) => other.startsWith(prefix) && other !== name);
  await Promise.all(old.map((other) => rm(join(data, other), { recursive: true, force: true })));
  try {
    return await openEnvironment(folder, options);
  } catch (error) {
    if (!(error instanceof StartError) || (await OpenBarrier.mayBeOpen(folder))) throw error;
    // No process has it open, and its values are not worth a failed start.
    await rm(folder, { recursive: true, force: true });
    return openEnvironment(folder, options);
  }
}
