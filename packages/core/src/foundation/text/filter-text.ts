/** The text of filters (RFC 4515). The parser accepts white space between parts, and no other deviation. */
import { ServiceError } from '../errors/errors.ts';
import type { Filter } from './filter.ts';
import { type AttributeValue, bytesOf, isAttributeDescription, valueOf } from './value.ts';

const maxLength = 16_384;
const maxDepth = 32;
const maxNodes = 1024;

/**
 * Reads a filter. The outer parentheses may be left out, as ldapsearch allows.
 * @param text at most 16384 characters, 32 levels and 1024 parts
 * @returns the filter
 * @throws ServiceError `invalid_params` if the text is no filter, or is over these bounds
 * @see RFC 4515 §3
 * @example
 * ```ts
 * import { formatFilter, parseFilter } from '@watchword/core';
 *
 * console.log(formatFilter(parseFilter('&(objectClass=person)(uid=a*)'))); // (&(objectClass=person)(uid=a*))
 * ```
 */
export function parseFilter(text: string): Filter {
  if (text.length > maxLength) throw invalidFilter(`longer than ${maxLength} characters`);
  if (!text.isWellFormed()) throw invalidFilter('half a surrogate pair');
  const trimmed = text.trim();
  if (trimmed === '') throw invalidFilter('it is empty; left out, it matches all');
  return new FilterScanner(trimmed.startsWith('(') ? trimmed : `(${trimmed})`).whole();
}

function invalidFilter(why: string): ServiceError {
  return new ServiceError('invalid_params', { detail: `Parameter filter is no LDAP filter (${why})` });
}

class FilterScanner {
  readonly #text: string;
  #at = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Filter {
    const filter = this.#filter(0);
    if (this.#at !== this.#text.length) throw invalidFilter(`unexpected text at character ${this.#at + 1}`);
    return filter;
  }

  #filter(depth: number): Filter {
    if (depth > maxDepth) throw invalidFilter(`nested deeper than ${maxDepth} levels`);
    this.#nodes += 1;
    if (this.#nodes > maxNodes) throw invalidFilter(`more than ${maxNodes} parts`);
    this.#expect('(');
    this.#skipSpace();
    const filter = this.#component(depth);
    this.#expect(')');
    return filter;
  }

  #component(depth: number): Filter {
    const operator = this.#text[this.#at];
    if (operator === '&' || operator === '|') {
      this.#at += 1;
      return { kind: operator === '&' ? 'and' : 'or', filters: this.#list(depth) };
    }
    if (operator === '!') {
      this.#at += 1;
      this.#skipSpace();
      const filter = this.#filter(depth + 1);
      this.#skipSpace();
      return { kind: 'not', filter };
    }
    return this.#item();
  }

  /** Reads a list, which may be empty: `(&)` is true and `(|)` is false (RFC 4526). */
  #list(depth: number): Filter[] {
    const filters: Filter[] = [];
    for (this.#skipSpace(); this.#text[this.#at] === '('; this.#skipSpace())
      filters.push(this.#filter(depth + 1));
    return filters;
  }

  #item(): Filter {
    const end = this.#text.slice(this.#at).search(/[()]/);
    if (end < 0) throw invalidFilter('a parenthesis is missing');
    const item = this.#text.slice(this.#at, this.#at + end);
    // No two adjacent parts match the same character, so no text makes it backtrack.
    const match = /^([^=~<>:]*)(:[^=]*=|[~<>]?=)([\s\S]*)$/.exec(item);
    if (!match) throw invalidFilter(`no operator at character ${this.#at + 1}`);
    this.#at += end;
    const [, attribute = '', operator = '', value = ''] = match;
    return operator.startsWith(':')
      ? extensible(attribute.trim(), operator, value)
      : simple(attributeOf(attribute.trim()), operator, value);
  }

  #expect(c: string): void {
    if (this.#text[this.#at] !== c) throw invalidFilter(`${c} expected at character ${this.#at + 1}`);
    this.#at += 1;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}

function attributeOf(text: string): string {
  if (!isAttributeDescription(text)) throw invalidFilter(`'${text.slice(0, 64)}' is not an attribute name`);
  return text;
}

function simple(attribute: string, operator: string, value: string): Filter {
  if (operator === '~=') return { kind: 'approx', attribute, value: assertion(value) };
  if (operator === '>=') return { kind: 'greaterOrEqual', attribute, value: assertion(value) };
  if (operator === '<=') return { kind: 'lessOrEqual', attribute, value: assertion(value) };
  if (value === '*') return { kind: 'present', attribute };
  if (value.includes('*')) return substrings(attribute, value.split('*'));
  return { kind: 'equality', attribute, value: assertion(value) };
}

function substrings(attribute: string, parts: readonly string[]): Filter {
  const initial = parts[0] ?? '';
  const final = parts.at(-1) ?? '';
  const any = parts.slice(1, -1);
  if (any.includes('')) throw invalidFilter('two asterisks in a row');
  return {
    kind: 'substrings',
    attribute,
    any: any.map(assertion),
    ...(initial !== '' && { initial: assertion(initial) }),
    ...(final !== '' && { final: assertion(final) }),
  };
}

/**
 * Reads an extensible match: `attr[:dn][:rule]:=value` or `[:dn]:rule:=value` (RFC 4515 §3).
 * @param operator the text between attribute and value
 */
function extensible(attribute: string, operator: string, value: string): Filter {
  const match = /^(:dn(?=:))?(?::([^:]+))?:=$/i.exec(operator);
  const [, dn, rule] = match ?? [];
  if (!match || (attribute === '' && rule === undefined)) throw invalidFilter('extensible match');
  return {
    kind: 'extensible',
    ...(attribute !== '' && { attribute: attributeOf(attribute) }),
    ...(rule !== undefined && { rule: attributeOf(rule) }),
    value: assertion(value),
    dnAttributes: dn !== undefined,
  };
}

/** Reads an assertion value, and turns its `\xx` pairs into bytes. */
function assertion(text: string): AttributeValue {
  if (text.includes('*')) throw invalidFilter('an asterisk that is not a wildcard is written \\2a');
  if (!text.includes('\\')) return text;
  const parts = text.split(/(\\[\s\S]{0,2})/).map((part) => {
    if (!part.startsWith('\\')) return Buffer.from(part, 'utf8');
    if (!/^\\[0-9a-fA-F]{2}$/.test(part)) throw invalidFilter('a backslash needs two hex digits after it');
    return Buffer.from(part.slice(1), 'hex');
  });
  return valueOf(Buffer.concat(parts));
}

/**
 * Writes a filter, with special characters of values escaped.
 * @param filter any filter
 * @returns the text with its outer parentheses
 * @see RFC 4515 §3
 * @example
 * ```ts
 * import { equal, formatFilter } from '@watchword/core';
 *
 * console.log(formatFilter(equal('uid', 'alice'))); // (uid=alice)
 * ```
 */
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
