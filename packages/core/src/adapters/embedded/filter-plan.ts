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

/** Numbers of the entries that may match, in order of creation; undefined if the indexes do not tell. */
export function candidates(snapshot: Snapshot, filter: Filter): readonly number[] | undefined {
  return new Plan(snapshot).candidates(filter, Number.POSITIVE_INFINITY);
}

type Candidates = readonly number[] | undefined;

/**
 * Numbers of entries that a plan reads from the indexes, in all: some 20 ms. A filter of a thousand parts could
 * have it read millions of them; going through the entries, with pauses, is then the better way.
 */
const allowance = 500_000;
/** What it costs to look for a key, in numbers read. */
const lookUp = 100;

/** A piece that more entries have costs more to read than it sorts out, as long as there is a rarer one. */
const rareEnough = 1000;
/** The members of a larger group are found faster by going through the entries than one by one. */
const mostMembers = 1000;

class Plan {
  readonly #snapshot: Snapshot;
  #left = allowance;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** Undefined also if they are more than `atMost`. */
  candidates(filter: Filter, atMost: number): Candidates {
    switch (filter.kind) {
      case 'and':
        return this.#fewest(filter.filters, atMost);
      case 'or':
        return this.#union(filter.filters, atMost);
      case 'equality':
      case 'approx':
        return this.#withValue(filter, atMost);
      case 'present':
        return this.#withAttribute(filter.attribute, atMost);
      case 'substrings':
        return this.#withPieces(filter, atMost);
      default:
        return undefined;
    }
  }

  #ids(key: string, atMost: number): readonly number[] | undefined {
    const most = Math.min(atMost, this.#left);
    if (most <= 0) return undefined;
    const ids = this.#snapshot.ids(key, most);
    this.#left -= lookUp + (ids?.length ?? most);
    return ids;
  }

  #fewest(filters: readonly Filter[], atMost: number): Candidates {
    let best: Candidates;
    for (const filter of [...filters].sort(mostTellingFirst)) {
      best = this.candidates(filter, best ? best.length - 1 : atMost) ?? best;
      if (best?.length === 0) return best;
    }
    return best;
  }

  #union(filters: readonly Filter[], atMost: number): Candidates {
    const found = new Set<number>();
    for (const filter of filters) {
      const part = this.candidates(filter, atMost);
      if (!part) return undefined;
      for (const id of part) found.add(id);
    }
    return [...found].sort((a, b) => a - b);
  }

  #withValue(
    filter: Extract<Filter, { value: AttributeValue; attribute: string }>,
    atMost: number,
  ): Candidates {
    const attribute = findAttribute(filter.attribute);
    const normalized = attribute?.equality.normalize(filter.value);
    if (!attribute || normalized === undefined) return [];
    if (attribute.key === 'objectclass') {
      const objectClass = findClass(String(filter.value));
      return objectClass ? this.#ids(equalityKey('objectclass', objectClass.key), atMost) : [];
    }
    if (attribute.key === 'memberof') return this.#membersOf(String(filter.value));
    return isIndexed(attribute.key) ? this.#ids(equalityKey(attribute.key, normalized), atMost) : undefined;
  }

  #membersOf(group: string): Candidates {
    const dn = Dn.tryParse(group);
    const id = dn && this.#snapshot.find(dn);
    const attributes = id === undefined ? undefined : this.#snapshot.entry(id)?.attributes;
    const members = ['member', 'uniquemember'].flatMap((key) => attributes?.get(key) ?? []).map(String);
    if (members.length > mostMembers) return undefined;
    const ids = members
      .map((member) => Dn.tryParse(member.replace(/#'[01]*'B$/, '')))
      .map((it) => it && this.#snapshot.find(it));
    return [...new Set(ids.filter((it) => it !== undefined))].sort((a, b) => a - b);
  }

  #withAttribute(name: string, atMost: number): Candidates {
    const attribute = findAttribute(name);
    if (!attribute) return [];
    return isIndexed(attribute.key) ? this.#ids(presenceKey(attribute.key), atMost) : undefined;
  }

  /** Entries that have all the pieces somewhere. */
  #withPieces(filter: Extract<Filter, { kind: 'substrings' }>, atMost: number): Candidates {
    const attribute = findAttribute(filter.attribute);
    if (!attribute) return [];
    if (!hasPieces(attribute.key)) return undefined;
    const keys = [...new Set(pieceKeys(attribute, filter))];
    const under = (most: number) =>
      keys.map((key) => this.#ids(key, most)).filter((ids) => ids !== undefined);
    const rare = under(rareEnough);
    return intersection(rare.length > 0 ? rare : under(atMost));
  }
}

/** An object class is what most entries share: better asked when something else has set a bound. */
function mostTellingFirst(a: Filter, b: Filter): number {
  return effort(a) - effort(b);
}

function effort(filter: Filter): number {
  if (filter.kind === 'equality') return findAttribute(filter.attribute)?.key === 'objectclass' ? 3 : 0;
  return filter.kind === 'substrings' ? 1 : 2;
}

/** What all lists have in common; undefined if there are no lists. */
function intersection(lists: readonly (readonly number[])[]): Candidates {
  const [shortest, ...others] = [...lists].sort((a, b) => a.length - b.length);
  const sets = others.map((ids) => new Set(ids));
  return shortest?.filter((id) => sets.every((ids) => ids.has(id)));
}
