/**
 * A snapshot of the entries: the tree of names, the entries and their indexes. An entry keeps its number, which rises in the order of creation.
 * A DN is resolved from the base down, so moving a subtree changes one link.
 */
import { createHash } from 'node:crypto';
import { type Attributes, type AttributeValue, type Dn, type Rdn, rdnKey } from '@watchword/core/foundation';
import { type IdList, idsIn } from '../indexes/id-list.ts';
import { equalityKey } from '../indexes/index-keys.ts';
import { type PostingsTable, readPostings } from '../indexes/postings.ts';
import type { Database, Environment, Transaction } from './environment.ts';

/** Number of the base entry. */
export const baseId = 1;

export interface StoredEntry {
  /** Number of the entry above; 0 for the base. */
  readonly parent: number;
  /** The RDN as spelled when the entry was named; for the base, the whole DN. */
  readonly rdn: string;
  /** User and operational attributes, under their keys. */
  readonly attributes: Attributes;
}

type Packed = [parent: number, rdn: string, attributes: [key: string, values: readonly AttributeValue[]][]];

export interface Tables {
  readonly entries: Database<Packed, number>;
  /** [parent, RDN key] → number of the entry */
  readonly names: Database<number, [number, string]>;
  readonly postings: PostingsTable;
  /** `next`: number of the next entry; `stamp`: the last change, microseconds since 1970 */
  readonly counters: Database<number, string>;
  /** `base`: DN of the base as first opened; `index`: format of the postings */
  readonly settings: Database<string, string>;
}

export function openTables(environment: Environment): Tables {
  return {
    entries: environment.table('entries', {}),
    names: environment.table('names', {}),
    postings: environment.table('postings', { encoding: 'binary' }),
    counters: environment.table('counters', {}),
    settings: environment.table('settings', {}),
  };
}

const longestName = 200;
const readAtOnce = 500;

/** Returns the key of an RDN in the table of names. A long RDN is hashed, as LMDB limits the length of keys. */
export function nameKey(rdn: Rdn): string {
  const key = rdnKey(rdn);
  return key.length <= longestName ? key : createHash('sha256').update(key).digest('base64');
}

interface TreePosition {
  /** Number of the entry above. */
  readonly parent: number;
  /** The DN. */
  readonly name: string;
  /** The number of RDNs. */
  readonly levels: number;
}

export class Snapshot {
  protected readonly tables: Tables;
  readonly base: Dn;
  readonly #transaction: Transaction | undefined;
  /** A cache of the positions of parents and members. */
  protected readonly positions = new Map<number, TreePosition>();

  /** @param transaction a read transaction; left out within a write transaction, which sees its own writes */
  constructor(tables: Tables, base: Dn, transaction?: Transaction) {
    this.tables = tables;
    this.base = base;
    this.#transaction = transaction;
  }

  /** Returns the number of an entry. */
  find(dn: Dn): number | undefined {
    if (!dn.isWithin(this.base)) return undefined;
    let id: number | undefined = baseId;
    const below = dn.rdns.slice(0, dn.rdns.length - this.base.rdns.length);
    for (const rdn of below.reverse()) {
      id = this.tables.names.get([id, nameKey(rdn)], this.#options);
      if (id === undefined) return undefined;
    }
    return id;
  }

  entry(id: number): StoredEntry | undefined {
    const packed = this.tables.entries.get(id, this.#options);
    return packed && { parent: packed[0], rdn: packed[1], attributes: new Map(packed[2]) };
  }

  /** Returns the bytes of an entry as stored now, not in the snapshot. */
  sizeOf(id: number): number {
    return this.tables.entries.getBinaryFast(id)?.length ?? 0;
  }

  /** Returns the DN of an entry in the directory's spelling. */
  nameOf(entry: StoredEntry): string {
    return entry.parent === 0 ? entry.rdn : `${entry.rdn},${this.#position(entry.parent).name}`;
  }

  /** {@link nameOf} by number, cached: a group is read once for all its members. */
  nameOfId(id: number): string {
    return this.#position(id).name;
  }

  levelsOf(id: number): number {
    return this.#position(id).levels;
  }

  /** Returns whether an entry is `ancestor` or below it. */
  isWithin(id: number, ancestor: number): boolean {
    for (let at = id; at !== 0; at = this.#position(at).parent) {
      if (at === ancestor) return true;
    }
    return false;
  }

  /** Numbers of the children, in no order. */
  *children(id: number): Generator<number> {
    const range = { start: [id], end: [id + 1], ...this.#options };
    for (const { value } of this.tables.names.getRange(range)) yield value;
  }

  /**
   * Children whose key in the table of names is after this one, in the order of keys. Reads in pages, so no cursor is open while a search pauses.
   */
  *childrenAfter(id: number, key: string): Generator<{ readonly id: number; readonly key: string }> {
    let last = key;
    for (;;) {
      const range = { start: [id, last], end: [id + 1], limit: readAtOnce, ...this.#options };
      const found = [...this.tables.names.getRange(range)].filter(({ key: [, name] }) => name !== last);
      if (found.length === 0) return;
      for (const { key, value } of found) yield { id: value, key: key[1] };
      last = found.at(-1)?.key[1] ?? last;
    }
  }

  /** Numbers of the entry and its subtree, in no order. */
  *subtree(id: number): Generator<number> {
    yield id;
    for (const child of this.children(id)) yield* this.subtree(child);
  }

  hasChildren(id: number): boolean {
    return !this.children(id).next().done;
  }

  /** Numbers after this one, in the order of creation. Reads in pages, so no cursor is open while a search pauses. */
  *all(after = 0): Generator<number> {
    let ids: number[] = [after];
    while (ids.length > 0) {
      const range = { start: (ids.at(-1) ?? 0) + 1, limit: readAtOnce, ...this.#options };
      ids = [...this.tables.entries.getKeys(range)];
      yield* ids;
    }
  }

  /** Numbers of the entries under an index key. */
  list(key: string): IdList {
    return readPostings(this.tables.postings, key, this.#transaction);
  }

  /** Numbers of the entries under any of these index keys. */
  idsOfAll(keys: readonly string[]): ReadonlySet<number> {
    return new Set(keys.flatMap((key) => [...idsIn(this.list(key))]));
  }

  /** Numbers of the groups that name this DN as a member. */
  groupsOf(dnKey: string): ReadonlySet<number> {
    return this.idsOfAll(['member', 'uniquemember'].map((attribute) => equalityKey(attribute, dnKey)));
  }

  get #options(): { transaction?: Transaction } {
    return this.#transaction ? { transaction: this.#transaction } : {};
  }

  #position(id: number): TreePosition {
    const known = this.positions.get(id);
    if (known) return known;
    const entry = this.entry(id);
    const parent = entry?.parent ?? 0;
    const levels = parent === 0 ? this.base.rdns.length : this.#position(parent).levels + 1;
    const position = { parent, name: entry ? this.nameOf(entry) : '', levels };
    this.positions.set(id, position);
    return position;
  }
}
