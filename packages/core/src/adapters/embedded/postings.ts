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
  /** Ids to add as they are, ids to remove negated, in the order in which it happened. */
  readonly #changes = new Map<string, number[]>();

  add(key: string, id: number): void {
    this.#note(key, id);
  }

  remove(key: string, id: number): void {
    this.#note(key, -id);
  }

  /** Writes what was collected; to be called inside the write transaction. */
  apply(table: PostingsTable): void {
    for (const [key, changes] of this.#changes) {
      for (const [block, inBlock] of byBlock(changes)) rewrite(table, [key, block], inBlock);
    }
    this.#changes.clear();
  }

  #note(key: string, change: number): void {
    const changes = this.#changes.get(key);
    if (changes) changes.push(change);
    else this.#changes.set(key, [change]);
  }
}

function byBlock(changes: readonly number[]): Map<number, number[]> {
  const blocks = new Map<number, number[]>();
  for (const change of changes) {
    const number = Math.floor(Math.abs(change) / blockSize);
    const block = blocks.get(number);
    if (block) block.push(change);
    else blocks.set(number, [change]);
  }
  return blocks;
}

function rewrite(table: PostingsTable, key: [string, number], changes: readonly number[]): void {
  const lows = new Set(lowsOf(table.get(key)));
  for (const change of changes) {
    if (change > 0) lows.add(change % blockSize);
    else lows.delete(-change % blockSize);
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
