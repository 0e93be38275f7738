/** Encoding of search requests, RFC 4511 §4.5.1. Filters are encoded, never written as text. */
import { type Filter, memoizeFrozen, memoizeLast, TextCache } from '@watchword/core/foundation';
import type { SearchRequest as Search } from '@watchword/core/ports';
import type { Connection } from '../connection/connection.ts';
import { type Bytes, boolean, bytes, element, flat, integer, octetString } from './ber.ts';
import { control, OwnRequest, operations, type Request } from './request.ts';
import { wireType } from './wire-names.ts';

interface SearchParts extends Pick<Search, 'scope' | 'filter'> {
  /** A DN in the form of the server. */
  readonly base: string;
  /** Names in the form of the server. */
  readonly attributes: readonly string[];
  /** Left out: the server's own limit. */
  readonly sizeLimit?: number | undefined;
  readonly page?: Page | undefined;
}

/** A page of RFC 2696. */
export interface Page {
  readonly size: number;
  readonly cookie: Uint8Array;
}

export const pagedResults = '1.2.840.113556.1.4.319';

const scopes = { base: 0, one: 1, sub: 2 } as const;
const [sequence, enumerated, whole] = [0x30, 0x0a, 0x02];
const neverDereferenced = 0;

/** Creates a search request, without alias dereferencing, and with the timeout of the connection. */
export function searchRequest({ timeout }: Pick<Connection, 'timeout'>, parts: SearchParts): Request {
  const { base, scope, filter, attributes, sizeLimit = 0, page } = parts;
  const head = headBytes({ base, scope: scopes[scope], sizeLimit, seconds: Math.ceil(timeout / 1000) });
  const contents = head + filterBytes(filter) + listBytes(attributes);
  return new OwnRequest(operations.search, contents, page && control(pagedResults, pageBytes(page)));
}

/** The fields before the filter. */
interface Head {
  readonly base: string;
  readonly scope: number;
  readonly sizeLimit: number;
  readonly seconds: number;
}

const isSameHead = (a: Head, b: Head): boolean =>
  a.base === b.base && a.scope === b.scope && a.sizeLimit === b.sizeLimit && a.seconds === b.seconds;

/** Cached, as all searches for a user have the same. */
const headBytes = memoizeLast(
  ({ base, scope, sizeLimit, seconds }: Head): Bytes =>
    flat(
      octetString(base) +
        integer(enumerated, scope) +
        integer(enumerated, neverDereferenced) +
        integer(whole, sizeLimit) +
        integer(whole, seconds) +
        boolean(false),
    ),
  isSameHead,
);

const listBytes = memoizeFrozen((names): Bytes => {
  let contents = '';
  for (const name of names) contents += octetString(name);
  return flat(element(sequence, contents));
});

const pageBytes = ({ size, cookie }: Page): Bytes =>
  element(sequence, integer(whole, size) + octetString(cookie));

/** RFC 4511 §4.5.1.7 */
const tags = {
  and: 0xa0,
  or: 0xa1,
  not: 0xa2,
  equality: 0xa3,
  substrings: 0xa4,
  greaterOrEqual: 0xa5,
  lessOrEqual: 0xa6,
  present: 0x87,
  approx: 0xa8,
  extensible: 0xa9,
} as const satisfies Record<Filter['kind'], number>;

export const filterBytes = (filter: Filter): Bytes => element(tags[filter.kind], contentsOf(filter));

function contentsOf(filter: Filter): Bytes {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.map(filterBytes).join('');
    case 'not':
      return filterBytes(filter.filter);
    case 'present':
      return bytes(wireType(filter.attribute));
    case 'substrings':
      return typeBytes(filter.attribute) + element(sequence, piecesOf(filter));
    case 'extensible':
      return partsOf(filter);
    default:
      return typeBytes(filter.attribute) + octetString(filter.value);
  }
}

function typeBytes(attribute: string): Bytes {
  return types.get(attribute) ?? types.keep(attribute, flat(octetString(wireType(attribute))));
}

/** A cache of encoded attribute types, most of which are configured. */
const types = new TextCache<Bytes>(256);

const piecesOf = ({ initial, any, final }: Extract<Filter, { kind: 'substrings' }>): Bytes =>
  [
    initial === undefined ? '' : octetString(initial, 0x80),
    ...any.map((part) => octetString(part, 0x81)),
    final === undefined ? '' : octetString(final, 0x82),
  ].join('');

const partsOf = ({ rule, attribute, value, dnAttributes }: Extract<Filter, { kind: 'extensible' }>): Bytes =>
  [
    rule === undefined ? '' : octetString(rule, 0x81),
    attribute === undefined ? '' : octetString(wireType(attribute), 0x82),
    octetString(value, 0x83),
    dnAttributes ? boolean(true, 0x84) : '',
  ].join('');
