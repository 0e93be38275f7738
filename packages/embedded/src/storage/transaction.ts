/** A write transaction on the entries: a snapshot that can be changed and sees its own changes. */

import { type Attributes, type Dn, formatRdn, type Rdn } from '@watchword/core/foundation';
import { indexChange } from '../indexes/index-keys.ts';
import { PostingsChange } from '../indexes/postings-change.ts';
import { baseId, nameKey, Snapshot, type StoredEntry, type Tables } from './snapshot.ts';

export class Transaction extends Snapshot {
  readonly #postings = new PostingsChange();

  insert(parent: number, rdn: Rdn, attributes: Attributes): void {
    const id = this.#nextId();
    this.tables.names.put([parent, nameKey(rdn)], id);
    this.#put(id, { parent, rdn: formatRdn(rdn), attributes });
    this.#index(id, new Map(), attributes);
  }

  insertBase(dn: Dn, attributes: Attributes): void {
    this.#nextId();
    this.#put(baseId, { parent: 0, rdn: dn.toString(), attributes });
    this.#index(baseId, new Map(), attributes);
  }

  update(id: number, entry: StoredEntry, attributes: Attributes): void {
    this.#put(id, { ...entry, attributes });
    this.#index(id, entry.attributes, attributes);
  }

  /** Renames or moves an entry with its subtree. */
  relink(id: number, from: { parent: number; rdn: Rdn }, to: { parent: number; rdn: Rdn }): void {
    const entry = this.entry(id);
    if (!entry) return;
    this.tables.names.remove([from.parent, nameKey(from.rdn)]);
    this.tables.names.put([to.parent, nameKey(to.rdn)], id);
    this.#put(id, { parent: to.parent, rdn: formatRdn(to.rdn), attributes: entry.attributes });
    this.positions.clear();
  }

  delete(id: number, entry: StoredEntry, rdn: Rdn): void {
    this.tables.names.remove([entry.parent, nameKey(rdn)]);
    this.tables.entries.remove(id);
    this.#index(id, entry.attributes, new Map());
  }

  /** Returns microseconds since 1970, larger than at any change before. @param now milliseconds since 1970 */
  nextStamp(now: number): number {
    const stamp = Math.max(now * 1000, (this.tables.counters.get('stamp') ?? 0) + 1);
    this.tables.counters.put('stamp', stamp);
    return stamp;
  }

  /** Writes the indexes, as the last step of the transaction: until then index look-ups see the state before it. */
  finish(): void {
    this.#postings.apply(this.tables.postings);
  }

  #nextId(): number {
    const id = this.tables.counters.get('next') ?? baseId;
    this.tables.counters.put('next', id + 1);
    return id;
  }

  #put(id: number, { parent, rdn, attributes }: StoredEntry): void {
    this.tables.entries.put(id, [parent, rdn, [...attributes]]);
  }

  #index(id: number, before: Attributes, after: Attributes): void {
    const { removed, added } = indexChange(before, after);
    for (const key of removed) this.#postings.remove(key, id);
    for (const key of added) this.#postings.add(key, id);
  }
}

/** Runs a change of the entries within a write transaction of the environment. */
export function withinTransaction<T>(tables: Tables, base: Dn, change: (transaction: Transaction) => T): T {
  const transaction = new Transaction(tables, base);
  const result = change(transaction);
  transaction.finish();
  return result;
}
