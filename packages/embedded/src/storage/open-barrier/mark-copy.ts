import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '../database-file.ts';
import { dataFolder } from '../folder-state.ts';
import { openEnvironment } from './open-environment.ts';

/** Marks a copy of a data folder as a copy. No process may have it open. */
export async function markCopy(folder: string, taken: number): Promise<void> {
  const copy = await openEnvironment(folder, { isAlone: true });
  try {
    await dataFolder(copy, folder).change((before) => ({ ...before, copied: taken }));
  } finally {
    await copy.close();
  }
  await rm(join(folder, lockFile));
}
