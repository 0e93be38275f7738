/** The file of an LMDB database, looked at before LMDB maps it. */
import { open as openFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '@watchword/core/foundation';
import { type Meta, magicNumber, newestOf, readMeta } from './database-meta.ts';
import { findBrokenPage } from './database-pages.ts';

export const dataFile = 'data.mdb';
export const lockFile = 'lock.mdb';

/** True if a folder holds a database, whole or damaged. */
export async function holdsDatabase(folder: string): Promise<boolean> {
  return (await sizeOf(join(folder, dataFile))) !== 0 || (await isEmptied(folder));
}

/** How thoroughly a database is looked at. */
export interface Look {
  /** Pages that are read, from the roots on; left out: some 20 MB, which a start is not held up by. */
  readonly pages?: number;
}

const soonRead = 5000;

/**
 * LMDB maps the file and trusts it: a page that is missing would end the process with SIGBUS, and one that is not what
 * it should be might end it in any way, or answer something else. So the file has to be a database, as long as its
 * newest meta page says, and its pages have to be those that lead to each other. What stands in a value nobody can
 * judge.
 * @throws StartError if it is not
 */
export async function assertSound(folder: string, look: Look = {}): Promise<void> {
  if ((await sizeOf(join(folder, dataFile))) === 0) {
    if (await isEmptied(folder)) throw damaged(folder, 'empty, and was not');
    return;
  }
  const problem = await lastingProblem(() => lookAt(folder, look));
  if (problem !== undefined) throw damaged(folder, problem);
}

/**
 * What is wrong with a file that somebody may be writing to: between two reads of one look its beginnings and its pages
 * may be of different commits. So a problem counts when nothing was committed from one look to the next.
 * @returns undefined if nothing is
 */
export async function lastingProblem(look: () => Promise<Looked>): Promise<string | undefined> {
  for (let before: string | undefined; ; ) {
    const { problem, commits } = await look();
    if (problem === undefined || commits === before) return problem;
    before = commits;
  }
}

const damaged = (folder: string, how: string): StartError =>
  new StartError(
    `The database in the data folder ${folder} is damaged (${how}): put a backup in its place, or move it away.`,
  );

/** 0 if it is empty, or not there. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** LMDB writes the other file first, and then at once this one: how often it is looked whether it does. */
const looksAtNew = 40;
const pauseMilliseconds = 50;

/** The file is there without anything in it, and it is not one that is just being made. */
async function isEmptied(folder: string): Promise<boolean> {
  const isThere = () =>
    stat(join(folder, dataFile)).then(
      ({ size }) => size === 0,
      () => false,
    );
  const isNew = async () => {
    const lock = await stat(join(folder, lockFile)).catch(() => undefined);
    return lock?.size === 0;
  };
  for (let look = 0; look < looksAtNew; look += 1) {
    if (!(await isThere()) || (await isNew())) return false;
    await wait(pauseMilliseconds);
  }
  return true;
}

/**
 * A commit may take a page for each that there is, and some more, and give them back: those it never writes, so the file
 * ends before the last one. None of the others may be missing then, and all are looked at.
 */
const mostGivenBack = 5000;

/** In the lock file: a number that each of its kind begins with, and the newest transaction; mdb.c, MDB_txbody. */
const inLock = { magic: 0, transaction: 8, length: 16 };

/**
 * Returns whether the database is older than its lock file, where LMDB notes each transaction once it is on disk: a copy was put
 * back over the database, in the same file. False where the lock file tells nothing, as after a power failure.
 */
export async function isBehindLock(folder: string): Promise<boolean> {
  // The lock first: another process may be writing.
  const noted = await notedTransaction(folder);
  if (noted === undefined || (await sizeOf(join(folder, dataFile))) === 0) return false;
  await using file = await openFile(join(folder, dataFile), 'r');
  const first = await readMeta(file, 0);
  const second = first && (await readMeta(file, first.pageSize));
  const newest = first && second && newestOf(first, second);
  return newest !== undefined && newest.transaction < noted;
}

async function notedTransaction(folder: string): Promise<bigint | undefined> {
  const lock = await openFile(join(folder, lockFile), 'r').catch(() => undefined);
  if (!lock) return undefined;
  await using file = lock;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(inLock.length), 0, inLock.length, 0);
  const isLock = bytesRead === inLock.length && buffer.readUInt32LE(inLock.magic) === magicNumber;
  return isLock ? buffer.readBigUInt64LE(inLock.transaction) : undefined;
}

export interface Looked {
  /** Undefined: it is sound. */
  readonly problem?: string;
  /** The transactions of both meta pages as they were read. */
  readonly commits: string;
}

async function lookAt(folder: string, { pages = soonRead }: Look): Promise<Looked> {
  await using file = await openFile(join(folder, dataFile), 'r');
  const first = await readMeta(file, 0);
  const second = first && (await readMeta(file, first.pageSize));
  const commits = `${first?.transaction} ${second?.transaction}`;
  if (!first || !second) return { commits, problem: 'it does not begin as a database does' };
  const newest: Meta | undefined = newestOf(first, second);
  if (!newest) return { commits, problem: 'its two beginnings do not fit together' };
  // The size comes last: another process may be writing, and a file only grows.
  const { size } = await file.stat();
  const lastThere = Math.floor(size / newest.pageSize) - 1;
  const missing = newest.lastPage - lastThere;
  if (missing > lastThere + mostGivenBack) return { commits, problem: 'it is cut off' };
  if (missing > 0) {
    const lost = findBrokenPage(file.fd, { ...newest, lastPage: lastThere }, Number.POSITIVE_INFINITY);
    return lost === undefined ? { commits } : { commits, problem: 'it is cut off' };
  }
  const broken = findBrokenPage(file.fd, newest, pages);
  return broken === undefined ? { commits } : { commits, problem: `page ${broken} is not what it should be` };
}
