/** A copy of a data folder that says that it is one. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '../database-file.ts';
import { dataFolder } from '../folder-state.ts';
import { openEnvironment } from './open-environment.ts';

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
