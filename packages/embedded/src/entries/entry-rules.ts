/**
 * Schema checks of entries, RFC 4512 §2.4 and X.501 §13: object classes with one structural chain, required and allowed attributes, syntaxes,
 * single values, naming attributes. Errors are `schema_refused` in OpenLDAP's words.
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

/** Returns the attribute type of a description. `;binary` is the only option allowed. @throws ServiceError `schema_refused` */
export function attributeOf(description: string): AttributeType {
  const attribute = findAttribute(description);
  if (!attribute)
    throw schemaRefused(`${attributeType(description).slice(0, 128)}: attribute type undefined`);
  if (tagsOf(description) !== undefined) throw schemaRefused(`${attribute.name}: option not supported`);
  return attribute;
}

/** Checks values, which must differ by the attribute's equality rule. @returns the values in stored form @throws ServiceError `schema_refused` */
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

/** Checks an entry. @returns its most specific structural class, for `structuralObjectClass` */
export function checkEntry(attributes: Attributes, rdn: Rdn): ObjectClass {
  const classes = classesNamed(attributes);
  const structural = structuralClass(classes);
  checkRequired(attributes, classes);
  checkAllowed(attributes, classes);
  checkNaming(attributes, rdn);
  return structural;
}

/** Returns a set of values as normalized by the attribute's equality rule. */
export function normalizedValues(
  attribute: AttributeType,
  values: readonly AttributeValue[],
): ReadonlySet<string | undefined> {
  const { normalize } = equalityOf(attribute);
  return new Set(values.map((value) => normalize(value)));
}

/** Returns whether one of `values` equals `value` by the attribute's equality rule. */
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

/** Converts bytes of a text attribute to text, and spells object classes as the schema does, like OpenLDAP. */
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

/** Classes that are structural or auxiliary as the entry needs it: posixGroup is structural in RFC 2307, and auxiliary in RFC 2307bis. */
const eitherKind: ReadonlySet<string> = new Set(['posixgroup']);

/** Returns the structural class whose superclasses include all other structural ones. */
function structuralClass(classes: readonly ObjectClass[]): ObjectClass {
  const all = classes.filter(({ kind }) => kind === 'STRUCTURAL');
  const certain = all.filter(({ key }) => !eitherKind.has(key));
  const structural = certain.length > 0 ? certain : all;
  const [first] = structural;
  if (!first) throw violation('no structural object class provided');
  const lowest = structural.reduce((low, it) => (it.withSuperclasses.has(low.key) ? it : low), first);
  const unrelated = structural.find(({ key }) => !lowest.withSuperclasses.has(key));
  if (unrelated) throw violation(`invalid structural object class chain (${lowest.name}/${unrelated.name})`);
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

/** Checks that the entry contains the values of its RDN, X.501 §13.3. */
function checkNaming(attributes: Attributes, rdn: Rdn): void {
  for (const { type, value } of rdn) {
    const attribute = attributeOf(type);
    if (!holds(attribute, attributes.get(attribute.key), value)) {
      throw schemaRefused(`naming violation: value of naming attribute '${type}' is not present in entry`);
    }
  }
}
