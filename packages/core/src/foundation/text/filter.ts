/**
 * Search filters (RFC 4511 §4.5.1.7). Code makes them with the constructors below, never by concatenation: a value cannot become syntax.
 */
import type { AttributeValue } from './value.ts';

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'present'; readonly attribute: string }
  | {
      readonly kind: 'equality' | 'greaterOrEqual' | 'lessOrEqual' | 'approx';
      readonly attribute: string;
      readonly value: AttributeValue;
    }
  | {
      readonly kind: 'substrings';
      readonly attribute: string;
      readonly initial?: AttributeValue;
      readonly any: readonly AttributeValue[];
      readonly final?: AttributeValue;
    }
  | {
      readonly kind: 'extensible';
      readonly attribute?: string;
      readonly rule?: string;
      readonly value: AttributeValue;
      readonly dnAttributes: boolean;
    };

export const and = (...filters: readonly Filter[]): Filter => ({ kind: 'and', filters });
export const or = (...filters: readonly Filter[]): Filter => ({ kind: 'or', filters });
export const not = (filter: Filter): Filter => ({ kind: 'not', filter });
export const present = (attribute: string): Filter => ({ kind: 'present', attribute });
export const equal = (attribute: string, value: AttributeValue): Filter => ({
  kind: 'equality',
  attribute,
  value,
});

/** Matches values with this beginning. */
export const startsWith = (attribute: string, initial: AttributeValue): Filter => ({
  kind: 'substrings',
  attribute,
  initial,
  any: [],
});

/** Matches the entries that have one of these object classes. */
export const hasAnyClass = (classes: readonly string[]): Filter =>
  or(...classes.map((name) => equal('objectClass', name)));

/** Matches every entry. */
export const matchAll: Filter = present('objectclass');
