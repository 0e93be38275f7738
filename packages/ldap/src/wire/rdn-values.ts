import {
  type Attributes,
  type AttributeValue,
  canonicalType,
  type Dn,
  foldValue,
  sameValue,
} from '@watchword/core/foundation';

/** Adds the values of the RDN, which RFC 4511 §4.7 requires and callers may leave out. */
export function withRdnValues(dn: Dn, attributes: Attributes): Attributes {
  const complete = new Map(attributes);
  for (const { type, value } of dn.rdn) {
    const name =
      [...complete.keys()].find((key) => canonicalType(key) === canonicalType(type)) ?? type.toLowerCase();
    const values = complete.get(name) ?? [];
    if (!values.some((other) => namesTheSame(other, value))) complete.set(name, [...values, value]);
  }
  return complete;
}

function namesTheSame(a: AttributeValue, b: AttributeValue): boolean {
  return typeof a === 'string' && typeof b === 'string' ? foldValue(a) === foldValue(b) : sameValue(a, b);
}
