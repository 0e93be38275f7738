/**
 * How much work an update is, told without doing it. A unit is some 0.1 µs of a processor of three gigahertz, as it was
 * measured: what each value that comes or goes costs in the indexes, and each that stays as its entry is written anew.
 */
import type { AttributeValue } from '@watchword/core/foundation';
import { referrersOf } from '../entries/references.ts';
import type { Update } from '../entries/update.ts';
import { hasPieces, referenceAttributes } from '../indexes/index-keys.ts';
import { findAttribute } from '../schema/schema.ts';
import type { Snapshot } from '../storage/snapshot.ts';

/** An entry that is rewritten; one below an entry that gets another name. */
const [perEntry, perBelow] = [1000, 400];
/** A value that comes or goes; one that those are compared with; one that only stays. */
const [perValue, perCompared, perStaying] = [100, 40, 15];
/** A character of one that comes or goes; one that is found by pieces; a byte. */
const [perCharacter, perPiece, perByte] = [1, 100, 1 / 32];
/** An entry of so many bytes is nothing to speak of, whatever is in it. */
const smallEntry = 4096;

/** What is asked for is at least so much work. It is counted no further. */
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

/** What becomes of the values that an attribute has. */
type Fate = (key: string) => 'go' | 'are compared' | 'stay';

const fateInReferrers: Fate = (key) => (referenceAttributes.includes(key) ? 'are compared' : 'stay');

function fateIn(update: Exclude<Update, { kind: 'add' }>): Fate {
  if (update.kind === 'remove') return () => 'go';
  if (update.kind === 'rename') return () => 'stay';
  const touched = new Map<string | undefined, 'go' | 'are compared'>();
  for (const { operation, attribute, values } of update.changes) {
    const isWhole = operation === 'replace' || values.length === 0;
    touched.set(findAttribute(attribute)?.key, isWhole ? 'go' : 'are compared');
  }
  return (key) => touched.get(key) ?? 'stay';
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
    if (its === 'go') yield* valuesOf(key, values);
    else yield values.length * (its === 'stay' ? perStaying : perCompared);
  }
}
