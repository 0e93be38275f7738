/** Changes of postings within a write transaction, which rewrite each record once. */
import { ServiceError } from '@watchword/core/foundation';
import {
  chunked,
  chunkOf,
  chunkSize,
  firstId,
  head,
  lastId,
  numbersIn,
  type PostingsTable,
  startsIn,
} from './postings.ts';

export class PostingsChange {
  /** Added ids, and removed ids negated, in order. */
  readonly #changes = new Map<string, number[]>();

  /** @throws ServiceError `too_large` for an id above 32 bits */
  add(key: string, id: number): void {
    if (id > lastId) throw new ServiceError('too_large', { detail: 'no numbers are left for new entries' });
    append(this.#changes, key, id);
  }

  remove(key: string, id: number): void {
    append(this.#changes, key, -id);
  }

  /** Writes the changes, within the write transaction. */
  apply(table: PostingsTable): void {
    for (const [key, changes] of this.#changes) new Records(table, key).change(changes);
    this.#changes.clear();
  }
}

/** The records under one index key. */
class Records {
  readonly #table: PostingsTable;
  readonly #key: string;

  constructor(table: PostingsTable, key: string) {
    this.#table = table;
    this.#key = key;
  }

  change(changes: readonly number[]): void {
    const record = this.#read(head);
    const starts = startsIn(record);
    if (starts) this.#changeChunks(starts, changes);
    else this.#changeHead(changed(record, changes));
  }

  #changeHead(ids: Uint32Array): void {
    if (ids.length <= chunkSize) this.#write(head, ids);
    else this.#write(head, new Uint32Array([chunked, ...this.#writeChunks(firstId, ids)]));
  }

  #changeChunks(before: Uint32Array, changes: readonly number[]): void {
    const ofChunks = new Map<number, number[]>();
    for (const change of changes) append(ofChunks, chunkOf(before, Math.abs(change)), change);
    const after = [...before].flatMap((start, chunk) => {
      const its = ofChunks.get(chunk);
      return its ? this.#writeChunks(start, changed(this.#read(start), its)) : [start];
    });
    if (after.length === 1) this.#joinHead();
    else if (after.some((start, chunk) => start !== before[chunk]) || after.length < before.length)
      this.#write(head, new Uint32Array([chunked, ...after]));
  }

  /** Replaces the chunk that begins at `start`. @returns the beginnings of the new chunks */
  #writeChunks(start: number, ids: Uint32Array): number[] {
    if (ids.length === 0) this.#write(start, ids);
    if (ids.length === 0) return start === firstId ? [firstId] : [];
    return inChunks(ids).map((chunk, index) => {
      const its = index === 0 ? start : (chunk[0] ?? start);
      this.#write(its, chunk);
      return its;
    });
  }

  /** Moves the only chunk to the head. */
  #joinHead(): void {
    this.#write(head, this.#read(firstId));
    this.#table.remove([this.#key, firstId]);
  }

  #read(start: number): Uint32Array {
    return numbersIn(this.#table.get([this.#key, start]));
  }

  #write(start: number, { buffer, byteOffset, byteLength }: Uint32Array): void {
    const key: [string, number] = [this.#key, start];
    if (byteLength === 0) this.#table.remove(key);
    else this.#table.put(key, Buffer.from(buffer, byteOffset, byteLength));
  }
}

function append<K>(lists: Map<K, number[]>, key: K, item: number): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

function changed(before: Uint32Array, changes: readonly number[]): Uint32Array {
  const last = before.at(-1) ?? 0;
  // New entries have the highest ids, which need no sort.
  if (changes.every((change, index) => change > (changes[index - 1] ?? last))) return joined(before, changes);
  const stays = new Map(changes.map((change) => [Math.abs(change), change > 0]));
  const added = [...stays.keys()].filter((id) => stays.get(id));
  return joined(
    before.filter((id) => !stays.has(id)),
    added,
  ).sort();
}

function joined(before: Uint32Array, more: readonly number[]): Uint32Array {
  const ids = new Uint32Array(before.length + more.length);
  ids.set(before);
  ids.set(more, before.length);
  return ids;
}

/** Splits ids into the fewest chunks, of equal length: each has room for the next id. */
function inChunks(ids: Uint32Array): Uint32Array[] {
  const chunks = Math.ceil(ids.length / chunkSize);
  const offset = (chunk: number) => Math.round((chunk * ids.length) / chunks);
  return Array.from({ length: chunks }, (_, chunk) => ids.subarray(offset(chunk), offset(chunk + 1)));
}
