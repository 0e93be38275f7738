/** The schema: attribute types and object classes by name or OID, without regard to case. */

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
  /** The first name, as the schema spells it: `givenName`. */
  readonly name: string;
  /** The key in entries: the first name in lower case. */
  readonly key: string;
  /** An OID, see `syntaxes.ts`. */
  readonly syntax: string;
  /** The name of the equality rule in lower case, see `matching-rules.ts`; undefined if the schema names none. */
  readonly equality: string | undefined;
  readonly hasOrdering: boolean;
  readonly hasSubstrings: boolean;
  readonly singleValue: boolean;
  /** Returned by a search only when asked for by name. */
  readonly operational: boolean;
  readonly noUserModification: boolean;
  /** Keys of this type and its subtypes: `name` includes `cn`, `sn`, … */
  readonly withSubtypes: readonly string[];
}

/** RFC 4512 §2.4 */
export interface ObjectClass {
  readonly oid: string;
  readonly name: string;
  readonly key: string;
  readonly kind: 'ABSTRACT' | 'STRUCTURAL' | 'AUXILIARY';
  /** Keys of the class and its superclasses. */
  readonly withSuperclasses: ReadonlySet<string>;
  /** Keys of required and allowed attributes, those of superclasses included. */
  readonly required: ReadonlySet<string>;
  readonly allowed: ReadonlySet<string>;
}

const sources = [system, core, cosine, inetOrgPerson, nis, account];

/** All definitions in the notation of RFC 4512 §4.1. */
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
 * Returns the kind of a description's options besides `;binary`: language tags (RFC 3866), which OpenLDAP knows, or unknown ones. No value
 * here has any.
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

/** {@link findAttribute} for a description without options other than `;binary`. */
export function findUntagged(description: string): AttributeType | undefined {
  return tagsOf(description) === undefined ? findAttribute(description) : undefined;
}

/** Returns whether an attribute, by any name or OID, contains passwords. */
export function isPassword(description: string): boolean {
  return isPasswordAttribute(findAttribute(description)?.key ?? description);
}

export function findClass(name: string): ObjectClass | undefined {
  return classes.get(name.toLowerCase());
}

/** Returns each attribute type once. */
export function attributeTypes(): readonly AttributeType[] {
  return [...new Set(attributes.values())];
}

function readAttributeTypes(definitions: readonly Definition[]): Map<string, AttributeType> {
  const find = finder(definitions);
  const lineages = definitions.map((definition) => lineageOf(definition, find));
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

/** @param line the definition and its supertypes, from which it inherits */
function readAttributeType(line: Lineage, withSubtypes: readonly string[]): AttributeType {
  const [definition] = line;
  const field = (name: string) =>
    line.map((it) => it.fields.get(name)?.[0]).find((value) => value !== undefined);
  return {
    oid: definition.oid,
    name: nameOf(definition),
    key: definitionKey(definition),
    // Without the length (`…15{256}`), which is a hint only.
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
      const read = readObjectClass(lineageOf(definition, find));
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

/** A definition and its ancestors, nearest first. */
type Lineage = readonly [Definition, ...Definition[]];

function lineageOf(definition: Definition, find: Find): Lineage {
  const above = (definition.fields.get('SUP') ?? []).map(find).filter((it) => it !== undefined);
  return [definition, ...new Set(above.flatMap((it) => lineageOf(it, find)))];
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
