/** Who may read and change the files of a database. */
import { chmod, open as openFile, stat } from 'node:fs/promises';
import { StartError } from '../../../errors/start-error.ts';

/** In a folder that everybody may change, like /tmp, anybody could put links in the place of our files. */
export async function refuseShared(folder: string): Promise<void> {
  if (process.platform === 'win32' || ((await stat(folder)).mode & 0o002) === 0) return;
  throw new StartError(
    `The data folder ${folder} can be changed by everybody; choose a folder of its own, or run: chmod 700 ${folder}`,
  );
}

/** LMDB makes its files readable by others; these are there before, and empty ones are new to it. */
export async function makePrivate(path: string): Promise<void> {
  const file = await openFile(path, 'a', 0o600);
  await file.close();
  await chmod(path, 0o600);
}
