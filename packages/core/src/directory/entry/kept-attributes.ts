/**
 * Attributes of entries in records instead of the directory, by identifier: always in metadata mode, else while an entry is deactivated
 * (`dormant.ts`). A record is JSON: values by attribute name in lower case. Changes (RFC 4511 §4.6) are made by compare-and-swap.
 */

import { ServiceError } from '../../foundation/errors/errors.ts';
import { memoizeFrozen } from '../../foundation/runtime/bounded-cache.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { type Attributes, attributeType } from '../../foundation/text/value.ts';
import type { Change, DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import type { EntryRecords } from '../../ports/store/entry-records.ts';
import { identifierOf } from './entry.ts';

export type Kept = ReadonlyMap<string, readonly string[]>;

/** A plan of a read: attributes to request, and attributes to add to the answer. */
export interface ReadPlan {
  readonly asked: readonly string[];
  readonly wanted: readonly string[];
  readonly identifier: string;
  /** Whether the identifier was added to the request, and is removed from the answer. */
  readonly hidesIdentifier: boolean;
}

/** Tries, each of which fails only because another change has succeeded. */
const tries = 200;

export class KeptAttributes {
  readonly #server: DirectoryServer;
  readonly #records: EntryRecords;
  readonly #names: ReadonlySet<string>;

  constructor(server: DirectoryServer, records: EntryRecords, names: readonly string[]) {
    this.#server = server;
    this.#records = records;
    this.#names = new Set(names.map(attributeType));
  }

  /** Returns the attribute that identifies an entry, which engines cache. */
  async identifier(dn: Dn): Promise<string> {
    return (await this.#server.capabilities(dn)).identifier;
  }

  has(attribute: string): boolean {
    return this.#names.has(attributeType(attribute));
  }

  /** Returns whether one of some attributes is kept in records, because the directory lacks it. */
  async concerns(attributes: readonly string[], dn: Dn): Promise<boolean> {
    return keepsSome(attributes, this) && !(await this.#server.capabilities(dn)).accountSchema;
  }

  /**
   * Plans a read of an entry, or of entries below it; undefined if no attribute is in records. A read of all user attributes has those of the
   * directory only.
   */
  async plan(attributes: readonly string[] | undefined, dn: Dn): Promise<ReadPlan | undefined> {
    if (!attributes || !keepsSome(attributes, this)) return undefined;
    const { accountSchema, identifier } = await this.#server.capabilities(dn);
    return accountSchema ? undefined : this.#plan(attributes, identifier);
  }

  #plan(attributes: readonly string[], identifier: string): ReadPlan {
    const own = attributes.filter((attribute) => !this.has(attribute));
    const hidesIdentifier = !own.some((attribute) => attributeType(attribute) === identifier);
    return {
      asked: hidesIdentifier ? [...own, identifier] : own,
      wanted: attributes.filter((attribute) => this.has(attribute)).map(attributeType),
      identifier,
      hidesIdentifier,
    };
  }

  /** Adds the kept attributes to entries that were read by a plan. */
  async complete(entries: readonly Entry[], plan: ReadPlan): Promise<readonly Entry[]> {
    const ids = entries.map((entry) => identifierOf(entry, plan.identifier));
    const records = await this.#records.read(ids.filter((id) => id !== undefined));
    return entries.map((entry, index) => {
      const kept = decodeKept(records.get(ids[index] ?? ''));
      const found = plan.wanted.flatMap((name) => {
        const values = kept.get(name);
        return values ? [[name, values] as const] : [];
      });
      const attributes: Attributes = new Map([...entry.attributes, ...found]);
      return {
        ...entry,
        attributes: plan.hidesIdentifier ? without(attributes, plan.identifier) : attributes,
      };
    });
  }

  /**
   * Applies all changes or none.
   * @param entry read with its identifier
   * @throws ServiceError `value_exists`, `value_missing`, `schema_refused`, `permission_denied`, `unavailable`
   */
  async change(entry: Entry, changes: readonly Change[]): Promise<void> {
    await this.#swap(entry, (kept) => changes.reduce(applied, kept));
  }

  /** Removes the record of a removed entry, with its secrets. */
  async forget(entry: Entry): Promise<void> {
    // The identity may have removed the entry without the right to read its identifier.
    if (identifierOf(entry, await this.identifier(Dn.parse(entry.dn))) === undefined) return;
    await this.#swap(entry, () => new Map());
  }

  async #swap(entry: Entry, next: (kept: Kept) => Kept): Promise<void> {
    const id = identifierOf(entry, await this.identifier(Dn.parse(entry.dn)));
    if (id === undefined)
      throw new ServiceError('permission_denied', { detail: 'its identifier cannot be read' });
    for (let left = tries; left > 0; left -= 1) {
      const before = (await this.#records.read([id])).get(id);
      const after = encodeKept(next(decodeKept(before)));
      if (after === before || (await this.#records.swap(id, { before, after }))) return;
    }
    throw new ServiceError('unavailable', { detail: 'it is being changed by others; try again' });
  }
}

function applied(kept: Kept, { operation, attribute, values }: Change): Kept {
  const name = attributeType(attribute);
  const before = kept.get(name) ?? [];
  const given = values.filter((value) => typeof value === 'string');
  if (given.length < values.length)
    throw new ServiceError('schema_refused', { detail: `${attribute} holds text` });
  switch (operation) {
    case 'add':
      if (given.some((value) => before.includes(value))) throw new ServiceError('value_exists');
      return new Map([...kept, [name, [...before, ...given]]]);
    case 'delete':
      if (before.length === 0 || given.some((value) => !before.includes(value)))
        throw new ServiceError('value_missing');
      return new Map([
        ...kept,
        [name, given.length === 0 ? [] : before.filter((value) => !given.includes(value))],
      ]);
    case 'replace':
      return new Map([...kept, [name, [...new Set(given)]]]);
  }
}

export function decodeKept(record: string | undefined): Kept {
  if (record === undefined) return new Map();
  const attributes: Readonly<Record<string, readonly string[]>> = JSON.parse(record);
  return new Map(Object.entries(attributes));
}

/** Drops attributes without values, and a record without attributes. */
export function encodeKept(kept: Kept): string | undefined {
  const attributes = [...kept].filter(([, values]) => values.length > 0);
  return attributes.length === 0 ? undefined : JSON.stringify(Object.fromEntries(attributes));
}

function without(attributes: Attributes, name: string): Attributes {
  return new Map([...attributes].filter(([key]) => key !== name));
}

/** Returns whether one of the attributes is kept. */
const keepsSome = memoizeFrozen((attributes, kept: KeptAttributes) =>
  attributes.some((attribute) => kept.has(attribute)),
);
