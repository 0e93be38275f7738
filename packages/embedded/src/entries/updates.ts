/** The four updates of a directory, RFC 4511 §4.6–4.9, within a write transaction. Each checks everything before it writes. */

import {
  type Attributes,
  type AttributeValue,
  Dn,
  formatRdn,
  maxDnLength,
  maxDnLevels,
  type Rdn,
  ServiceError,
} from '@watchword/core/foundation';
import type { Change, Rename } from '@watchword/core/ports';
import { findAttribute, isPassword } from '../schema/schema.ts';
import type { StoredEntry } from '../storage/snapshot.ts';
import type { Transaction } from '../storage/transaction.ts';
import { applyChanges, modifiable } from './changes.ts';
import { attributeOf, checkEntry, checkValues, holds, schemaRefused } from './entry-rules.ts';
import { type NewName, referrersOf, updateReferences } from './references.ts';
import { type ChangeContext, formatGeneralizedTime, stampCreated, stampModified } from './stamps.ts';

type MutableAttributes = Map<string, readonly AttributeValue[]>;

/** @throws ServiceError `already_exists`, `not_found` (the parent), `schema_refused` */
export function addEntry(transaction: Transaction, dn: Dn, added: NewEntry): void {
  for (const description of added.attributes.keys()) modifiable(description);
  importEntry(transaction, dn, added);
}

/** Adds an entry that may have operational attributes. @throws as {@link addEntry} */
export function importEntry(transaction: Transaction, dn: Dn, added: NewEntry): void {
  if (transaction.find(dn) !== undefined) throw new ServiceError('already_exists');
  const parent = dn.parent && transaction.find(dn.parent);
  if (parent === undefined) throw new ServiceError('not_found', { detail: 'the entry above does not exist' });
  refuseLongName(transaction, parent, { rdn: dn.rdn });
  transaction.insert(parent, dn.rdn, completeEntry(transaction, dn, added));
}

export interface NewEntry {
  readonly attributes: Attributes;
  readonly author: ChangeContext;
}

/** Checks a new entry. @returns its attributes with the values of its RDN and operational attributes */
export function completeEntry(
  transaction: Transaction,
  dn: Dn,
  { attributes, author }: NewEntry,
): Attributes {
  const complete: MutableAttributes = new Map();
  for (const [description, values] of attributes) {
    const attribute = attributeOf(description);
    const all = [...(complete.get(attribute.key) ?? []), ...values];
    if (all.length > 0) complete.set(attribute.key, checkValues(attribute, all));
  }
  addNamingValues(complete, dn.rdn);
  complete.set('structuralobjectclass', [checkEntry(complete, dn.rdn).name]);
  stampCreated(transaction, complete, author);
  return complete;
}

export function modifyEntry(
  transaction: Transaction,
  dn: Dn,
  { changes, author }: { changes: readonly Change[]; author: ChangeContext },
): void {
  const [id, entry] = existing(transaction, dn);
  const attributes = applyChanges(entry.attributes, changes);
  const structural = checkEntry(attributes, Dn.parse(entry.rdn).rdn).name;
  const before = String(entry.attributes.get('structuralobjectclass')?.[0]);
  if (structural !== before) {
    throw schemaRefused(
      `structural object class modification from '${before}' to '${structural}' not allowed`,
    );
  }
  stampPasswordChange(attributes, changes, author.now);
  stampModified(transaction, attributes, author);
  transaction.update(id, entry, attributes);
}

export function renameEntry(
  transaction: Transaction,
  dn: Dn,
  { to, author }: { to: Rename; author: ChangeContext },
): void {
  const [id, entry] = existing(transaction, dn);
  const parent = newParent(transaction, dn, to);
  const target = transaction.find(parent.dn.child(to.rdn));
  if (target !== undefined && target !== id) throw new ServiceError('already_exists');
  if (transaction.isWithin(parent.id, id)) throw schemaRefused('an entry cannot stand below itself');
  const from = Dn.parse(entry.rdn).rdn;
  const attributes = renamedAttributes(entry.attributes, from, to.rdn);
  const name: NewName = { from: nameIn(transaction, entry), to: parent.dn.child(to.rdn) };
  refuseLongName(transaction, parent.id, { rdn: to.rdn, moved: id });
  const referrers = referrersOf(transaction, id);
  transaction.relink(id, { parent: entry.parent, rdn: from }, { parent: parent.id, rdn: to.rdn });
  const [, relinked] = existing(transaction, parent.dn.child(to.rdn));
  stampModified(transaction, attributes, author);
  transaction.update(id, relinked, attributes);
  for (const referrer of referrers) updateReferences(transaction, referrer, { name, author });
}

export function removeEntry(transaction: Transaction, dn: Dn, author: ChangeContext): void {
  const [id, entry] = existing(transaction, dn);
  if (entry.parent === 0) throw schemaRefused('the base of the directory cannot be removed');
  if (transaction.hasChildren(id)) throw schemaRefused('subordinate objects must be deleted first');
  const name: NewName = { from: nameIn(transaction, entry), to: undefined };
  const referrers = referrersOf(transaction, id).filter((referrer) => referrer !== id);
  transaction.delete(id, entry, Dn.parse(entry.rdn).rdn);
  for (const referrer of referrers) updateReferences(transaction, referrer, { name, author });
}

function existing(transaction: Transaction, dn: Dn): [id: number, entry: StoredEntry] {
  const id = transaction.find(dn);
  const entry = id === undefined ? undefined : transaction.entry(id);
  if (id === undefined || !entry) throw new ServiceError('not_found');
  return [id, entry];
}

function newParent(transaction: Transaction, dn: Dn, to: Rename): { dn: Dn; id: number } {
  if (dn.equals(transaction.base)) throw schemaRefused('the base of the directory cannot be renamed');
  const parent = to.parent ?? dn.parent ?? transaction.base;
  const id = transaction.find(parent);
  if (id === undefined) throw new ServiceError('not_found', { detail: 'the new entry above does not exist' });
  return { dn: parent, id };
}

function renamedAttributes(before: Attributes, from: Rdn, to: Rdn): MutableAttributes {
  const attributes = new Map(before);
  for (const { type, value } of from) {
    const attribute = attributeOf(type);
    const kept = attributes.get(attribute.key)?.filter((other) => !holds(attribute, [value], other)) ?? [];
    if (kept.length > 0) attributes.set(attribute.key, kept);
    else attributes.delete(attribute.key);
  }
  addNamingValues(attributes, to);
  checkEntry(attributes, to);
  return attributes;
}

function addNamingValues(attributes: MutableAttributes, rdn: Rdn): void {
  for (const { type, value } of rdn) {
    const attribute = attributeOf(type);
    // A password in a DN could be read by all.
    if (attribute.operational || isPassword(attribute.key))
      throw schemaRefused(`naming violation: naming attribute '${attribute.name}' cannot be used`);
    const values = attributes.get(attribute.key) ?? [];
    if (holds(attribute, values, value)) continue;
    attributes.set(attribute.key, [...values, ...checkValues(attribute, [value])]);
  }
}

/**
 * Refuses a DN longer than our own parser accepts: neither the entry nor its LDIF could be read again.
 * @param name.moved number of a renamed entry, whose subtree is checked, too
 */
function refuseLongName(
  transaction: Transaction,
  parent: number,
  { rdn, moved }: { rdn: Rdn; moved?: number },
): void {
  let length = `${formatRdn(rdn)},${transaction.nameOfId(parent)}`.length;
  let levels = transaction.levelsOf(parent) + 1;
  if (moved !== undefined) {
    const [before, levelsBefore] = [transaction.nameOfId(moved).length, transaction.levelsOf(moved)];
    const grown = { length: length - before, levels: levels - levelsBefore };
    if (grown.length <= 0 && grown.levels <= 0) return;
    for (const id of transaction.subtree(moved)) {
      length = Math.max(length, transaction.nameOfId(id).length + grown.length);
      levels = Math.max(levels, transaction.levelsOf(id) + grown.levels);
    }
  }
  if (length > maxDnLength || levels > maxDnLevels) throw schemaRefused('the name is too long');
}

function nameIn(transaction: Transaction, entry: StoredEntry): Dn {
  return Dn.parse(transaction.nameOf(entry));
}

/** Sets the time of a password change and clears `pwdReset`, draft Behera §5.3. */
function stampPasswordChange(attributes: MutableAttributes, changes: readonly Change[], now: number): void {
  if (!changes.some(({ attribute }) => isPassword(attribute))) return;
  if (attributes.has('userpassword')) attributes.set('pwdchangedtime', [formatGeneralizedTime(now)]);
  else attributes.delete('pwdchangedtime');
  if (!changes.some(({ attribute }) => findAttribute(attribute)?.key === 'pwdreset'))
    attributes.delete('pwdreset');
}
