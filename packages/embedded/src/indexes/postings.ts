/**
 * Postings: which entries have what. For each index key (`=uid:alice`) the ids of its entries in one record, so
 * that what few entries have takes one read in a directory of any size. A longer list is cut into chunks, and
 * the record says where each begins. `postings-change.ts` writes them.
 */
import type { Database, Transaction } from '../storage/environment.ts';
import { type IdList, listOf, none, placeOf } from './id-list.ts';

/**
 * Numbers in ascending order, 32 bits each, in the byte order of the machine, as all that LMDB keeps. Under
 * [index key, 0] the ids themselves, or 0 and then where chunks begin; under [index key, beginning of a chunk]
 * the ids from there to the next beginning. The first chunk begins at 1, as ids do, even if it is empty.
 */
export type PostingsTable = Database<Buffer, [key: string, start: number]>;

/** Ids in a chunk, at most. So LMDB keeps two in a page of its tree, and needs no pages beside it. */
export const chunkSize = 480;
/** The record with which every list begins. */
export const head = 0;
export const firstId = 1;
export const lastId = 0xffff_ffff;
/** The first number of a head that says where chunks begin. */
export const chunked = 0;

/** Entries under an index key. */
export function readPostings(table: PostingsTable, key: string, transaction?: Transaction): IdList {
  const options = transaction && { transaction };
  const read = (start: number) => numbersIn(table.get([key, start], options));
  const record = read(head);
  const starts = startsIn(record);
  if (starts) return listOfChunks(starts, read);
  return record.length > 0 ? listOf(record) : none;
}

/** @param read gives the ids of the chunk that begins there */
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
        const id = ids[placeOf(ids, from)];
        if (id !== undefined) return id;
      }
      return undefined;
    },
  };
}

/** None if there is no record. */
export function numbersIn(record: Uint8Array | undefined): Uint32Array {
  if (!record) return noNumbers;
  // Numbers begin at a multiple of their length, which a record need not do.
  const { buffer, byteOffset, length } = record.byteOffset % width === 0 ? record : new Uint8Array(record);
  return new Uint32Array(buffer, byteOffset, length / width);
}

const noNumbers = new Uint32Array();
const width = Uint32Array.BYTES_PER_ELEMENT;

/** Where the chunks begin; undefined if the head of the list is all of it. */
export function startsIn(record: Uint32Array): Uint32Array | undefined {
  return record[0] === chunked ? record.subarray(1) : undefined;
}

/** Which chunk an id stands in, or would stand in. */
export function chunkOf(starts: Uint32Array, id: number): number {
  return Math.max(0, placeOf(starts, id + 1) - 1);
}
