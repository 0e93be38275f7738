/** The plan of a search: a superset of the matching entries from the indexes. Each candidate is still tested by the filter. */

import { type AttributeValue, Dn, type Filter } from '@watchword/core/foundation';
import { type IdList, intersection, listOf, none, union } from '../indexes/id-list.ts';
import { equalityKey, hasPieces, isIndexed, pieceKeys, presenceKey } from '../indexes/index-keys.ts';
import { equalityOf } from '../schema/matching-rules.ts';
import { findAttribute, findClass, findUntagged } from '../schema/schema.ts';
import type { Snapshot } from '../storage/snapshot.ts';

/** Returns the entries that may match, in order of creation; undefined if the indexes cannot limit them. */
export function candidates(snapshot: Snapshot, filter: Filter): IdList | undefined {
  return new Plan(snapshot).candidates(filter, mostLeaps);
}

/** Most look-ups of a plan, which take some 10 ms. A filter of thousands of parts could cause more. */
const mostLookUps = 5000;
/** Most look-ups for the next candidate, which take under 1 ms. The parts of an `or` share them. */
const mostLeaps = 1000;
/** Entries that are tested faster than another list is read. */
const fewEntries = 4;
/** A list longer than another by this factor costs more to intersect than it rules out. */
const muchLonger = 100;
/** Most lists to intersect, the shortest ones: more seldom rule out anything. */
const mostLists = 8;
/** Members of a larger group are found faster by a scan of the entries. */
const mostMembers = 1000;

class Plan {
  readonly #snapshot: Snapshot;
  #lookUpsLeft = mostLookUps;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  candidates(filter: Filter, leaps: number): IdList | undefined {
    switch (filter.kind) {
      case 'and':
        return intersectionOf(this.#each([...filter.filters].sort(mostSelectiveFirst), leaps), leaps);
      case 'or':
        return unionOf([...this.#each(filter.filters, leaps / filter.filters.length)]);
      case 'equality':
      case 'approx':
        return this.#withValue(filter);
      case 'present':
        return this.#withAttribute(filter.attribute);
      case 'substrings':
        return this.#withPieces(filter, leaps);
      default:
        return undefined;
    }
  }

  *#each(filters: readonly Filter[], leaps: number): Generator<IdList | undefined> {
    for (const filter of filters) yield this.candidates(filter, leaps);
  }

  #list(key: string): IdList | undefined {
    return this.#mayLookUp(1) ? this.#snapshot.list(key) : undefined;
  }

  #mayLookUp(times: number): boolean {
    this.#lookUpsLeft -= times;
    return this.#lookUpsLeft >= 0;
  }

  #withValue(filter: Extract<Filter, { value: AttributeValue; attribute: string }>): IdList | undefined {
    const attribute = findUntagged(filter.attribute);
    const normalized = attribute && equalityOf(attribute).normalize(filter.value);
    if (!attribute || normalized === undefined) return none;
    if (attribute.key === 'objectclass') {
      const objectClass = findClass(String(filter.value));
      return objectClass ? this.#list(equalityKey('objectclass', objectClass.key)) : none;
    }
    if (attribute.key === 'memberof') return this.#membersOf(String(filter.value));
    return isIndexed(attribute.key) ? this.#list(equalityKey(attribute.key, normalized)) : undefined;
  }

  #membersOf(group: string): IdList | undefined {
    const dn = Dn.tryParse(group);
    const id = dn && this.#snapshot.find(dn);
    const attributes = id === undefined ? undefined : this.#snapshot.entry(id)?.attributes;
    const members = ['member', 'uniquemember'].flatMap((key) => attributes?.get(key) ?? []).map(String);
    if (members.length > mostMembers || !this.#mayLookUp(members.length)) return undefined;
    const ids = members
      .map((member) => Dn.tryParse(member.replace(/#'[01]*'B$/, '')))
      .map((it) => it && this.#snapshot.find(it));
    return listOf([...new Set(ids.filter((it) => it !== undefined))].sort((a, b) => a - b));
  }

  #withAttribute(name: string): IdList | undefined {
    const attribute = findUntagged(name);
    if (!attribute) return none;
    return isIndexed(attribute.key) ? this.#list(presenceKey(attribute.key)) : undefined;
  }

  /** Returns the entries with all pieces, in any order. */
  #withPieces(filter: Extract<Filter, { kind: 'substrings' }>, leaps: number): IdList | undefined {
    const attribute = findUntagged(filter.attribute);
    if (!attribute) return none;
    if (!hasPieces(attribute.key)) return undefined;
    return intersectionOf(this.#lists(new Set(pieceKeys(attribute, filter))), leaps);
  }

  *#lists(keys: Iterable<string>): Generator<IdList | undefined> {
    for (const key of keys) yield this.#list(key);
  }
}

/** Intersects the lists that are worth it; undefined without any list. */
function intersectionOf(lists: Iterable<IdList | undefined>, leaps: number): IdList | undefined {
  const found: IdList[] = [];
  for (const list of lists) {
    if (list && list.size <= fewEntries) return list;
    if (list) found.push(list);
  }
  const [rarest, ...others] = found.sort((a, b) => a.size - b.size);
  if (!rarest) return undefined;
  const selective = others.filter(({ size }) => size <= rarest.size * muchLonger);
  return intersection([rarest, ...selective.slice(0, mostLists - 1)], leaps);
}

/** Unites the lists; undefined if one is missing. */
function unionOf(lists: readonly (IdList | undefined)[]): IdList | undefined {
  const found = lists.filter((list) => list !== undefined);
  return found.length === lists.length ? union(found) : undefined;
}

/** Sorts an object class last, which most entries share. */
function mostSelectiveFirst(a: Filter, b: Filter): number {
  return rank(a) - rank(b);
}

function rank(filter: Filter): number {
  if (filter.kind === 'equality') return findAttribute(filter.attribute)?.key === 'objectclass' ? 3 : 0;
  return filter.kind === 'substrings' ? 1 : 2;
}
