/**
 * Referential integrity: values that name an entry (`member`, `manager`, …) follow it to its new name, and go
 * with it when it is removed. A stale one would give its rights to whoever gets the name next. `memberOf` is
 * no concern here: it is computed from the groups when it is read.
 */

import { type AttributeValue, Dn } from '@watchword/core/foundation';
import { equalityKey, presenceKey, referenceAttributes } from '../indexes/index-keys.ts';
import { equalityOf } from '../schema/matching-rules.ts';
import { findAttribute } from '../schema/schema.ts';
import type { Snapshot } from '../storage/snapshot.ts';
import type { Transaction } from '../storage/transaction.ts';
import { type Author, stampModified } from './stamps.ts';

/** What an entry, and all below it, is called from now on; undefined: it is removed. */
export interface NewName {
  readonly from: Dn;
  readonly to: Dn | undefined;
}

/** So many names are looked up one by one; for more, all entries with references are gone through. */
const fewNames = 64;

/** Numbers of the entries that may name this one or one below it. To be asked before anything is written. */
export function referrersOf(snapshot: Snapshot, id: number): number[] {
  const names: string[] = [];
  for (const below of snapshot.subtree(id)) {
    if (names.length >= fewNames) return [...snapshot.idsOfAll(referenceAttributes.map(presenceKey))];
    names.push(Dn.parse(snapshot.nameOfId(below)).key);
  }
  const keys = names.flatMap((name) => referenceAttributes.map((attribute) => equalityKey(attribute, name)));
  return [...snapshot.idsOfAll(keys)];
}

/** Rewrites the references of one entry, if it has any to the one that gets another name. */
export function updateReferences(
  transaction: Transaction,
  id: number,
  { name, author }: { name: NewName; author: Author },
): void {
  const entry = transaction.entry(id);
  if (!entry) return;
  const attributes = new Map(entry.attributes);
  let isChanged = false;
  for (const key of referenceAttributes) {
    const before = attributes.get(key);
    const after = before && follow(key, before, name);
    if (!after) continue;
    isChanged = true;
    if (after.length > 0) attributes.set(key, after);
    else attributes.delete(key);
  }
  if (!isChanged) return;
  stampModified(transaction, attributes, author);
  transaction.update(id, entry, attributes);
}

/** The values under the new name, each once: it may have stood there already; undefined if none changes. */
function follow(key: string, values: readonly AttributeValue[], name: NewName): AttributeValue[] | undefined {
  const followed = values.map((value) => renamed(key, String(value), name));
  if (followed.every((text, index) => text === values[index])) return undefined;
  const attribute = findAttribute(key);
  const normalize = attribute && equalityOf(attribute).normalize;
  const byName = new Map(
    followed.filter((text) => text !== undefined).map((text) => [normalize?.(text) ?? text, text]),
  );
  return [...byName.values()];
}

function renamed(key: string, value: string, { from, to }: NewName): string | undefined {
  // Behind a uniqueMember there may be a unique identifier: `cn=a,o=b#'0101'B` (RFC 4517 §3.3.21).
  const identifier = key === 'uniquemember' ? (/#'[01]*'B$/.exec(value)?.[0] ?? '') : '';
  const name = value.slice(0, value.length - identifier.length);
  // Of the thousands in a large group one is meant: the others need not be read.
  if (!Dn.keyOf(name)?.endsWith(from.key)) return value;
  const dn = Dn.tryParse(name);
  if (!dn?.isWithin(from)) return value;
  return to && dn.rebase(from, to).toString() + identifier;
}
