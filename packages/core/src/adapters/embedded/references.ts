/**
 * Referential integrity: values that name an entry (`member`, `manager`, …) follow it to its new name, and go
 * with it when it is removed. A stale one would give its rights to whoever gets the name next. `memberOf` is
 * no concern here: it is computed from the groups when it is read.
 */
import type { AttributeValue } from '../../directory/value.ts';
import { equalityKey, referenceAttributes } from './index-keys.ts';
import { findAttribute, findClass } from './schema.ts';
import type { StoredEntry } from './snapshot.ts';
import { type Author, stampModified } from './stamps.ts';
import type { Transaction } from './transaction.ts';

/** DN key of each entry that changes its name → its new DN; undefined: it is removed. */
export type NewNames = ReadonlyMap<string, string | undefined>;

/** Numbers of the entries that name one of these. To be asked before anything is written. */
export function referrersOf(transaction: Transaction, names: NewNames): number[] {
  const found = new Set<number>();
  for (const name of names.keys()) {
    for (const attribute of referenceAttributes) {
      for (const id of transaction.ids(equalityKey(attribute, name), Number.POSITIVE_INFINITY) ?? [])
        found.add(id);
    }
  }
  return [...found];
}

/** Rewrites the references of one entry. */
export function updateReferences(
  transaction: Transaction,
  id: number,
  { names, author }: { names: NewNames; author: Author },
): void {
  const entry = transaction.entry(id);
  if (!entry) return;
  const attributes = new Map(entry.attributes);
  for (const key of referenceAttributes) {
    const before = attributes.get(key);
    const after = before && rename(key, before, names);
    if (after?.length) attributes.set(key, after);
    else if (before && isRequired(entry, key)) attributes.set(key, noMember);
    else attributes.delete(key);
  }
  stampModified(transaction, attributes, author);
  transaction.update(id, entry, attributes);
}

/**
 * Our choice: a groupOfNames must have a member, so one that lost its last keeps the zero-length DN, which
 * names nobody. OpenLDAP calls this `refint_nothing`.
 */
const noMember: readonly AttributeValue[] = [''];

function rename(key: string, values: readonly AttributeValue[], names: NewNames): AttributeValue[] {
  const normalize = findAttribute(key)?.equality.normalize;
  return values.flatMap((value) => {
    const name = normalize?.(value);
    if (name === undefined || !names.has(name)) return [value];
    const renamed = names.get(name);
    return renamed === undefined ? [] : [renamed + uniqueIdentifierOf(value)];
  });
}

/** The `#'0101'B` that a uniqueMember may have behind the name. */
function uniqueIdentifierOf(value: AttributeValue): string {
  return /#'[01]*'B$/.exec(String(value))?.[0] ?? '';
}

function isRequired({ attributes }: StoredEntry, key: string): boolean {
  return (attributes.get('objectclass') ?? []).some((name) => findClass(String(name))?.required.has(key));
}
