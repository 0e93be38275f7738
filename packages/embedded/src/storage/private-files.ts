/** Permissions of the files of a database. */
import { chmod, open as openFile, stat } from 'node:fs/promises';
import { StartError } from '@watchword/core/foundation';

/** Refuses a folder that is writable by all, like /tmp: any user could put links in the place of our files. @throws StartError */
export async function refuseShared(folder: string): Promise<void> {
  if (process.platform === 'win32' || ((await stat(folder)).mode & 0o002) === 0) return;
  throw new StartError(
    `The data folder ${folder} can be changed by everybody; choose a folder of its own, or run: chmod 700 ${folder}`,
  );
}

/**
 * Creates a file for its owner only, or sets its mode: LMDB creates files that others can read, but accepts empty ones. An existing file is not
 * opened, because closing a file releases all locks of the process on it (fcntl(2)), LMDB's too.
 */
export async function makePrivate(path: string): Promise<void> {
  try {
    await (await openFile(path, 'ax', 0o600)).close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await chmod(path, 0o600);
}
