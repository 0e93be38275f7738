/**
 * Search filters, RFC 4511 §4.5.1.7, and their text, RFC 4515. Code makes filters with the constructors
 * below and never by pasting text, so a value cannot become syntax.
 */
import { ServiceError } from '../errors.ts';
import { type AttributeValue, bytesOf, isAttributeDescription, valueOf } from './value.ts';

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

/** Matches every entry. */
export const everything: Filter = present('objectclass');

const maxLength = 16_384;
const maxDepth = 32;
const maxNodes = 1024;

/**
 * Reads a filter. The outer parentheses may be left out, as ldapsearch allows.
 * @throws ServiceError `invalid_params` if it is none, is longer than 16384 characters, deeper than 32
 * levels or has more than 1024 parts.
 */
export function parseFilter(text: string): Filter {
  if (text.length > maxLength) throw refused(`longer than ${maxLength} characters`);
  const trimmed = text.trim();
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
      return `(${filter.attribute}=${[filter.initial ?? '', ...filter.any, filter.final ?? ''].map(escapeAssertion).join('*')})`;
    case 'extensible':
      return `(${filter.attribute ?? ''}${filter.dnAttributes ? ':dn' : ''}${filter.rule ? `:${filter.rule}` : ''}:=${escapeAssertion(filter.value)})`;
    default:
      return `(${filter.attribute}${operators[filter.kind]}${escapeAssertion(filter.value)})`;
  }
}

const operators = { equality: '=', greaterOrEqual: '>=', lessOrEqual: '<=', approx: '~=' } as const;

function escapeAssertion(value: AttributeValue): string {
  if (typeof value === 'string') {
    return value.replace(/[\\*()\0]/g, (c) => `\\${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
  }
  return Array.from(bytesOf(value), (byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
}

function refused(why: string): ServiceError {
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
    if (this.#at !== this.#text.length) throw refused(`unexpected text at character ${this.#at + 1}`);
    return filter;
  }

  #filter(depth: number): Filter {
    if (depth > maxDepth) throw refused(`nested deeper than ${maxDepth} levels`);
    this.#nodes += 1;
    if (this.#nodes > maxNodes) throw refused(`more than ${maxNodes} parts`);
    this.#expect('(');
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

  /** None at all is legal: `(&)` is true and `(|)` is false, RFC 4526. */
  #list(depth: number): Filter[] {
    const filters: Filter[] = [];
    for (this.#skipSpace(); this.#text[this.#at] === '('; this.#skipSpace())
      filters.push(this.#filter(depth + 1));
    return filters;
  }

  #item(): Filter {
    const end = this.#text.slice(this.#at).search(/[()]/);
    if (end < 0) throw refused('a parenthesis is missing');
    const item = this.#text.slice(this.#at, this.#at + end);
    const match = /^([^=~<>:]*?)\s*(:[^=]*:=|:=|~=|>=|<=|=)([\s\S]*)$/.exec(item);
    if (!match) throw refused(`no operator at character ${this.#at + 1}`);
    this.#at += end;
    const [, attribute = '', operator = '', value = ''] = match;
    return operator.endsWith(':=')
      ? extensible(attribute.trim(), operator.slice(0, -2), value)
      : simple(attributeOf(attribute.trim()), operator, value);
  }

  #expect(c: string): void {
    if (this.#text[this.#at] !== c) throw refused(`${c} expected at character ${this.#at + 1}`);
    this.#at += 1;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}

function attributeOf(text: string): string {
  if (!isAttributeDescription(text)) throw refused(`'${text.slice(0, 64)}' is no attribute name`);
  return text;
}

function simple(attribute: string, operator: string, value: string): Filter {
  if (operator === '~=') return { kind: 'approx', attribute, value: assertion(value) };
  if (operator === '>=') return { kind: 'greaterOrEqual', attribute, value: assertion(value) };
  if (operator === '<=') return { kind: 'lessOrEqual', attribute, value: assertion(value) };
  if (value === '*') return present(attribute);
  return value.includes('*') ? substrings(attribute, value.split('*')) : equal(attribute, assertion(value));
}

function substrings(attribute: string, parts: readonly string[]): Filter {
  const initial = parts[0] ?? '';
  const final = parts.at(-1) ?? '';
  const any = parts.slice(1, -1);
  if (any.includes('')) throw refused('two asterisks in a row');
  return {
    kind: 'substrings',
    attribute,
    any: any.map(assertion),
    ...(initial !== '' && { initial: assertion(initial) }),
    ...(final !== '' && { final: assertion(final) }),
  };
}

/** `attr[:dn][:rule]:=value` or `[:dn]:rule:=value`; `between` is what stands between name and `:=`. */
function extensible(attribute: string, between: string, value: string): Filter {
  const words = between.split(':').filter((word) => word !== '');
  const dnAttributes = words[0]?.toLowerCase() === 'dn';
  const [rule, ...rest] = dnAttributes ? words.slice(1) : words;
  if (rest.length > 0 || (attribute === '' && rule === undefined)) throw refused('extensible match');
  return {
    kind: 'extensible',
    ...(attribute !== '' && { attribute: attributeOf(attribute) }),
    ...(rule !== undefined && { rule: attributeOf(rule) }),
    value: assertion(value),
    dnAttributes,
  };
}

/** An assertion value with its `\xx` pairs turned into bytes. */
function assertion(text: string): AttributeValue {
  if (!text.includes('\\')) return text;
  const parts = text.split(/(\\[\s\S]{0,2})/).map((part) => {
    if (!part.startsWith('\\')) return Buffer.from(part, 'utf8');
    if (!/^\\[0-9a-fA-F]{2}$/.test(part)) throw refused('a backslash needs two hex digits behind it');
    return Buffer.from(part.slice(1), 'hex');
  });
  return valueOf(Buffer.concat(parts));
}
