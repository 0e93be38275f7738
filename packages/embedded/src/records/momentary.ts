/**
 * Where the processes of a machine share what is only about the next seconds: who is being judged, and how many
 * failures a place has left. Nothing is flushed to disk: such a file may be broken once the machine has stopped, so it
 * is named after the run of the machine that made it, and another run's is taken away.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@watchword/core/foundation';
import { Entrance } from '../storage/entrance/entrance.ts';
import { openEnvironment } from '../storage/entrance/open-environment.ts';
import type { Environment } from '../storage/environment.ts';

/** As many places as are remembered, and no more: whoever has many addresses must not fill the disk. */
export const mostMomentary = 100_000;

const prefix = 'momentary';

/**
 * @param boot stands for this run of the machine; undefined: it does not tell, and what is kept is flushed
 * @throws StartError if the folder cannot be used, and if what is in it cannot be while other processes use it
 */
export async function openMomentary(data: string, boot: string | undefined): Promise<Environment> {
  const name = boot === undefined ? prefix : `${prefix}-${boot}`;
  const folder = join(data, name);
  const options = { isMomentary: boot !== undefined };
  const there = await readdir(data).catch(() => []);
  const old = there.filter((other) => other.startsWith(prefix) && other !== name);
  await Promise.all(old.map((other) => rm(join(data, other), { recursive: true, force: true })));
  try {
    return await openEnvironment(folder, options);
  } catch (error) {
    if (!(error instanceof StartError) || (await Entrance.mayBeIn(folder))) throw error;
    // Nothing that is worth a start that fails, and nobody goes by it.
    await rm(folder, { recursive: true, force: true });
    return openEnvironment(folder, options);
  }
}
