/** Who may read and change the files of a database. */
import { chmod, open as openFile, stat } from 'node:fs/promises';
import { StartError } from '@watchword/core/foundation';

/** In a folder that everybody may change, like /tmp, anybody could put links in the place of our files. */
export async function refuseShared(folder: string): Promise<void> {
  if (process.platform === 'win32' || ((await stat(folder)).mode & 0o002) === 0) return;
  throw new StartError(
    `The data folder ${folder} can be changed by everybody; choose a folder of its own, or run: chmod 700 ${folder}`,
  );
}

/**
 * LMDB makes its files readable by others; these are there before, and empty ones are new to it. One that is there is not opened: whoever closes
 * a file gives back all locks that the process has on it (fcntl(2)), and LMDB's would be among them.
 */
export async function makePrivate(path: string): Promise<void> {
  try {
    await (await openFile(path, 'ax', 0o600)).close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await chmod(path, 0o600);
}
