/** The key ring in a file: a base64 key of 32 bytes a line, the one to encrypt with first, `#` for comments. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { StartError } from '@watchword/core/foundation';
import { KeyRing } from '@watchword/core/ports';
import { codeOf, createOnce, whyUnreadable } from './file.ts';
import { systemRandom } from './random.ts';
import { readTextFile } from './text-file.ts';

export interface KeyFileOptions {
  /**
   * False where secrets may be stored already, that a new key could not open: then a key file that is gone is
   * an error. Default true.
   */
  readonly mayCreate?: boolean;
}

/**
 * Reads the key ring; where there is none, one is made with a random key, for the owner only (0600).
 * @throws StartError if it cannot be read or made, others may read it, it is damaged, or gone
 */
export function readKeyRing(path: string, { mayCreate = true }: KeyFileOptions = {}): KeyRing {
  const text = readKeys(path) ?? (mayCreate ? createKeys(path) : refuseGone(path));
  return new KeyRing(parseKeys(text, path), systemRandom);
}

function refuseGone(path: string): never {
  throw new StartError(
    `The key file ${path} is gone, and without it nobody can read the secrets that are stored; restore it from a backup.`,
  );
}

/** Undefined if there is no such file. */
function readKeys(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    refuseReadable(fstatSync(file).mode, path);
    return readTextFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof StartError) throw error;
    throw new StartError(`The key file ${path} cannot be read (${whyUnreadable(error)}).`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Windows has no such modes. */
function refuseReadable(mode: number, path: string): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new StartError(`The key file ${path} can be read by others (mode ${shown}); run: chmod 600 ${path}`);
}

function createKeys(path: string): string {
  const key = Buffer.from(systemRandom.bytes(32)).toString('base64');
  try {
    createOnce(
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
