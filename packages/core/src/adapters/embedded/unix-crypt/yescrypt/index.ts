/** yescrypt (`$y$`), which Debian hashes its passwords with, computed in a thread of its own. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../../errors.ts';
import { encode } from '../base64.ts';
import type { Task } from './key.ts';
import { parseSetting } from './setting.ts';

/**
 * The yescrypt hash of a password with the salt and cost of `stored`; undefined if that is none, or too costly.
 * @throws ServiceError `internal` if no thread can be started.
 */
export async function yescryptCrypt(password: string, stored: string): Promise<string | undefined> {
  const setting = parseSetting(stored);
  if (!setting) return undefined;
  const key = await keyBesideTheLoop({ password, ...setting });
  return stored.slice(0, stored.lastIndexOf('$') + 1) + encode(key);
}

/** A thread for each hash: its memory, up to 64 MiB, is gone with it. */
async function keyBesideTheLoop(task: Task): Promise<Buffer> {
  const { file, storedKey } = await import('./thread.ts');
  // Bundled into one file there is no file for a thread alone: it would start the whole program again.
  if (file === import.meta.url) return storedKey(task);
  const thread = new Worker(new URL(file), { workerData: { yescrypt: task } });
  const ended = await Promise.race([once(thread, 'message'), once(thread, 'exit')]).catch((cause) => [cause]);
  const [key]: unknown[] = ended;
  if (key instanceof Uint8Array) return Buffer.from(key);
  throw new ServiceError('internal', { detail: 'a password hash could not be computed', cause: key });
}
