import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes the names of a folder to disk. Windows has no such call for folders. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
