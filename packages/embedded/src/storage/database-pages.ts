/**
 * Checks of the pages of an LMDB file, from the roots to the leaves: number, kind and bounds of the nodes. LMDB checks none of this.
 */
import { readSync } from 'node:fs';
import { type Meta, readTree, type Tree, treeLength } from './database-meta.ts';

/** mdb.c: MDB_page, MDB_node, MDB_ovpage. */
const header = 24;
const node = 8;
const overflowLength = 24;
const kinds = { branch: 0x01, leaf: 0x02, overflow: 0x04, ofOneSize: 0x20 };
const kindBits = 0x07;
const nodeFlags = { overflow: 0x01, tree: 0x02 };

/** The pages of a tree that were read, to compare with the tree's own count. */
interface PageCount {
  readonly tree: Tree;
  read: number;
}

interface Reference {
  readonly page: number;
  readonly count: PageCount;
  readonly kind: 'branch' | 'leaf' | 'overflow';
  /** Pages from here to a leaf. */
  readonly depth: number;
  /** The length of an overflow, in pages. */
  readonly pages: number;
}

/**
 * Reads pages synchronously, which takes some milliseconds for 20 MB.
 * @param file a file descriptor
 * @param most pages to read
 * @returns the number of the first broken page
 */
export function findBrokenPage(
  file: number,
  { pageSize, lastPage, trees }: Meta,
  most: number,
): number | undefined {
  const seen = new Set<number>();
  const waiting = trees.flatMap(begin);
  const bytes = Buffer.alloc(pageSize);
  // Breadth first: a check that ends early has read the pages that lead to most others.
  for (let next = 0; next < Math.min(waiting.length, most); next += 1) {
    const reference = waiting[next] as Reference;
    const { page, pages } = reference;
    if (page < 2 || page + pages - 1 > lastPage || seen.has(page)) return page;
    seen.add(page);
    const length = readSync(file, bytes, 0, pageSize, page * pageSize);
    const found = length < pageSize ? undefined : readPage(bytes, reference);
    if (!found) return page;
    if (reference.kind !== 'overflow') reference.count.read += 1;
    for (const below of found) waiting.push(below);
  }
  if (waiting.length > most) return undefined;
  return waiting.find(({ count: { tree, read } }) => read !== tree.branches + tree.leaves)?.page;
}

function begin(tree: Tree): readonly Reference[] {
  const { root: page, depth } = tree;
  if (page === undefined) return [];
  return [{ page, depth, kind: depth === 1 ? 'leaf' : 'branch', pages: 1, count: { tree, read: 0 } }];
}

/** Returns the pages that a page refers to; undefined: it is broken. */
function readPage(bytes: Buffer, reference: Reference): readonly Reference[] | undefined {
  const flags = bytes.readUInt16LE(18);
  const hasItsNumber = bytes.readBigUInt64LE(0) === BigInt(reference.page);
  if (!hasItsNumber || (flags & kindBits) !== kinds[reference.kind]) return undefined;
  if (reference.kind === 'overflow') return bytes.readUInt32LE(20) === reference.pages ? [] : undefined;
  if ((flags & kinds.ofOneSize) !== 0) return [];
  const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)];
  if (lower % 2 !== 0 || lower > upper || upper > bytes.length - header) return undefined;
  const offsets = Array.from({ length: lower / 2 }, (_, n) => bytes.readUInt16LE(header + 2 * n));
  const read = reference.kind === 'branch' ? readBranch : readLeaf;
  const found = offsets.map((offset) =>
    offset < upper || offset + node > bytes.length - header
      ? undefined
      : read(bytes, header + offset, reference),
  );
  return found.includes(undefined) ? undefined : found.flatMap((references) => references ?? []);
}

type ReadNode = (bytes: Buffer, at: number, reference: Reference) => readonly Reference[] | undefined;

const readBranch: ReadNode = (bytes, at, { depth, count }) => {
  const page =
    bytes.readUInt16LE(at) +
    bytes.readUInt16LE(at + 2) * 0x1_0000 +
    bytes.readUInt16LE(at + 4) * 0x1_0000_0000;
  if (at + node + bytes.readUInt16LE(at + 6) > bytes.length) return undefined;
  return [{ page, depth: depth - 1, kind: depth === 2 ? 'leaf' : 'branch', pages: 1, count }];
};

const readLeaf: ReadNode = (bytes, at, { count }) => {
  const size = bytes.readUInt16LE(at) + bytes.readUInt16LE(at + 2) * 0x1_0000;
  const flags = bytes.readUInt16LE(at + 4);
  const data = at + node + bytes.readUInt16LE(at + 6);
  const isInline = (flags & nodeFlags.overflow) === 0;
  if (data + (isInline ? size : overflowLength) > bytes.length) return undefined;
  if (!isInline) {
    const pages = Number(bytes.readBigUInt64LE(data + 16));
    const isWhole = pages === Math.floor((header - 1 + size) / bytes.length) + 1;
    return isWhole
      ? [{ page: Number(bytes.readBigUInt64LE(data)), depth: 0, kind: 'overflow', pages, count }]
      : undefined;
  }
  if ((flags & nodeFlags.tree) === 0) return [];
  return size === treeLength ? begin(readTree(bytes, data)) : undefined;
};
