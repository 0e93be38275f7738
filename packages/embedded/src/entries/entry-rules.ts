/**
 * What the schema asks of an entry, RFC 4512 §2.4 and X.501 §13: object classes with one structural chain,
 * required and allowed attributes, syntaxes, single values, the naming attributes. Refusals are
 * `schema_refused` in the words that OpenLDAP uses.
 */

import {
  type Attributes,
  type AttributeValue,
  attributeType,
  bytesOf,
  isBinaryAttribute,
  type Rdn,
  ServiceError,
  valueOf,
} from '@watchword/core/foundation';
import { equalityOf } from '../schema/matching-rules.ts';
import { type AttributeType, findAttribute, findClass, type ObjectClass, tagsOf } from '../schema/schema.ts';
import { hasSyntax } from '../schema/syntaxes.ts';

/** The attribute type of a description, without the transfer option `;binary`; others are not kept here. */
export function attributeOf(description: string): AttributeType {
  const attribute = findAttribute(description);
  if (!attribute)
    throw schemaRefused(`${attributeType(description).slice(0, 128)}: attribute type undefined`);
  if (tagsOf(description) !== undefined) throw schemaRefused(`${attribute.name}: option not supported`);
  return attribute;
}

/** Values as they are stored, their syntax checked; each at most once by the attribute's equality rule. */
export function checkValues(attribute: AttributeType, values: readonly AttributeValue[]): AttributeValue[] {
  const seen = new Set<string>();
  const { normalize } = equalityOf(attribute);
  return values.map((given, index) => {
    const value = asStored(attribute, given);
    const normalized = hasSyntax(attribute, value) ? normalize(value) : undefined;
    const where = `${attribute.name}: value #${index}`;
    if (normalized === undefined) throw schemaRefused(`${where} invalid per syntax`);
    if (seen.has(normalized)) throw schemaRefused(`${where} provided more than once`);
    seen.add(normalized);
    return value;
  });
}

/** Checks a whole entry. @returns the most specific structural class, for `structuralObjectClass` */
export function checkEntry(attributes: Attributes, rdn: Rdn): ObjectClass {
  const classes = classesNamed(attributes);
  const structural = structuralClass(classes);
  checkRequired(attributes, classes);
  checkAllowed(attributes, classes);
  checkNaming(attributes, rdn);
  return structural;
}

/** Values as the attribute's equality rule compares them: to look up many without going through all each time. */
export function normalizedValues(
  attribute: AttributeType,
  values: readonly AttributeValue[],
): ReadonlySet<string | undefined> {
  const { normalize } = equalityOf(attribute);
  return new Set(values.map((value) => normalize(value)));
}

/** True if one of `values` matches `value` by the attribute's equality rule. */
export function holds(
  attribute: AttributeType,
  values: readonly AttributeValue[] | undefined,
  value: AttributeValue,
): boolean {
  const { normalize } = equalityOf(attribute);
  const wanted = normalize(value);
  return values?.some((other) => normalize(other) === wanted) ?? false;
}

export function schemaRefused(words: string): ServiceError {
  return new ServiceError('schema_refused', { detail: words });
}

const violation = (words: string): ServiceError => schemaRefused(`object class violation: ${words}`);

/**
 * Bytes that are text become text, as they would on their way through LDAP; object classes get the name that
 * the schema spells, as OpenLDAP does it, so that none is there twice.
 */
function asStored({ key }: AttributeType, value: AttributeValue): AttributeValue {
  if (isBinaryAttribute(key)) return bytesOf(value);
  if (key === 'objectclass') return findClass(String(value))?.name ?? value;
  return typeof value === 'string' ? value : valueOf(value);
}

function classesNamed(attributes: Attributes): ObjectClass[] {
  const values = attributes.get('objectclass') ?? [];
  if (values.length === 0) throw violation('no objectClass attribute');
  return values.map((value, index) => {
    const found = findClass(String(value));
    if (!found) throw schemaRefused(`objectClass: value #${index} invalid per syntax (no such class)`);
    return found;
  });
}

/**
 * RFC 2307 has posixGroup as a structural class, and so has OpenLDAP; RFC 2307bis has it beside groupOfNames, and so
 * have most servers in the field. Here it is what the entry needs.
 */
const eitherKind: ReadonlySet<string> = new Set(['posixgroup']);

/** The class that has all the other structural ones above it. */
function structuralClass(classes: readonly ObjectClass[]): ObjectClass {
  const all = classes.filter(({ kind }) => kind === 'STRUCTURAL');
  const certain = all.filter(({ key }) => !eitherKind.has(key));
  const structural = certain.length > 0 ? certain : all;
  const [first] = structural;
  if (!first) throw violation('no structural object class provided');
  const lowest = structural.reduce((low, it) => (it.withSuperclasses.has(low.key) ? it : low), first);
  const stranger = structural.find(({ key }) => !lowest.withSuperclasses.has(key));
  if (stranger) throw violation(`invalid structural object class chain (${lowest.name}/${stranger.name})`);
  return lowest;
}

function checkRequired(attributes: Attributes, classes: readonly ObjectClass[]): void {
  for (const { name, required } of classes) {
    const missing = [...required].find((key) => !attributes.has(key));
    if (missing)
      throw violation(`object class '${name}' requires attribute '${findAttribute(missing)?.name}'`);
  }
}

function checkAllowed(attributes: Attributes, classes: readonly ObjectClass[]): void {
  const anything = classes.some(({ key }) => key === 'extensibleobject');
  for (const [key, values] of attributes) {
    const attribute = attributeOf(key);
    const allowed = classes.some((it) => it.required.has(key) || it.allowed.has(key));
    if (!allowed && !anything && !attribute.operational)
      throw violation(`attribute '${attribute.name}' not allowed`);
    if (attribute.singleValue && values.length > 1) {
      throw schemaRefused(`constraint violation: attribute '${attribute.name}' cannot have multiple values`);
    }
  }
}

/** X.501 §13.3: the values of the RDN stand in the entry. */
function checkNaming(attributes: Attributes, rdn: Rdn): void {
  for (const { type, value } of rdn) {
    const attribute = attributeOf(type);
    if (!holds(attribute, attributes.get(attribute.key), value)) {
      throw schemaRefused(`naming violation: value of naming attribute '${type}' is not present in entry`);
    }
  }
}
