/**
 * Postings: the ids of the entries with an index key (`=uid:alice`). A short list is one record, so it takes one read. A longer list is split
 * into chunks. `postings-change.ts` writes them.
 */
import type { Database, Transaction } from '../storage/environment.ts';
import { type IdList, listOf, lowerBound, none } from './id-list.ts';

/**
 * Ascending numbers of 32 bits in the byte order of the machine. [index key, 0] has the ids, or 0 and then the beginnings of the chunks;
 * [index key, beginning of a chunk] has its ids. The first chunk begins at 1, even if it is empty.
 */
export type PostingsTable = Database<Buffer, [key: string, start: number]>;

/** Most ids of a chunk: two chunks fit in a page of LMDB, without overflow pages. */
export const chunkSize = 480;
/** The key of the first record of every list. */
export const head = 0;
export const firstId = 1;
export const lastId = 0xffff_ffff;
/** The first number of a head that lists chunks. */
export const chunked = 0;

/** Reads the ids under an index key. */
export function readPostings(table: PostingsTable, key: string, transaction?: Transaction): IdList {
  const options = transaction && { transaction };
  const read = (start: number) => numbersIn(table.get([key, start], options));
  const record = read(head);
  const starts = startsIn(record);
  if (starts) return listOfChunks(starts, read);
  return record.length > 0 ? listOf(record) : none;
}

/** @param read reads the chunk that begins at `start` */
function listOfChunks(starts: Uint32Array, read: (start: number) => Uint32Array): IdList {
  let current: { chunk: number; ids: Uint32Array } = { chunk: -1, ids: new Uint32Array() };
  const load = (chunk: number) => {
    if (chunk !== current.chunk) current = { chunk, ids: read(starts[chunk] ?? firstId) };
    return current.ids;
  };
  return {
    size: starts.length * chunkSize,
    seek: (from) => {
      for (let chunk = chunkOf(starts, from); chunk < starts.length; chunk += 1) {
        const ids = load(chunk);
        const id = ids[lowerBound(ids, from)];
        if (id !== undefined) return id;
      }
      return undefined;
    },
  };
}

/** Returns the numbers of a record; empty without one. */
export function numbersIn(record: Uint8Array | undefined): Uint32Array {
  if (!record) return noNumbers;
  // A Uint32Array must be aligned to 4 bytes, and a record may not be.
  const { buffer, byteOffset, length } = record.byteOffset % width === 0 ? record : new Uint8Array(record);
  return new Uint32Array(buffer, byteOffset, length / width);
}

const noNumbers = new Uint32Array();
const width = Uint32Array.BYTES_PER_ELEMENT;

/** Returns the beginnings of the chunks; undefined if the head is the whole list. */
export function startsIn(record: Uint32Array): Uint32Array | undefined {
  return record[0] === chunked ? record.subarray(1) : undefined;
}

/** Returns the index of the chunk for an id. */
export function chunkOf(starts: Uint32Array, id: number): number {
  return Math.max(0, lowerBound(starts, id + 1) - 1);
}
