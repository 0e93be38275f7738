/** Checks of the file of an LMDB database before LMDB maps it. */
import { open as openFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '@watchword/core/foundation';
import { type Meta, magicNumber, newestOf, readMeta } from './database-meta.ts';
import { findBrokenPage } from './database-pages.ts';

export const dataFile = 'data.mdb';
export const lockFile = 'lock.mdb';

/** Returns whether a folder holds a database, whole or damaged. */
export async function holdsDatabase(folder: string): Promise<boolean> {
  return (await sizeOf(join(folder, dataFile))) !== 0 || (await isEmptied(folder));
}

export interface CheckOptions {
  /** The most pages to read, from the roots on. Optional; default: some 20 MB, which does not delay a start. */
  readonly pages?: number;
}

const pagesAtStart = 5000;

/**
 * Checks that the file is a database, as long as its newest meta page says, and that its pages refer to each other. LMDB trusts the file:
 * a missing page ends the process with SIGBUS, and a wrong one may give wrong answers. Values are not checked.
 * @throws StartError if the database is damaged
 */
export async function assertSound(folder: string, options: CheckOptions = {}): Promise<void> {
  if ((await sizeOf(join(folder, dataFile))) === 0) {
    if (await isEmptied(folder)) throw damaged(folder, 'empty, and was not');
    return;
  }
  const problem = await stableProblem(() => check(folder, options));
  if (problem !== undefined) throw damaged(folder, problem);
}

/**
 * Repeats a check until it finds no problem, or nothing was committed since the check before. A concurrent writer may change the file during
 * a check.
 */
export async function stableProblem(run: () => Promise<CheckResult>): Promise<string | undefined> {
  for (let before: string | undefined; ; ) {
    const { problem, commits } = await run();
    if (problem === undefined || commits === before) return problem;
    before = commits;
  }
}

const damaged = (folder: string, how: string): StartError =>
  new StartError(
    `The database in the data folder ${folder} is damaged (${how}): put a backup in its place, or move it away.`,
  );

/** Returns 0 for an empty or missing file. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Checks of a new file: LMDB writes the lock file first, and the data file right after it. */
const checksOfNew = 40;
const pauseMilliseconds = 50;

/** Returns whether the file exists and is empty, and is not being created. */
async function isEmptied(folder: string): Promise<boolean> {
  const isEmpty = () =>
    stat(join(folder, dataFile)).then(
      ({ size }) => size === 0,
      () => false,
    );
  const isNew = async () => {
    const lock = await stat(join(folder, lockFile)).catch(() => undefined);
    return lock?.size === 0;
  };
  for (let nth = 0; nth < checksOfNew; nth += 1) {
    if (!(await isEmpty()) || (await isNew())) return false;
    await wait(pauseMilliseconds);
  }
  return true;
}

/**
 * Pages at the end that a commit may have allocated and freed, and so never written: the file ends before its last page. All other pages
 * are then checked.
 */
const mostUnwritten = 5000;

/** Offsets in the lock file: the magic number, and the newest transaction; mdb.c, MDB_txbody. */
const lockHeader = { magic: 0, transaction: 8, length: 16 };

/**
 * Returns whether the database is older than its lock file, in which LMDB records each durable transaction: a copy was written over the file.
 * False without a record, as after a power failure.
 */
export async function isOlderThanLock(folder: string): Promise<boolean> {
  // The lock first: another process may be writing.
  const recorded = await recordedTransaction(folder);
  if (recorded === undefined || (await sizeOf(join(folder, dataFile))) === 0) return false;
  await using file = await openFile(join(folder, dataFile), 'r');
  const first = await readMeta(file, 0);
  const second = first && (await readMeta(file, first.pageSize));
  const newest = first && second && newestOf(first, second);
  return newest !== undefined && newest.transaction < recorded;
}

async function recordedTransaction(folder: string): Promise<bigint | undefined> {
  const lock = await openFile(join(folder, lockFile), 'r').catch(() => undefined);
  if (!lock) return undefined;
  await using file = lock;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(lockHeader.length), 0, lockHeader.length, 0);
  const isLock = bytesRead === lockHeader.length && buffer.readUInt32LE(lockHeader.magic) === magicNumber;
  return isLock ? buffer.readBigUInt64LE(lockHeader.transaction) : undefined;
}

export interface CheckResult {
  /** Undefined: the file is sound. */
  readonly problem?: string;
  /** The transactions of both meta pages as they were read. */
  readonly commits: string;
}

async function check(folder: string, { pages = pagesAtStart }: CheckOptions): Promise<CheckResult> {
  await using file = await openFile(join(folder, dataFile), 'r');
  const first = await readMeta(file, 0);
  const second = first && (await readMeta(file, first.pageSize));
  const commits = `${first?.transaction} ${second?.transaction}`;
  if (!first || !second) return { commits, problem: 'it does not begin as a database does' };
  const newest: Meta | undefined = newestOf(first, second);
  if (!newest) return { commits, problem: 'its two beginnings do not fit together' };
  // The size is read last: another process may be writing, and a file only grows.
  const { size } = await file.stat();
  const lastInFile = Math.floor(size / newest.pageSize) - 1;
  const missing = newest.lastPage - lastInFile;
  if (missing > lastInFile + mostUnwritten) return { commits, problem: 'it is cut off' };
  if (missing > 0) {
    const lost = findBrokenPage(file.fd, { ...newest, lastPage: lastInFile }, Number.POSITIVE_INFINITY);
    return lost === undefined ? { commits } : { commits, problem: 'it is cut off' };
  }
  const broken = findBrokenPage(file.fd, newest, pages);
  return broken === undefined ? { commits } : { commits, problem: `page ${broken} is not what it should be` };
}
