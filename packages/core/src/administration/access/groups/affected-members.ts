/** Members whose rights a change of a group affects: those added or removed, or all if the effect of the group on them changes. */
import type { Schema } from '../../../config/config.ts';
import { hasClass, texts } from '../../../directory/entry/entry.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { describedType, valuesOfName } from '../../../foundation/text/rdn.ts';
import { type Attributes, type AttributeValue, textsOf } from '../../../foundation/text/value.ts';
import type { Change, Entry, Rename } from '../../../ports/directory/directory.ts';
import { classesOf, type MemberNames, MemberSchema } from './members.ts';

export interface AffectedGroup {
  readonly names: MemberNames;
  /** The group is activated or carries settings: it decides for its members. */
  readonly decides: boolean;
}

/** Reads an entry as the service sees it; an entry that is not there has no attributes. @param attributes the attributes that the change is judged by */
export type ReadGroup = (dn: Dn, attributes: readonly string[]) => Promise<Entry>;

type Pair = readonly [string, readonly AttributeValue[]];

export class AffectedMembers {
  readonly #schema: Schema;
  readonly #members: MemberSchema;
  readonly #read: ReadGroup;

  constructor(schema: Schema, read: ReadGroup) {
    this.#schema = schema;
    this.#members = new MemberSchema(schema);
    this.#read = read;
  }

  /** Returns the members that a new entry names; the values of its name become values of the entry. */
  ofNew(dn: Dn, attributes: Attributes): AffectedGroup {
    const given = merged([...attributes, ...valuesOfName(dn.rdn)]);
    const classes = textsOf(given.get('objectclass') ?? []);
    const decides = givesSettings([...attributes.keys()], this.#schema) || this.#isLicence(classes);
    return { names: this.#members.namesIn(given, classes), decides };
  }

  /** Returns the members that changes touch; undefined: the changes touch no members of any entry. */
  async ofChanges(dn: Dn, changes: readonly Change[]): Promise<AffectedGroup | undefined> {
    const named = changes.map(({ attribute }) => attribute);
    const isWhole = named.some((name) => concernsAll(name, this.#schema));
    if (!isWhole && !named.some((name) => this.#members.isMembership(name))) return undefined;
    const before = await this.#readGroup(dn);
    const given = merged(changes.map(({ attribute, values }) => [attribute, values] as const));
    const classes = [...classesOf(before), ...textsOf(given.get('objectclass') ?? [])];
    const touched = isWhole ? merged([...before.attributes, ...given]) : differing(changes, before);
    const decides = this.#decides(before) || givesSettings(named, this.#schema) || this.#isLicence(classes);
    return { names: this.#members.namesIn(touched, classes), decides };
  }

  /** Returns the members of a group that is removed or renamed: policies name groups. */
  async ofWhole(dn: Dn, to?: Rename): Promise<AffectedGroup> {
    const before = await this.#readGroup(dn);
    const names = this.#members.namesIn(
      merged([...before.attributes, ...valuesOfName(to?.rdn ?? [])]),
      classesOf(before),
    );
    return { names, decides: this.#decides(before) };
  }

  #readGroup(dn: Dn): Promise<Entry> {
    return this.#read(dn, [...this.#members.attributes, this.#schema.settings_attribute]);
  }

  #isLicence(classes: readonly string[]): boolean {
    const licence = this.#schema.group_account_class.toLowerCase();
    return classes.some((name) => name.toLowerCase() === licence);
  }

  #decides(entry: Entry): boolean {
    const { group_account_class, settings_attribute } = this.#schema;
    return hasClass(entry, [group_account_class]) || texts(entry, settings_attribute).length > 0;
  }
}

/** Returns whether a change of an attribute changes what a group is to all its members. */
export const concernsAll = (attribute: string, schema: Schema): boolean =>
  describedType(attribute) === 'objectclass' ||
  new MemberSchema(schema).isNumber(attribute) ||
  givesSettings([attribute], schema);

function givesSettings(attributes: readonly string[], { settings_attribute }: Schema): boolean {
  const settings = describedType(settings_attribute);
  return attributes.some((attribute) => describedType(attribute) === settings);
}

/** Merges pairs into attributes by type, with the values of all descriptions and of all names of the type. */
export function merged(pairs: readonly Pair[]): Attributes {
  const all = new Map<string, readonly AttributeValue[]>();
  for (const [name, values] of pairs) {
    const type = describedType(name);
    all.set(type, [...(all.get(type) ?? []), ...values]);
  }
  return all;
}

/** The values that changes add or take away. */
function differing(changes: readonly Change[], before: Entry): Attributes {
  return merged(
    changes.map(({ operation, attribute, values }) => {
      const had = before.attributes.get(attribute.toLowerCase()) ?? [];
      if (operation === 'replace') return [attribute, [...without(had, values), ...without(values, had)]];
      return [attribute, operation === 'delete' && values.length === 0 ? had : values];
    }),
  );
}

function without(
  values: readonly AttributeValue[],
  others: readonly AttributeValue[],
): readonly AttributeValue[] {
  const keys = new Set(others.map(keyOf));
  return values.filter((value) => !keys.has(keyOf(value)));
}

function keyOf(value: AttributeValue): string {
  const [text = ''] = textsOf([value]);
  return Dn.keyOf(text) ?? text;
}
