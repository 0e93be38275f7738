/** The two meta pages at the beginning of an LMDB file, which commits write in turn. */
import type { FileHandle } from 'node:fs/promises';

/** A B+ tree of pages. */
export interface Tree {
  /** Page number; undefined: the tree is empty. */
  readonly root: number | undefined;
  /** Pages from the root to a leaf. */
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
}

export interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  /** The tree of free pages, and that of the tables. */
  readonly trees: readonly Tree[];
}

/** Offsets; lmdb.h, MDB_meta after a page header of 24 bytes. */
const at = { magic: 24, version: 28, pageSize: 48, free: 48, main: 96, lastPage: 144, transaction: 152 };
const length = 176;
export const magicNumber = 0xbeefc0de;
const version = 2;

/** The length of a tree's description in bytes. */
export const treeLength = 48;
const noPage = 0xffff_ffff_ffff_ffffn;

/** Returns undefined if there is no meta page at this position. */
export async function readMeta(file: FileHandle, position: number): Promise<Meta | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length || buffer.readUInt32LE(at.magic) !== magicNumber) return undefined;
  const pageSize = buffer.readUInt32LE(at.pageSize);
  if (buffer.readUInt16LE(at.version) !== version || !isPageSize(pageSize)) return undefined;
  return {
    pageSize,
    lastPage: Number(buffer.readBigUInt64LE(at.lastPage)),
    transaction: buffer.readBigUInt64LE(at.transaction),
    trees: [readTree(buffer, at.free), readTree(buffer, at.main)],
  };
}

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;

export function readTree(buffer: Buffer, offset: number): Tree {
  const root = buffer.readBigUInt64LE(offset + 40);
  return {
    root: root === noPage ? undefined : Number(root),
    depth: buffer.readUInt16LE(offset + 6),
    branches: Number(buffer.readBigUInt64LE(offset + 8)),
    leaves: Number(buffer.readBigUInt64LE(offset + 16)),
  };
}

/** Returns the newer of two meta pages; undefined if they are not of two commits in a row. A copy has one that was never written. */
export function newestOf(first: Meta, second: Meta): Meta | undefined {
  const [older, newer] = first.transaction > second.transaction ? [second, first] : [first, second];
  const isNext = newer.transaction - older.transaction <= 1n || older.transaction === 0n;
  return isNext && first.pageSize === second.pageSize ? newer : undefined;
}
