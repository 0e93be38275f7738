/**
 * Search filters, RFC 4511 §4.5.1.7, and their text, RFC 4515. Code makes filters with the constructors
 * below and never by pasting text, so a value cannot become syntax.
 */
import { FilterScanner, invalidFilter } from './filter-scanner.ts';
import { type AttributeValue, bytesOf } from './value.ts';

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

/** Matches the entries that have one of these object classes. */
export const hasAnyClass = (classes: readonly string[]): Filter =>
  or(...classes.map((name) => equal('objectClass', name)));

/** Matches every entry. */
export const everything: Filter = present('objectclass');

const maxLength = 16_384;

/**
 * Reads a filter. The outer parentheses may be left out, as ldapsearch allows.
 * @throws ServiceError `invalid_params` if it is none, is longer than 16384 characters, deeper than 32
 * levels or has more than 1024 parts.
 */
export function parseFilter(text: string): Filter {
  if (text.length > maxLength) throw invalidFilter(`longer than ${maxLength} characters`);
  if (!text.isWellFormed()) throw invalidFilter('half a surrogate pair');
  const trimmed = text.trim();
  if (trimmed === '') throw invalidFilter('it is empty; left out, it matches all');
  return new FilterScanner(trimmed.startsWith('(') ? trimmed : `(${trimmed})`).whole();
}

/** Writes a filter by RFC 4515. */
export function formatFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.kind === 'and' ? '&' : '|'}${filter.filters.map(formatFilter).join('')})`;
    case 'not':
      return `(!${formatFilter(filter.filter)})`;
    case 'present':
      return `(${filter.attribute}=*)`;
    case 'substrings':
      return `(${filter.attribute}=${formatPieces(filter)})`;
    case 'extensible':
      return `(${formatRule(filter)}:=${escapeAssertion(filter.value)})`;
    default:
      return `(${filter.attribute}${operators[filter.kind]}${escapeAssertion(filter.value)})`;
  }
}

const operators = { equality: '=', greaterOrEqual: '>=', lessOrEqual: '<=', approx: '~=' } as const;

function formatPieces({ initial = '', any, final = '' }: Extract<Filter, { kind: 'substrings' }>): string {
  return [initial, ...any, final].map(escapeAssertion).join('*');
}

function formatRule({ attribute = '', rule, dnAttributes }: Extract<Filter, { kind: 'extensible' }>): string {
  return [attribute, ...(dnAttributes ? ['dn'] : []), ...(rule === undefined ? [] : [rule])].join(':');
}

function escapeAssertion(value: AttributeValue): string {
  if (typeof value === 'string') {
    return value.replace(/[\\*()\0]/g, (c) => `\\${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
  }
  return Array.from(bytesOf(value), (byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
}
