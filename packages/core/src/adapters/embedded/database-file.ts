/** The file of an LMDB database, looked at before LMDB maps it. */
import { open as openFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../start-error.ts';

export const dataFile = 'data.mdb';
export const lockFile = 'lock.mdb';

/** True if a folder holds a database, whole or damaged. */
export async function holdsDatabase(folder: string): Promise<boolean> {
  return (await sizeOf(join(folder, dataFile))) > 0;
}

/** Where LMDB's two meta pages keep what {@link assertSound} wants to know. */
const meta = { length: 176, magic: 24, pageSize: 48, lastPage: 144, transaction: 152 };
const magicNumber = 0xbeefc0de;

/**
 * LMDB maps the file and trusts it: the first look at a page that is missing would end the process with
 * SIGBUS. So the file has to be a database, and as long as its newest meta page says, before it is mapped.
 * @throws StartError if it is not
 */
export async function assertSound(folder: string): Promise<void> {
  const path = join(folder, dataFile);
  if (!(await holdsDatabase(folder))) return;
  const first = await readAt(path, 0);
  const pageSize = first.length < meta.length ? 0 : first.readUInt32LE(meta.pageSize);
  const pages = pageSize === 0 ? [] : [first, await readAt(path, pageSize)];
  const [newest, ...others] = pages.filter(isMetaPage).sort(newestFirst);
  // The size comes last: another process may be writing, and a file only grows.
  const size = await sizeOf(path);
  if (!newest || others.length === 0 || size < (lastPageOf(newest) + 1) * pageSize) {
    throw new StartError(
      `The database in the data folder ${folder} is damaged: put a backup in its place, or move it away.`,
    );
  }
}

/** 0 if there is no such file. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
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
