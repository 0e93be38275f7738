/**
 * Postings: which entries have what. For each index key (`=uid:alice`) the ids of its entries, cut into blocks
 * of 1024 ids: an insert rewrites one small block, a hundred thousand entries of one class are a hundred
 * blocks, and a bulk load touches each block once.
 */
import type { Database, Transaction } from './environment.ts';

const blockSize = 1024;

/** [index key, block number] → the ids in the block, less its first id, as 16-bit numbers in order. */
export type PostingsTable = Database<Buffer, [string, number]>;

export interface ReadPostings {
  readonly atMost: number;
  readonly transaction?: Transaction | undefined;
}

/** Ids in ascending order; undefined if there are more than `atMost`. */
export function readPostings(
  table: PostingsTable,
  key: string,
  { atMost, transaction }: ReadPostings,
): number[] | undefined {
  const ids: number[] = [];
  const range = { start: [key, 0], end: [key, Number.MAX_SAFE_INTEGER], ...(transaction && { transaction }) };
  for (const { key: blockKey, value } of table.getRange(range)) {
    const first = blockKey[1] * blockSize;
    for (const low of lowsOf(value)) ids.push(first + low);
    if (ids.length > atMost) return undefined;
  }
  return ids;
}

/** Collects additions and removals of a transaction, so that each block is rewritten once. */
export class PostingsChange {
  readonly #blocks = new Map<string, Map<number, Map<number, boolean>>>();

  add(key: string, id: number): void {
    this.#set(key, id, true);
  }

  remove(key: string, id: number): void {
    this.#set(key, id, false);
  }

  /** Writes what was collected; to be called inside the write transaction. */
  apply(table: PostingsTable): void {
    for (const [key, blocks] of this.#blocks) {
      for (const [block, changes] of blocks) rewrite(table, [key, block], changes);
    }
    this.#blocks.clear();
  }

  #set(key: string, id: number, present: boolean): void {
    const blocks = this.#blocks.get(key) ?? new Map<number, Map<number, boolean>>();
    const number = Math.floor(id / blockSize);
    const block = blocks.get(number) ?? new Map<number, boolean>();
    this.#blocks.set(key, blocks.set(number, block.set(id % blockSize, present)));
  }
}

function rewrite(table: PostingsTable, key: [string, number], changes: ReadonlyMap<number, boolean>): void {
  const lows = new Set(lowsOf(table.get(key)));
  for (const [low, present] of changes) {
    if (present) lows.add(low);
    else lows.delete(low);
  }
  if (lows.size === 0) table.remove(key);
  else table.put(key, bufferOf([...lows].sort((a, b) => a - b)));
}

function lowsOf(block: Buffer | undefined): number[] {
  const lows: number[] = [];
  for (let at = 0; block && at < block.length; at += 2) lows.push(block.readUInt16LE(at));
  return lows;
}

function bufferOf(lows: readonly number[]): Buffer {
  const block = Buffer.allocUnsafe(lows.length * 2);
  lows.forEach((low, index) => {
    block.writeUInt16LE(low, index * 2);
  });
  return block;
}
