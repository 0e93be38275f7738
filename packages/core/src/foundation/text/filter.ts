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

/**
 * Makes a filter that entries match which match all of the given ones.
 * @param filters none: every entry matches (RFC 4526)
 * @returns the filter, RFC 4511 §4.5.1.7
 * @see RFC 4515 §3
 * @example
 * ```ts
 * import { and, equal, formatFilter, present } from '@watchword/core';
 *
 * console.log(formatFilter(and(equal('objectClass', 'person'), present('mail')))); // (&(objectClass=person)(mail=*))
 * ```
 */
export const and = (...filters: readonly Filter[]): Filter => ({ kind: 'and', filters });
/**
 * Makes a filter that entries match which match one of the given ones.
 * @param filters none: no entry matches (RFC 4526)
 * @returns the filter, RFC 4511 §4.5.1.7
 * @see RFC 4515 §3
 * @example
 * ```ts
 * import { equal, formatFilter, or, present } from '@watchword/core';
 *
 * console.log(formatFilter(or(equal('uid', 'alice'), present('mail')))); // (|(uid=alice)(mail=*))
 * ```
 */
export const or = (...filters: readonly Filter[]): Filter => ({ kind: 'or', filters });
/**
 * Makes a filter that entries match which do not match the given one.
 * @param filter the filter to negate
 * @returns the filter, RFC 4511 §4.5.1.7
 * @see RFC 4515 §3
 * @example
 * ```ts
 * import { formatFilter, not, present } from '@watchword/core';
 *
 * console.log(formatFilter(not(present('mail')))); // (!(mail=*))
 * ```
 */
export const not = (filter: Filter): Filter => ({ kind: 'not', filter });
/**
 * Makes a filter that entries match which have the attribute.
 * @param attribute the name of the attribute
 * @returns the filter, RFC 4511 §4.5.1.7.5
 * @see RFC 4515 §3
 * @example
 * ```ts
 * import { formatFilter, present } from '@watchword/core';
 *
 * console.log(formatFilter(present('mail'))); // (mail=*)
 * ```
 */
export const present = (attribute: string): Filter => ({ kind: 'present', attribute });
/**
 * Makes a filter that entries match which have this value, compared by the rule of the attribute.
 * @param attribute the name of the attribute
 * @param value a text or bytes, unescaped: no value can change the meaning of the filter
 * @returns the filter, RFC 4511 §4.5.1.7.1
 * @see RFC 4515 §3
 * @example
 * ```ts
 * import { equal, formatFilter } from '@watchword/core';
 *
 * console.log(formatFilter(equal('cn', 'A*(B)'))); // (cn=A\2a\28B\29)
 * ```
 */
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
