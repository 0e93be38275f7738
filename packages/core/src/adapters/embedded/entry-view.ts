/** One entry as searches see it: stored attributes, and those that are computed when somebody asks. */
import type { Entry } from '../../directory/directory.ts';
import { Dn } from '../../directory/dn.ts';
import { type Attributes, type AttributeValue, isPasswordAttribute } from '../../directory/value.ts';
import { findAttribute } from './schema.ts';
import type { Snapshot, StoredEntry } from './snapshot.ts';

/** Whether an attribute, given by its key, may be seen. */
export type MayRead = (key: string) => boolean;

export class EntryView {
  readonly id: number;
  readonly stored: StoredEntry;
  readonly #snapshot: Snapshot;
  #dn: Dn | undefined;

  constructor(snapshot: Snapshot, id: number, stored: StoredEntry) {
    this.#snapshot = snapshot;
    this.id = id;
    this.stored = stored;
  }

  get dn(): Dn {
    this.#dn ??= Dn.parse(this.#snapshot.nameOf(this.stored));
    return this.#dn;
  }

  /** Values of one attribute by its key; none if it is absent. */
  values(key: string): readonly AttributeValue[] {
    const computed = computedAttributes.get(key);
    return computed ? computed(this, this.#snapshot) : (this.stored.attributes.get(key) ?? []);
  }

  /** Keys of all attributes there are, computed ones among them. */
  keys(): string[] {
    return [...this.stored.attributes.keys(), ...computedAttributes.keys()];
  }
}

type Compute = (view: EntryView, snapshot: Snapshot) => readonly AttributeValue[];

const computedAttributes = new Map<string, Compute>([
  ['entrydn', (view) => [view.dn.toString()]],
  ['hassubordinates', ({ id }, snapshot) => [snapshot.hasChildren(id) ? 'TRUE' : 'FALSE']],
  [
    'memberof',
    ({ dn }, snapshot) => {
      const groups = snapshot.groupsOf(dn.key).map((id) => snapshot.entry(id));
      return groups.filter((group) => group !== undefined).map((group) => snapshot.nameOf(group));
    },
  ],
]);

export const isComputed = (key: string): boolean => computedAttributes.has(key);

/**
 * What a search returns of an entry. `names` left out or `*` stands for all user attributes but passwords,
 * `+` for all operational ones (RFC 3673), `1.1` for none.
 */
export function select(view: EntryView, names: readonly string[] | undefined, mayRead: MayRead): Entry {
  const attributes = new Map<string, readonly AttributeValue[]>();
  for (const key of selectedKeys(view, names ?? ['*'])) {
    const values = mayRead(key) ? view.values(key) : [];
    if (values.length > 0) attributes.set(key, values);
  }
  return { dn: view.dn.toString(), attributes: attributes satisfies Attributes };
}

function selectedKeys(view: EntryView, names: readonly string[]): Set<string> {
  const keys = names.flatMap((name) => {
    if (name === '*') return view.keys().filter((key) => !isOperational(key) && !isPasswordAttribute(key));
    if (name === '+') return view.keys().filter(isOperational);
    return findAttribute(name)?.withSubtypes ?? [];
  });
  return new Set(keys);
}

function isOperational(key: string): boolean {
  return findAttribute(key)?.operational ?? false;
}
