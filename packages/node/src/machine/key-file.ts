/** The key ring in a file: a base64 key of 32 bytes on each line, the encrypting one first; `#` begins a comment. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { StartError } from '@watchword/core/foundation';
import { KeyRing } from '@watchword/core/ports';
import { codeOf, createFileExclusively, whyUnreadable } from './file.ts';
import { systemRandom } from './random.ts';
import { readTextFile } from './text-file.ts';

export interface KeyFileOptions {
  /**
   * False if secrets may exist that a new key could not open: then a missing key file is an error. Default true.
   */
  readonly mayCreate?: boolean;
}

/**
 * Reads the key ring of a file. If there is none, creates one with a random key, for the owner only (0600).
 * @param path the file: a base64 key of 32 bytes a line, the encrypting one first
 * @param options `mayCreate: false` where secrets exist that a new key could not open
 * @returns the ring
 * @throws StartError if the file cannot be read or created, others may read it, or it is damaged or missing
 * @see docs/concepts/stores-and-nodes.md#key-rotation
 * @example
 * ```ts
 * import { readKeyRing } from '@watchword/node';
 *
 * const [id] = readKeyRing('./keys').ids;
 * console.log(readKeyRing('./keys').ids[0] === id); // true
 * ```
 */
export function readKeyRing(path: string, { mayCreate = true }: KeyFileOptions = {}): KeyRing {
  const text = readKeys(path) ?? (mayCreate ? createKeys(path) : refuseMissing(path));
  return new KeyRing(parseKeys(text, path), systemRandom);
}

function refuseMissing(path: string): never {
  throw new StartError(
    `The key file ${path} is gone, and without it nobody can read the secrets that are stored; restore it from a backup.`,
  );
}

/** Returns undefined if there is no file. */
function readKeys(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    refuseShared(fstatSync(file).mode, path);
    return readTextFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof StartError) throw error;
    throw new StartError(`The key file ${path} cannot be read (${whyUnreadable(error)}).`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Refuses a file that others can read. Windows has no such modes. */
function refuseShared(mode: number, path: string): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new StartError(`The key file ${path} can be read by others (mode ${shown}); run: chmod 600 ${path}`);
}

function createKeys(path: string): string {
  const key = Buffer.from(systemRandom.bytes(32)).toString('base64');
  try {
    createFileExclusively(
      path,
      `# Keys that stored secrets are encrypted with: the first encrypts, all decrypt.\n${key}\n`,
    );
  } catch (cause) {
    throw new StartError(`The key file ${path} cannot be created (${whyUnreadable(cause)}).`, { cause });
  }
  return readFileSync(path, 'utf8');
}

function parseKeys(text: string, path: string): Uint8Array[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const keys = lines.filter(({ line }) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0) throw new StartError(`The key file ${path} holds no key; restore it from a backup.`);
  return keys.map(({ line, number }) => {
    if (/^[A-Za-z0-9+/]{43}=$/.test(line)) return Buffer.from(line, 'base64');
    throw new StartError(
      `The key file ${path} is damaged: line ${number} is not a base64 key of 32 bytes; restore it from a backup.`,
    );
  });
}
