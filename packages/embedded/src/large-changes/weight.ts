/**
 * The estimated cost of an update. A unit is some 0.1 µs of a processor of three gigahertz. Values that change cost work in the indexes, and all
 * values of an entry are rewritten.
 */
import type { AttributeValue } from '@watchword/core/foundation';
import { referrersOf } from '../entries/references.ts';
import type { Update } from '../entries/update.ts';
import { hasPieces, referenceAttributes } from '../indexes/index-keys.ts';
import { findAttribute } from '../schema/schema.ts';
import type { Snapshot } from '../storage/snapshot.ts';

/** Costs of a rewritten entry, and of an entry below a renamed one. */
const [perEntry, perBelow] = [1000, 400];
/** Costs of a value that is added or removed, of a value that is compared, and of one that is kept. */
const [perValue, perCompared, perStaying] = [100, 40, 15];
/** Costs of a character of a changed value, of one indexed by pieces, and of a byte. */
const [perCharacter, perPiece, perByte] = [1, 100, 1 / 32];
/** The size of an entry in bytes below which its values are not counted. */
const smallEntry = 4096;

/** Returns whether an update costs at least this much. */
export function isLarge(snapshot: Snapshot, update: Update, least: number): boolean {
  let weight = 0;
  for (const part of partsOf(snapshot, update)) {
    weight += part;
    if (weight >= least) return true;
  }
  return false;
}

function* partsOf(snapshot: Snapshot, update: Update): Generator<number> {
  if (update.kind === 'add') {
    for (const [attribute, values] of update.attributes) yield* valuesOf(attribute, values);
    return;
  }
  if (update.kind === 'modify')
    for (const { attribute, values } of update.changes) yield* valuesOf(attribute, values);
  const id = snapshot.find(update.dn);
  if (id === undefined) return;
  yield* entryOf(snapshot, id, fateIn(update));
  if (update.kind === 'modify') return;
  if (update.kind === 'rename') for (const _ of snapshot.subtree(id)) yield perBelow;
  for (const referrer of referrersOf(snapshot, id)) yield* entryOf(snapshot, referrer, fateInReferrers);
}

/** The fate of the present values of an attribute. */
type Fate = (key: string) => 'removed' | 'compared' | 'kept';

const fateInReferrers: Fate = (key) => (referenceAttributes.includes(key) ? 'compared' : 'kept');

function fateIn(update: Exclude<Update, { kind: 'add' }>): Fate {
  if (update.kind === 'remove') return () => 'removed';
  if (update.kind === 'rename') return () => 'kept';
  const changed = new Map<string | undefined, 'removed' | 'compared'>();
  for (const { operation, attribute, values } of update.changes) {
    const isWhole = operation === 'replace' || values.length === 0;
    changed.set(findAttribute(attribute)?.key, isWhole ? 'removed' : 'compared');
  }
  return (key) => changed.get(key) ?? 'kept';
}

function* valuesOf(description: string, values: readonly AttributeValue[]): Generator<number> {
  const each = hasPieces(findAttribute(description)?.key ?? '') ? perPiece : perCharacter;
  for (const value of values) yield perValue + value.length * (typeof value === 'string' ? each : perByte);
}

function* entryOf(snapshot: Snapshot, id: number, fate: Fate): Generator<number> {
  const size = snapshot.sizeOf(id);
  yield perEntry + size * perByte;
  if (size <= smallEntry) return;
  for (const [key, values] of snapshot.entry(id)?.attributes ?? []) {
    const its = fate(key);
    if (its === 'removed') yield* valuesOf(key, values);
    else yield values.length * (its === 'kept' ? perStaying : perCompared);
  }
}
