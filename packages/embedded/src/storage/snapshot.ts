/**
 * The entries as they are at one moment: the tree of names, the entries, and the indexes over them. An entry
 * has a number for ever, given out in the order of creation; a name is found by walking down from the base, so
 * moving a subtree moves one link.
 */
import { createHash } from 'node:crypto';
import { type Attributes, type AttributeValue, type Dn, type Rdn, rdnKey } from '@watchword/core/foundation';
import { type IdList, idsIn } from '../indexes/id-list.ts';
import { equalityKey } from '../indexes/index-keys.ts';
import { type PostingsTable, readPostings } from '../indexes/postings.ts';
import type { Database, Environment, Transaction } from './environment.ts';

/** Number of the base entry, the first there is. */
export const baseId = 1;

export interface StoredEntry {
  /** Number of the entry above; 0 for the base. */
  readonly parent: number;
  /** As it was written when the entry got its name; for the base, the whole DN. */
  readonly rdn: string;
  /** User and operational attributes, under their keys. */
  readonly attributes: Attributes;
}

/** An entry as it is stored. */
type Packed = [parent: number, rdn: string, attributes: [key: string, values: readonly AttributeValue[]][]];

export interface Tables {
  readonly entries: Database<Packed, number>;
  /** [parent, RDN key] → number of the entry */
  readonly names: Database<number, [number, string]>;
  readonly postings: PostingsTable;
  /** `next`: number of the next entry; `stamp`: the last change, microseconds since 1970 */
  readonly counters: Database<number, string>;
  /** `base`: DN of the base as it was first opened; `index`: format of the postings */
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

/** The key of an RDN in the table of names: LMDB's keys have an end, names have not. */
export function nameKey(rdn: Rdn): string {
  const key = rdnKey(rdn);
  return key.length <= longestName ? key : createHash('sha256').update(key).digest('base64');
}

interface TreePosition {
  /** Number of the entry above. */
  readonly parent: number;
  /** The DN. */
  readonly name: string;
  /** How many RDNs the DN has. */
  readonly levels: number;
}

export class Snapshot {
  protected readonly tables: Tables;
  readonly base: Dn;
  readonly #transaction: Transaction | undefined;
  /** Parents and names of entries that others stand below, or are members of. */
  protected readonly places = new Map<number, TreePosition>();

  /** @param transaction of a snapshot; left out inside a write transaction, which sees its own writes */
  constructor(tables: Tables, base: Dn, transaction?: Transaction) {
    this.tables = tables;
    this.base = base;
    this.#transaction = transaction;
  }

  /** Number of the entry with this name. */
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

  /** How many bytes an entry is kept in now, whichever moment the others are of. */
  sizeOf(id: number): number {
    return this.tables.entries.getBinaryFast(id)?.length ?? 0;
  }

  /** The DN of an entry in the directory's spelling. */
  nameOf(entry: StoredEntry): string {
    return entry.parent === 0 ? entry.rdn : `${entry.rdn},${this.#place(entry.parent).name}`;
  }

  /** {@link nameOf} by number: a group is read once for all of its members. */
  nameOfId(id: number): string {
    return this.#place(id).name;
  }

  levelsOf(id: number): number {
    return this.#place(id).levels;
  }

  /** True if the entry is the one numbered `ancestor` or stands below it. */
  isWithin(id: number, ancestor: number): boolean {
    for (let at = id; at !== 0; at = this.#place(at).parent) {
      if (at === ancestor) return true;
    }
    return false;
  }

  /** Numbers of the entries right below, in no order. */
  *children(id: number): Generator<number> {
    const range = { start: [id], end: [id + 1], ...this.#options };
    for (const { value } of this.tables.names.getRange(range)) yield value;
  }

  /**
   * The entries right below whose key in the table of names comes after this one, in the order of these keys; a few at a
   * time, so that nothing stays open while a search pauses.
   */
  *childrenAfter(id: number, key: string): Generator<{ readonly id: number; readonly key: string }> {
    let last = key;
    for (;;) {
      const range = { start: [id, last], end: [id + 1], limit: readAtOnce, ...this.#options };
      const found = [...this.tables.names.getRange(range)].filter(({ key: [, name] }) => name !== last);
      if (found.length === 0) return;
      for (const { key: place, value } of found) yield { id: value, key: place[1] };
      last = found.at(-1)?.key[1] ?? last;
    }
  }

  /** Numbers of the entry and of all below it, in no order. */
  *subtree(id: number): Generator<number> {
    yield id;
    for (const child of this.children(id)) yield* this.subtree(child);
  }

  hasChildren(id: number): boolean {
    return !this.children(id).next().done;
  }

  /**
   * All that came later than the one numbered `after`, in the order of creation; a few at a time, so that nothing
   * stays open while a search pauses.
   */
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

  /** Numbers of all entries under any of these index keys. */
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

  #place(id: number): TreePosition {
    const known = this.places.get(id);
    if (known) return known;
    const entry = this.entry(id);
    const parent = entry?.parent ?? 0;
    const levels = parent === 0 ? this.base.rdns.length : this.#place(parent).levels + 1;
    const place = { parent, name: entry ? this.nameOf(entry) : '', levels };
    this.places.set(id, place);
    return place;
  }
}
