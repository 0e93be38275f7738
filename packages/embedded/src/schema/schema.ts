/**
 * The schema in force: attribute types and object classes, looked up by any of their names or their OID,
 * without regard to case. It is read once from the definitions in `schema/`. It names rules and syntaxes;
 * matching-rules.ts and syntaxes.ts have them.
 */

import {
  attributeType,
  type Definition,
  isPasswordAttribute,
  namesOf,
  parseDefinitions,
  splitDefinitions,
} from '@watchword/core/foundation';
import * as account from './account.ts';
import * as core from './core.ts';
import * as cosine from './cosine.ts';
import * as inetOrgPerson from './inetorgperson.ts';
import * as nis from './nis.ts';
import * as system from './system.ts';

/** RFC 4512 §2.5.1 */
export interface AttributeType {
  readonly oid: string;
  /** As the schema spells it: `givenName`. */
  readonly name: string;
  /** The key under which entries hold it: its first name in lower case. */
  readonly key: string;
  /** What its values look like: an OID. */
  readonly syntax: string;
  /** How two values are compared: a rule, by its name in lower case; undefined where the schema names none. */
  readonly equality: string | undefined;
  readonly hasOrdering: boolean;
  readonly hasSubstrings: boolean;
  readonly singleValue: boolean;
  /** Returned by a search only when asked for by name. */
  readonly operational: boolean;
  readonly noUserModification: boolean;
  /** Keys of this type and of all that are derived from it: `name` stands for `cn`, `sn`, … */
  readonly withSubtypes: readonly string[];
}

/** RFC 4512 §2.4 */
export interface ObjectClass {
  readonly oid: string;
  readonly name: string;
  readonly key: string;
  readonly kind: 'ABSTRACT' | 'STRUCTURAL' | 'AUXILIARY';
  /** Keys of the class itself and of all its superclasses. */
  readonly withSuperclasses: ReadonlySet<string>;
  /** Attribute keys that an entry must or may have, those of the superclasses among them. */
  readonly required: ReadonlySet<string>;
  readonly allowed: ReadonlySet<string>;
}

const sources = [system, core, cosine, inetOrgPerson, nis, account];

/** All definitions as they are written, RFC 4512 §4.1. */
export const definitions = {
  attributeTypes: sources.flatMap((source) => splitDefinitions(source.attributeTypes)),
  objectClasses: sources.flatMap((source) => splitDefinitions(source.objectClasses)),
};

const attributes = readAttributeTypes(sources.flatMap((source) => parseDefinitions(source.attributeTypes)));
const classes = readObjectClasses(sources.flatMap((source) => parseDefinitions(source.objectClasses)));

/** Finds an attribute type by description (`userCertificate;binary`), name or OID. */
export function findAttribute(description: string): AttributeType | undefined {
  return attributes.get(attributeType(description));
}

/**
 * Returns the options of a description beside `;binary`: language tags, RFC 3866, which OpenLDAP knows; unknown ones, which make a
 * description that nothing is known of; undefined without either. No value here has any.
 */
export function tagsOf(description: string): 'language' | 'unknown' | undefined {
  const tags = description
    .toLowerCase()
    .split(';')
    .slice(1)
    .filter((option) => option !== 'binary');
  if (tags.length === 0) return undefined;
  return tags.every((tag) => /^lang-/.test(tag)) ? 'language' : 'unknown';
}

/** As {@link findAttribute}, where values here can have the description. */
export function findUntagged(description: string): AttributeType | undefined {
  return tagsOf(description) === undefined ? findAttribute(description) : undefined;
}

/** True for the attributes that hold a password, by whatever name or OID they are called. */
export function isPassword(description: string): boolean {
  return isPasswordAttribute(findAttribute(description)?.key ?? description);
}

export function findClass(name: string): ObjectClass | undefined {
  return classes.get(name.toLowerCase());
}

/** Every attribute type, once. */
export function attributeTypes(): readonly AttributeType[] {
  return [...new Set(attributes.values())];
}

function readAttributeTypes(definitions: readonly Definition[]): Map<string, AttributeType> {
  const find = finder(definitions);
  const lineages = definitions.map((definition) => lineage(definition, find));
  const types = new Map<string, AttributeType>();
  for (const line of lineages) {
    const [definition] = line;
    const below = lineages
      .filter((other) => other.includes(definition))
      .map(([lowest]) => definitionKey(lowest));
    const type = readAttributeType(line, below);
    for (const name of spellings(definition)) types.set(name, type);
  }
  return types;
}

/** @param line the definition and its supertypes, from which what it does not say is inherited */
function readAttributeType(line: Lineage, withSubtypes: readonly string[]): AttributeType {
  const [definition] = line;
  const field = (name: string) =>
    line.map((it) => it.fields.get(name)?.[0]).find((value) => value !== undefined);
  return {
    oid: definition.oid,
    name: nameOf(definition),
    key: definitionKey(definition),
    // Behind it may be a length (`…15{256}`), which is a hint only.
    syntax: (field('SYNTAX') ?? '').replace(/\{.*/, ''),
    equality: field('EQUALITY')?.toLowerCase(),
    hasOrdering: field('ORDERING') !== undefined,
    hasSubstrings: field('SUBSTR') !== undefined,
    singleValue: definition.flags.has('SINGLE-VALUE'),
    operational: field('USAGE') !== undefined,
    noUserModification: definition.flags.has('NO-USER-MODIFICATION'),
    withSubtypes,
  };
}

function readObjectClasses(definitions: readonly Definition[]): Map<string, ObjectClass> {
  const find = finder(definitions);
  return new Map(
    definitions.flatMap((definition) => {
      const read = readObjectClass(lineage(definition, find));
      return spellings(definition).map((name) => [name, read] as const);
    }),
  );
}

function readObjectClass(line: Lineage): ObjectClass {
  const [definition] = line;
  const keys = (field: string) =>
    new Set(line.flatMap((it) => it.fields.get(field) ?? []).map((name) => findAttribute(name)?.key ?? name));
  const { flags } = definition;
  const kind = flags.has('ABSTRACT') ? 'ABSTRACT' : flags.has('AUXILIARY') ? 'AUXILIARY' : 'STRUCTURAL';
  return {
    oid: definition.oid,
    name: nameOf(definition),
    key: definitionKey(definition),
    kind,
    withSuperclasses: new Set(line.map(definitionKey)),
    required: keys('MUST'),
    allowed: keys('MAY'),
  };
}

type Find = (name: string) => Definition | undefined;

function finder(definitions: readonly Definition[]): Find {
  const byName = new Map(definitions.flatMap((it) => spellings(it).map((name) => [name, it])));
  return (name) => byName.get(name.toLowerCase());
}

/** A definition and everything above it, nearest first. */
type Lineage = readonly [Definition, ...Definition[]];

function lineage(definition: Definition, find: Find): Lineage {
  const above = (definition.fields.get('SUP') ?? []).map(find).filter((it) => it !== undefined);
  return [definition, ...new Set(above.flatMap((it) => lineage(it, find)))];
}

function spellings(definition: Definition): string[] {
  return [definition.oid, ...namesOf(definition).map((name) => name.toLowerCase())];
}

function nameOf(definition: Definition): string {
  return namesOf(definition)[0] ?? definition.oid;
}

function definitionKey(definition: Definition): string {
  return nameOf(definition).toLowerCase();
}
