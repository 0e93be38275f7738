/**
 * The plan of a search: which entries can match at all, read from the indexes. What it gives is never too
 * little; each candidate is still tested by the filter.
 */
import { Dn } from '../../directory/dn.ts';
import type { Filter } from '../../directory/filter.ts';
import type { AttributeValue } from '../../directory/value.ts';
import { equalityKey, hasPieces, isIndexed, pieceKeys, presenceKey } from './index-keys.ts';
import { findAttribute, findClass } from './schema.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Numbers of the entries that may match, in order of creation; undefined if the indexes do not tell, or tell
 * of more than `atMost`.
 */
export function candidates(
  snapshot: Snapshot,
  filter: Filter,
  atMost: number,
): readonly number[] | undefined {
  switch (filter.kind) {
    case 'and':
      return fewest(snapshot, filter.filters, atMost);
    case 'or':
      return union(snapshot, filter.filters, atMost);
    case 'equality':
    case 'approx':
      return withValue(snapshot, filter, atMost);
    case 'present':
      return withAttribute(snapshot, filter.attribute, atMost);
    case 'substrings':
      return withPieces(snapshot, filter, atMost);
    default:
      return undefined;
  }
}

function fewest(
  snapshot: Snapshot,
  filters: readonly Filter[],
  atMost: number,
): readonly number[] | undefined {
  let best: readonly number[] | undefined;
  for (const filter of [...filters].sort(mostTellingFirst)) {
    best = candidates(snapshot, filter, best ? best.length - 1 : atMost) ?? best;
    if (best?.length === 0) return best;
  }
  return best;
}

/** An object class is what most entries share: better asked when something else has set a bound. */
function mostTellingFirst(a: Filter, b: Filter): number {
  return effort(a) - effort(b);
}

function effort(filter: Filter): number {
  if (filter.kind === 'equality') return findAttribute(filter.attribute)?.key === 'objectclass' ? 3 : 0;
  return filter.kind === 'substrings' ? 1 : 2;
}

function union(
  snapshot: Snapshot,
  filters: readonly Filter[],
  atMost: number,
): readonly number[] | undefined {
  const found = new Set<number>();
  for (const filter of filters) {
    const part = candidates(snapshot, filter, atMost);
    if (!part) return undefined;
    for (const id of part) found.add(id);
  }
  return [...found].sort((a, b) => a - b);
}

function withValue(
  snapshot: Snapshot,
  filter: { readonly attribute: string; readonly value: AttributeValue },
  atMost: number,
): readonly number[] | undefined {
  const attribute = findAttribute(filter.attribute);
  const normalized = attribute?.equality.normalize(filter.value);
  if (!attribute || normalized === undefined) return [];
  if (attribute.key === 'objectclass') {
    const objectClass = findClass(String(filter.value));
    return objectClass ? snapshot.ids(equalityKey('objectclass', objectClass.key), atMost) : [];
  }
  if (attribute.key === 'memberof') return membersOf(snapshot, String(filter.value));
  return isIndexed(attribute.key) ? snapshot.ids(equalityKey(attribute.key, normalized), atMost) : undefined;
}

function membersOf(snapshot: Snapshot, group: string): readonly number[] {
  const dn = Dn.tryParse(group);
  const id = dn && snapshot.find(dn);
  const attributes = id === undefined ? undefined : snapshot.entry(id)?.attributes;
  const members = ['member', 'uniquemember'].flatMap((key) => attributes?.get(key) ?? []).map(String);
  const ids = members
    .map((member) => Dn.tryParse(member.replace(/#'[01]*'B$/, '')))
    .map((it) => it && snapshot.find(it));
  return [...new Set(ids.filter((it) => it !== undefined))].sort((a, b) => a - b);
}

function withAttribute(snapshot: Snapshot, name: string, atMost: number): readonly number[] | undefined {
  const attribute = findAttribute(name);
  if (!attribute) return [];
  return isIndexed(attribute.key) ? snapshot.ids(presenceKey(attribute.key), atMost) : undefined;
}

/** Entries that have all the pieces somewhere. */
function withPieces(
  snapshot: Snapshot,
  filter: Extract<Filter, { kind: 'substrings' }>,
  atMost: number,
): readonly number[] | undefined {
  const attribute = findAttribute(filter.attribute);
  if (!attribute) return [];
  if (!hasPieces(attribute.key)) return undefined;
  const keys = pieceKeys(attribute, filter);
  const rare = keys.map((key) => snapshot.ids(key, rareEnough)).filter((ids) => ids !== undefined);
  const lists =
    rare.length > 0 ? rare : keys.map((key) => snapshot.ids(key, atMost)).filter((ids) => ids !== undefined);
  return intersection(lists);
}

/** A piece that more entries have costs more to read than it sorts out, as long as there is a rarer one. */
const rareEnough = 1000;

/** What all lists have in common; undefined if there are no lists. */
function intersection(lists: readonly (readonly number[])[]): readonly number[] | undefined {
  const [shortest, ...others] = [...lists].sort((a, b) => a.length - b.length);
  const sets = others.map((ids) => new Set(ids));
  return shortest?.filter((id) => sets.every((ids) => ids.has(id)));
}
