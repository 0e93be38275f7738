/** The effective values of a change: missing ones to add, existing ones to delete. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapCooperatively } from '../../foundation/runtime/cooperative.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { equal, or } from '../../foundation/text/filter.ts';
import {
  type Attributes,
  type AttributeValue,
  isNameAttribute,
  valueKey,
} from '../../foundation/text/value.ts';
import type { Change, Directory } from '../../ports/directory/directory.ts';
import { readExisting } from './entry.ts';

/** Values to add or to delete. */
export interface WantedValues {
  readonly operation: Exclude<Change['operation'], 'replace'>;
  readonly attributes: Attributes;
}

/**
 * Returns the values that change the entry.
 * @throws ServiceError `not_found`
 */
export async function effectiveValues(
  directory: Directory,
  dn: Dn,
  { operation, attributes }: WantedValues,
): Promise<Attributes> {
  const entry = await readExisting(directory, dn, [...attributes.keys()]);
  const effective = new Map<string, readonly AttributeValue[]>();
  for (const [attribute, values] of attributes) {
    const held = await valuesHeld(directory, dn, { attribute, values, own: entry.attributes.get(attribute) });
    effective.set(
      attribute,
      values.filter((value) => held.has(value) === (operation === 'delete')),
    );
  }
  return effective;
}

interface Question {
  readonly attribute: string;
  readonly values: readonly AttributeValue[];
  /** The existing values of the entry. */
  readonly own: readonly AttributeValue[] | undefined;
}

async function valuesHeld(
  directory: Directory,
  dn: Dn,
  { attribute, values, own = [] }: Question,
): Promise<ReadonlySet<AttributeValue>> {
  const toKey = isNameAttribute(attribute) ? nameKey : valueKey;
  const keys = new Set(await mapCooperatively(own, atOnce, toKey));
  const isKnown = await mapCooperatively(values, atOnce, (value) => keys.has(toKey(value)));
  const held = new Set(values.filter((_, index) => isKnown[index]));
  const inDoubt = values.filter((_, index) => !isKnown[index]);
  for (let from = 0; from < inDoubt.length; from += askedAtOnce) {
    const some = inDoubt.slice(from, from + askedAtOnce);
    for (const value of await matching(directory, dn, attribute, some)) held.add(value);
  }
  return held;
}

/** Values between two yields: about a millisecond. */
const atOnce = 500;
/** Values in one filter: OpenLDAP and Active Directory accept many more. */
const askedAtOnce = 200;

/** Returns a key that equal names share in every directory, see `Dn.key`. */
const nameKey = (value: AttributeValue): string =>
  (typeof value === 'string' ? Dn.keyOf(value) : undefined) ?? valueKey(value);

/**
 * Finds existing values by the directory's matching rule, under which spellings of a telephone number are equal. One search tests all values,
 * because mostly none exist.
 */
async function matching(
  directory: Directory,
  dn: Dn,
  attribute: string,
  values: readonly AttributeValue[],
): Promise<readonly AttributeValue[]> {
  await nextTurn(); // the entry may have thousands of values
  const filter = or(...values.map((value) => equal(attribute, value)));
  const found = await directory.search({ base: dn, scope: 'base', filter, attributes: ['1.1'] });
  if (found.length === 0) return [];
  if (values.length === 1) return values;
  const middle = Math.ceil(values.length / 2);
  const halves = [values.slice(0, middle), values.slice(middle)];
  const ofHalves: AttributeValue[] = [];
  for (const half of halves) ofHalves.push(...(await matching(directory, dn, attribute, half)));
  return ofHalves;
}
