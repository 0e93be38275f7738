/** Atomic creation and replacement of files for their owner only, and their errors. */
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
 * Creates a file and its folder, unless the file exists. Of concurrent calls one succeeds.
 * @returns false if the file exists, even as a dangling link
 */
export function createFileExclusively(path: string, text: string): boolean {
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

/** Replaces a file atomically. */
export function replaceFile(path: string, text: string): void {
  renameSync(writeDraft(path, text), path);
  syncToDisk(dirname(path));
}

/** Writes a temporary file. Replaces one of a former process with this PID, and follows no link. */
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
 * Flushes a file, or the names of a folder, to disk: a power failure could otherwise lose a new key, and keep data encrypted with it. Windows has
 * no such call for folders.
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

/** Returns the code of a system error (`ENOENT`); undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const reasons = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
]);

export function whyUnreadable(error: unknown): string {
  if (error instanceof NotText) return error.message;
  const code = codeOf(error) ?? 'unknown reason';
  return reasons.get(code) ?? code;
}

/** Returns whether other users may read or change a file; false if it does not exist, and on Windows. */
export function isOpenToOthers(file: string): boolean {
  return (
    process.platform !== 'win32' && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0
  );
}
