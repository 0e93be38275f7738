/** Names in a folder on disk: a database names a run, so its file must not be lost by a power cut that the database survives. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the names in a folder are on disk. Windows has no such call for folders. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
