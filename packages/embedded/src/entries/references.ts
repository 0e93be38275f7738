/**
 * Referential integrity: values that name an entry (`member`, `manager`, …) are renamed or removed with it. A stale one would give its rights
 * to the next entry of that name. `memberOf` is computed from groups.
 */

import { type AttributeValue, Dn } from '@watchword/core/foundation';
import { equalityKey, presenceKey, referenceAttributes } from '../indexes/index-keys.ts';
import { equalityOf } from '../schema/matching-rules.ts';
import { findAttribute } from '../schema/schema.ts';
import type { Snapshot } from '../storage/snapshot.ts';
import type { Transaction } from '../storage/transaction.ts';
import { type ChangeContext, stampModified } from './stamps.ts';

/** A new name of an entry and its subtree. */
export interface NewName {
  readonly from: Dn;
  /** Undefined: the entry is removed. */
  readonly to: Dn | undefined;
}

/** Most names that are looked up one by one; for more, all entries with references are searched. */
const fewNames = 64;

/** Finds the entries that may name this one or its subtree. Call it before any write. */
export function referrersOf(snapshot: Snapshot, id: number): number[] {
  const names: string[] = [];
  for (const below of snapshot.subtree(id)) {
    if (names.length >= fewNames) return [...snapshot.idsOfAll(referenceAttributes.map(presenceKey))];
    names.push(Dn.parse(snapshot.nameOfId(below)).key);
  }
  const keys = names.flatMap((name) => referenceAttributes.map((attribute) => equalityKey(attribute, name)));
  return [...snapshot.idsOfAll(keys)];
}

/** Rewrites the references of an entry to the renamed one. */
export function updateReferences(
  transaction: Transaction,
  id: number,
  { name, author }: { name: NewName; author: ChangeContext },
): void {
  const entry = transaction.entry(id);
  if (!entry) return;
  const attributes = new Map(entry.attributes);
  let isChanged = false;
  for (const key of referenceAttributes) {
    const before = attributes.get(key);
    const after = before && rewritten(key, before, name);
    if (!after) continue;
    isChanged = true;
    if (after.length > 0) attributes.set(key, after);
    else attributes.delete(key);
  }
  if (!isChanged) return;
  stampModified(transaction, attributes, author);
  transaction.update(id, entry, attributes);
}

/** Returns the distinct values after a rename; undefined if none changes. */
function rewritten(
  key: string,
  values: readonly AttributeValue[],
  name: NewName,
): AttributeValue[] | undefined {
  const texts = values.map((value) => renamed(key, String(value), name));
  if (texts.every((text, index) => text === values[index])) return undefined;
  const attribute = findAttribute(key);
  const normalize = attribute && equalityOf(attribute).normalize;
  const byName = new Map(
    texts.filter((text) => text !== undefined).map((text) => [normalize?.(text) ?? text, text]),
  );
  return [...byName.values()];
}

function renamed(key: string, value: string, { from, to }: NewName): string | undefined {
  // A uniqueMember may end with a unique identifier: `cn=a,o=b#'0101'B` (RFC 4517 §3.3.21).
  const identifier = key === 'uniquemember' ? (/#'[01]*'B$/.exec(value)?.[0] ?? '') : '';
  const name = value.slice(0, value.length - identifier.length);
  // Skips the other members of a large group without parsing them.
  if (!Dn.keyOf(name)?.endsWith(from.key)) return value;
  const dn = Dn.tryParse(name);
  if (!dn?.isWithin(from)) return value;
  return to && dn.rebase(from, to).toString() + identifier;
}
