/** The changes of a modify, RFC 4511 §4.6, applied one after another to a copy of the attributes. */

import { type Attributes, type AttributeValue, ServiceError } from '@watchword/core/foundation';
import type { Change } from '@watchword/core/ports';
import { equalityOf } from '../schema/matching-rules.ts';
import type { AttributeType } from '../schema/schema.ts';
import { attributeOf, checkValues, normalizedValues, schemaRefused } from './entry-rules.ts';

/**
 * Returns the attributes after all changes, without changing the given ones.
 * @throws ServiceError `value_exists`, `value_missing`, `schema_refused` (attribute, syntax, not modifiable)
 */
export function applyChanges(
  attributes: Attributes,
  changes: readonly Change[],
): Map<string, readonly AttributeValue[]> {
  const result = new Map(attributes);
  for (const { operation, attribute: description, values } of changes) {
    const attribute = modifiable(description);
    const before = result.get(attribute.key) ?? [];
    const after = apply[operation](attribute, before, checkValues(attribute, values));
    if (after.length > 0) result.set(attribute.key, after);
    else result.delete(attribute.key);
  }
  return result;
}

/** @throws ServiceError `schema_refused` for an attribute that only the directory writes */
export function modifiable(description: string): AttributeType {
  const attribute = attributeOf(description);
  if (attribute.noUserModification) throw schemaRefused(`${attribute.name}: no user modification allowed`);
  return attribute;
}

type Apply = (
  attribute: AttributeType,
  before: readonly AttributeValue[],
  values: readonly AttributeValue[],
) => readonly AttributeValue[];

const apply: Record<Change['operation'], Apply> = {
  add(attribute, before, values) {
    if (values.length === 0) throw schemaRefused(`modify/add: ${attribute.name}: no values given`);
    const { normalize } = equalityOf(attribute);
    const indexes = new Map(values.map((value, index) => [normalize(value), index]));
    const held = before.map((value) => indexes.get(normalize(value)));
    const present = held.filter((index) => index !== undefined).sort((a, b) => a - b)[0];
    if (present !== undefined) {
      const detail = `modify/add: ${attribute.name}: value #${present} already exists`;
      throw new ServiceError('value_exists', { detail });
    }
    return [...before, ...values];
  },

  delete(attribute, before, values) {
    const { normalize } = equalityOf(attribute);
    const deleted = normalizedValues(attribute, values);
    const found = new Set<string | undefined>();
    const kept = before.filter((value) => {
      const normalized = normalize(value);
      if (deleted.has(normalized)) found.add(normalized);
      return !deleted.has(normalized);
    });
    if (before.length === 0 || found.size < deleted.size) {
      const what = before.length === 0 ? 'attribute' : 'value';
      const detail = `modify/delete: ${attribute.name}: no such ${what}`;
      throw new ServiceError('value_missing', { detail });
    }
    return values.length === 0 ? [] : kept;
  },

  replace: (_attribute, _before, values) => values,
};
