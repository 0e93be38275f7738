/**
 * The one LMDB environment in a data folder. The directory, the store and the event log are tables of it, so
 * that writes of all of them that happen at the same time share one transaction and one flush to disk.
 * Several processes may have the same folder open.
 */
import { chmod, mkdir, open as openFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Database,
  type DatabaseOptions,
  type Key,
  open,
  type RootDatabase,
  type Transaction,
} from 'lmdb';
import { ServiceError } from '../../errors.ts';
import { StartError } from '../../start-error.ts';

export type { Database, Key, Transaction };

const dataFile = 'data.mdb';
const lockFile = 'lock.mdb';
const maxTables = 32;

export class Environment {
  readonly #root: RootDatabase;
  #closed = false;

  constructor(root: RootDatabase) {
    this.#root = root;
  }

  /** A table by name, made when it is first opened. */
  table<V, K extends Key>(name: string, options: DatabaseOptions): Database<V, K> {
    return this.#root.openDB<V, K>(name, options);
  }

  /**
   * Runs a change in a write transaction: all of it is stored, or nothing if it throws. Resolves when the
   * transaction is on disk: nobody may be told of a write that a crash could undo.
   * @throws what `change` throws; ServiceError `unavailable` if it cannot be stored.
   */
  async write<T>(change: () => T): Promise<T> {
    this.assertOpen();
    try {
      const result = await this.#root.childTransaction(change);
      await this.#root.flushed;
      return result;
    } catch (error) {
      if (error instanceof ServiceError || error instanceof StartError) throw error;
      throw new ServiceError('unavailable', { detail: 'the database could not be written', cause: error });
    }
  }

  /** A state of all tables that later writes do not change. `done()` gives its pages free. */
  snapshot(): Transaction {
    this.assertOpen();
    return this.#root.useReadTransaction();
  }

  /** @throws ServiceError `unavailable` once it is closed. */
  assertOpen(): void {
    if (this.#closed) throw new ServiceError('unavailable', { detail: 'the database is closed' });
  }

  /** Waits for what is being written, and closes all tables. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#root.flushed;
    await this.#root.close();
  }
}

/**
 * Opens the environment in a folder, making both if need be. The folder is readable by its owner only.
 * @throws StartError if the folder cannot be used or its database is damaged
 */
export async function openEnvironment(folder: string): Promise<Environment> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await assertSound(folder);
    const root = open({ path: folder, noSubdir: false, maxDbs: maxTables });
    await Promise.all([dataFile, lockFile].map((file) => chmod(join(folder, file), 0o600)));
    return new Environment(root);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`The data folder ${folder} cannot be used (${codeOf(cause)}).`, { cause });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'the database cannot be opened';
}

/** Where LMDB's two meta pages keep what {@link assertSound} wants to know. */
const meta = { length: 176, magic: 24, pageSize: 48, lastPage: 144, transaction: 152 };
const magicNumber = 0xbeefc0de;

/**
 * LMDB maps the file and trusts it: the first look at a page that is missing would end the process with
 * SIGBUS. So the file has to be a database, and as long as its newest meta page says, before it is mapped.
 */
async function assertSound(folder: string): Promise<void> {
  const path = join(folder, dataFile);
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size === 0) return;
  const first = await readAt(path, 0);
  const pageSize = first.length < meta.length ? 0 : first.readUInt32LE(meta.pageSize);
  const pages = pageSize === 0 ? [] : [first, await readAt(path, pageSize)];
  const lastPages = pages.filter(isMetaPage).sort(newestFirst).map(lastPageOf);
  const [lastPage] = lastPages;
  if (lastPage === undefined || pages.length !== lastPages.length || size < (lastPage + 1) * pageSize) {
    throw new StartError(
      `The database in the data folder ${folder} is damaged: put a backup in its place, or move it away.`,
    );
  }
}

async function readAt(path: string, position: number): Promise<Buffer> {
  await using file = await openFile(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(meta.length), 0, meta.length, position);
  return buffer.subarray(0, bytesRead);
}

function isMetaPage(page: Buffer): boolean {
  return page.length === meta.length && page.readUInt32LE(meta.magic) === magicNumber;
}

function newestFirst(a: Buffer, b: Buffer): number {
  return Number(b.readBigUInt64LE(meta.transaction) - a.readBigUInt64LE(meta.transaction));
}

function lastPageOf(page: Buffer): number {
  return Number(page.readBigUInt64LE(meta.lastPage));
}
