/** An entry as searches see it: stored attributes, and computed ones. */

import { type AttributeValue, Dn, isPasswordAttribute } from '@watchword/core/foundation';
import type { Entry } from '@watchword/core/ports';
import type { MatchingRule } from '../schema/matching-rules.ts';
import { attributeTypes, findUntagged } from '../schema/schema.ts';
import type { Snapshot, StoredEntry } from '../storage/snapshot.ts';

/** Values up to this number are compared one by one, and not normalized in advance. */
const few = 16;

/** Returns whether an attribute may be read. */
export type MayRead = (key: string) => boolean;

export class EntryView {
  readonly id: number;
  readonly stored: StoredEntry;
  readonly #snapshot: Snapshot;
  #dn: Dn | undefined;
  /** A cache of normalized values, by attribute key. */
  readonly #normalized = new Map<string, Normalized>();

  constructor(snapshot: Snapshot, id: number, stored: StoredEntry) {
    this.#snapshot = snapshot;
    this.id = id;
    this.stored = stored;
  }

  /** The DN in the directory's spelling. */
  get name(): string {
    return this.#snapshot.nameOf(this.stored);
  }

  get dn(): Dn {
    this.#dn ??= Dn.parse(this.name);
    return this.#dn;
  }

  /** Returns the values of an attribute by its key. */
  values(key: string): readonly AttributeValue[] {
    const computed = computedAttributes.get(key);
    return computed ? computed(this, this.#snapshot) : (this.stored.attributes.get(key) ?? []);
  }

  /** Returns whether an attribute has a value. @param wanted the value as normalized by the rule */
  holds(key: string, rule: MatchingRule, wanted: string): boolean {
    const known = this.#normalized.get(key);
    if (known?.rule !== rule) return this.#isAmong(key, rule, wanted);
    known.texts ??= new Set(this.values(key).map((value) => rule.normalize(value)));
    return known.texts.has(wanted);
  }

  /** Compares values one by one, and marks an attribute with many for the cache. */
  #isAmong(key: string, rule: MatchingRule, wanted: string): boolean {
    const values = this.values(key);
    if (values.length > few) this.#normalized.set(key, { rule, texts: undefined });
    return values.some((value) => rule.normalize(value) === wanted);
  }
}

interface Normalized {
  readonly rule: MatchingRule;
  texts: ReadonlySet<string | undefined> | undefined;
}

type Compute = (view: EntryView, snapshot: Snapshot) => readonly AttributeValue[];

const computedAttributes = new Map<string, Compute>([
  ['entrydn', (view) => [view.name]],
  ['hassubordinates', ({ id }, snapshot) => [snapshot.hasChildren(id) ? 'TRUE' : 'FALSE']],
  ['memberof', ({ dn }, snapshot) => [...snapshot.groupsOf(dn.key)].map((id) => snapshot.nameOfId(id))],
]);

/** Attributes that a search returns only by name. */
const onRequest = new Set(
  attributeTypes()
    .filter(({ key, operational }) => operational || isPasswordAttribute(key))
    .map(({ key }) => key),
);
const operational = attributeTypes().filter((attribute) => attribute.operational);

/** Selects the attributes of an entry that a search returns. */
export type Selection = (view: EntryView) => Entry;

/**
 * Creates a selection.
 * @param names left out or `*`: all user attributes except passwords; `+`: all operational ones (RFC 3673); empty or `1.1`: none. Unknown
 *   names select nothing.
 */
export function selection(names: readonly string[] | undefined, mayRead: MayRead): Selection {
  const keys = new Set((names ?? []).flatMap(keysNamed).filter(mayRead));
  const allOfUser = names === undefined || names.includes('*');
  return (view) => {
    const attributes = new Map<string, readonly AttributeValue[]>();
    if (allOfUser)
      for (const [key, values] of view.stored.attributes)
        if (!onRequest.has(key)) attributes.set(key, values);
    for (const key of keys) {
      const values = view.values(key);
      if (values.length > 0) attributes.set(key, values);
    }
    return { dn: view.name, attributes };
  };
}

function keysNamed(name: string): readonly string[] {
  if (name === '+') return operational.map(({ key }) => key);
  return findUntagged(name)?.withSubtypes ?? [];
}
