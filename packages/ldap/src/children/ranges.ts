/**
 * Children by ranges: a page is a range of an attribute that never changes, as wide as fits a page. It needs no state on the server. Active
 * Directory has an index for it; OpenLDAP scans all children for each page.
 */

import { type AttributeValue, and, type Filter, ServiceError } from '@watchword/core/foundation';
import type { ChildrenPage, ChildrenRequest, SearchRequest } from '@watchword/core/ports';
import type { Connection, Reply } from '../connection/connection.ts';
import { readEntry } from '../entries.ts';
import { errorOf, expectSuccess, isTruncated } from '../results.ts';
import { assertHeld, entriesOf, request, type SearchContext } from '../searches.ts';
import { invalidPageToken } from './page-token.ts';

/** Reads a page. @param request `after`: the token of the page before @throws ServiceError `not_found` (the base), `invalid_params` */
export function readRanges(
  connection: Connection,
  { after, ...search }: ChildrenRequest,
  { rangeKey, ...context }: SearchContext & { readonly rangeKey: RangeKey },
): Promise<ChildrenPage> {
  // `partial` also sorts a page of one entry.
  const oneLevel = { ...search, scope: 'one', partial: true } as const;
  return readRange(connection, oneLevel, { ...context, rangeKey, position: readRangeToken(after, rangeKey) });
}

/** An attribute as a number, which orders entries. */
export interface RangeKey {
  readonly attribute: string;
  /** The exclusive upper limit of values. */
  readonly end: bigint;
  write(position: bigint): string;
  read(value: AttributeValue | undefined): bigint;
}

/** UUIDs, which are ordered by their octets (RFC 4530). */
const uuids: RangeKey = {
  attribute: 'entryuuid',
  end: 1n << 128n,
  write: (position) =>
    position
      .toString(16)
      .padStart(32, '0')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  read: (value) => BigInt(`0x${String(value).replaceAll('-', '')}`),
};

/** Sequence numbers of Active Directory, which rise with each new entry. */
const numbers: RangeKey = {
  attribute: 'usncreated',
  end: 1n << 63n,
  write: String,
  read: (value) => BigInt(String(value)),
};

/** Other servers may not support ranges. */
export const rangeKeys: Readonly<Record<SearchContext['dialect']['vendor'], RangeKey | undefined>> = {
  openldap: uuids,
  'active-directory': numbers,
  other: undefined,
};

interface RangePosition {
  readonly from: bigint;
  /** The first width to try. */
  readonly width: bigint;
}

type OneLevel = Omit<SearchRequest, 'limit'> & { readonly limit: number };
type RangeContext = SearchContext & { readonly rangeKey: RangeKey; readonly position: RangePosition };

/** Most requests for a page: the first pages take a few, and more mean a faulty server. */
const mostRequests = 80;

async function readRange(
  connection: Connection,
  search: OneLevel,
  { rangeKey, position, ...context }: RangeContext,
): Promise<ChildrenPage> {
  let { from, width } = position;
  for (let requests = 0; requests < mostRequests; requests += 1) {
    const isLast = from + width >= rangeKey.end;
    const to = isLast ? rangeKey.end : from + width;
    const filter = within(search.filter, { rangeKey, from, to });
    const message = request(connection, { ...search, filter }, { ...context, sizeLimit: search.limit + 1 });
    const reply = await connection.request(message);
    assertHeld(reply, search, connection);
    const isFull = isTruncated(reply) || reply.entries.length > search.limit;
    if (isFull) width = await narrow(connection, reply, { rangeKey, from, to });
    else if (expectSuccess(reply).entries.length === 0 && !isLast) [from, width] = [to, width * 2n];
    else {
      const entries = await entriesOf(connection, reply.entries, search, context);
      const wider = entries.length * 3 < search.limit ? 2n : 1n;
      return { entries, next: isLast ? undefined : writeRangeToken({ from: to, width: width * wider }) };
    }
  }
  throw new ServiceError('unavailable', { detail: 'the directory does not search by ranges' });
}

interface Range {
  readonly rangeKey: RangeKey;
  readonly from: bigint;
  readonly to: bigint;
}

/** Adds the range to a filter, without limits that exclude nothing: few servers have such an index. */
function within(filter: Filter, { rangeKey, from, to }: Range): Filter {
  const { attribute, end, write } = rangeKey;
  const lowest = { kind: 'greaterOrEqual', attribute, value: write(from) } as const;
  const highest = { kind: 'lessOrEqual', attribute, value: write(to - 1n) } as const;
  return and(filter, ...(from > 0n ? [lowest] : []), ...(to < end ? [highest] : []));
}

/** Narrows a range to the median of the entries that were returned. */
async function narrow(connection: Connection, reply: Reply, { rangeKey, from, to }: Range): Promise<bigint> {
  const entries = await Promise.all(reply.entries.map((entry) => readEntry(connection, entry)));
  const positions = entries.map(({ attributes }) => rangeKey.read(attributes.get(rangeKey.attribute)?.[0]));
  positions.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = positions[Math.floor((positions.length - 1) / 2)];
  const half = (to - from) / 2n;
  const width = middle === undefined ? half : middle - from + 1n;
  if (half === 0n) throw errorOf(reply);
  return width > 0n && width < to - from ? width : half;
}

const writeRangeToken = ({ from, width }: RangePosition): string =>
  `${from.toString(36)}.${width.toString(36)}`;

function readRangeToken(after: string | undefined, { end }: RangeKey): RangePosition {
  if (after === undefined) return { from: 0n, width: end };
  const [from, width] =
    after
      .match(/^([0-9a-z]{1,26})\.([0-9a-z]{1,26})$/)
      ?.slice(1)
      .map(numberOf) ?? [];
  if (from !== undefined && width !== undefined && from < end && width > 0n) return { from, width };
  throw invalidPageToken();
}

function numberOf(text: string): bigint {
  let number = 0n;
  for (const digit of text) number = number * 36n + BigInt(Number.parseInt(digit, 36));
  return number;
}
