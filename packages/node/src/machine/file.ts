/** Files of the data folder: made whole or not at all, for the owner only; and what went wrong with them. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { NotText } from './text-file.ts';

/**
 * Makes a file, and its folder, unless it is there: of several programs that start at once, the first wins.
 * @returns false if it is there, a link to nothing too
 */
export function createOnce(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
    syncToDisk(dirname(path));
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    unlinkSync(draft);
  }
}

/** Puts a file in the place of another; whoever reads meanwhile reads the one or the other. */
export function replaceFile(path: string, text: string): void {
  renameSync(writeDraft(path, text), path);
  syncToDisk(dirname(path));
}

/** A file of its own: what a process of the same number left behind goes, and a link is not followed. */
function writeDraft(path: string, text: string): string {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

/**
 * Waits until a file, or the names in a folder, are on disk: else a power cut could take a new key away, and leave
 * what was encrypted with it. Windows has no such call for folders.
 */
export function syncToDisk(path: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** `ENOENT` and the like; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const reasons = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is no folder'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
]);

export function whyUnreadable(error: unknown): string {
  if (error instanceof NotText) return error.message;
  const code = codeOf(error) ?? 'unknown reason';
  return reasons.get(code) ?? code;
}

/** Others may read or change it. Windows has no such modes; a file that is not there is another problem. */
export function isOpenToOthers(file: string): boolean {
  return (
    process.platform !== 'win32' && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0
  );
}
