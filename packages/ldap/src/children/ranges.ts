/**
 * Children by ranges: a page is a range of an attribute that each entry has for ever, as wide as holds a page full. It needs no place
 * that a server remembers. Active Directory has an index for it; OpenLDAP looks at all children for each.
 */

import { type AttributeValue, and, type Filter, ServiceError } from '@watchword/core/foundation';
import type { ChildrenPage, ChildrenRequest, SearchRequest } from '@watchword/core/ports';
import type { Connection, Reply } from '../connection/connection.ts';
import { readEntry } from '../entries.ts';
import { expectSuccess, isCutShort, refusal } from '../results.ts';
import { entriesOf, expectBelievable, request, type SearchContext } from '../searches.ts';
import { noPage } from './place.ts';

/** @param after of the page before; undefined: the first page. @throws ServiceError `not_found` (the base), `invalid_params` */
export function readRanges(
  connection: Connection,
  { after, ...search }: ChildrenRequest,
  { scale, ...context }: SearchContext & { readonly scale: Scale },
): Promise<ChildrenPage> {
  // A page of one, too, is some of many: they come with what they are put in order by.
  const oneLevel = { ...search, scope: 'one', partial: true } as const;
  return readRange(connection, oneLevel, { ...context, scale, place: readPlace(after, scale) });
}

/** An attribute as a number. */
export interface Scale {
  readonly attribute: string;
  /** All values are below it. */
  readonly end: bigint;
  write(position: bigint): string;
  read(value: AttributeValue | undefined): bigint;
}

/** RFC 4530: UUIDs are put in order by their octets. */
const uuids: Scale = {
  attribute: 'entryuuid',
  end: 1n << 128n,
  write: (position) =>
    position
      .toString(16)
      .padStart(32, '0')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  read: (value) => BigInt(`0x${String(value).replaceAll('-', '')}`),
};

/** Active Directory: counts up with each entry that is made. */
const numbers: Scale = {
  attribute: 'usncreated',
  end: 1n << 63n,
  write: String,
  read: (value) => BigInt(String(value)),
};

/** What other servers do with ranges is not known. */
export const scales: Readonly<Record<SearchContext['dialect']['vendor'], Scale | undefined>> = {
  openldap: uuids,
  'active-directory': numbers,
  other: undefined,
};

interface Place {
  readonly from: bigint;
  /** How far to look at first. */
  readonly width: bigint;
}

type OneLevel = Omit<SearchRequest, 'limit'> & { readonly limit: number };
type RangeContext = SearchContext & { readonly scale: Scale; readonly place: Place };

/** Looking for the right width takes a few requests on the first pages; this is for a server that answers nonsense. */
const mostRequests = 80;

async function readRange(
  connection: Connection,
  search: OneLevel,
  { scale, place, ...context }: RangeContext,
): Promise<ChildrenPage> {
  let { from, width } = place;
  for (let requests = 0; requests < mostRequests; requests += 1) {
    const isLast = from + width >= scale.end;
    const to = isLast ? scale.end : from + width;
    const filter = within(search.filter, { scale, from, to });
    const asked = request(connection, { ...search, filter }, { ...context, sizeLimit: search.limit + 1 });
    const reply = await connection.request(asked);
    expectBelievable(reply, search, connection);
    const isFull = isCutShort(reply) || reply.entries.length > search.limit;
    if (isFull) width = await narrower(connection, reply, { scale, from, to });
    else if (expectSuccess(reply).entries.length === 0 && !isLast) [from, width] = [to, width * 2n];
    else {
      const entries = await entriesOf(connection, reply.entries, search, context);
      const wider = entries.length * 3 < search.limit ? 2n : 1n;
      return { entries, next: isLast ? undefined : writePlace({ from: to, width: width * wider }) };
    }
  }
  throw new ServiceError('unavailable', { detail: 'the directory does not go by ranges' });
}

interface Range {
  readonly scale: Scale;
  readonly from: bigint;
  readonly to: bigint;
}

/** The whole of the scale is no restriction: few servers have such an index. */
function within(filter: Filter, { scale, from, to }: Range): Filter {
  const { attribute, end, write } = scale;
  const lowest = { kind: 'greaterOrEqual', attribute, value: write(from) } as const;
  const highest = { kind: 'lessOrEqual', attribute, value: write(to - 1n) } as const;
  return and(filter, ...(from > 0n ? [lowest] : []), ...(to < end ? [highest] : []));
}

/** Up to the middle of those that came: half of all at most, if they are any; half a page, if they are the first. */
async function narrower(connection: Connection, reply: Reply, { scale, from, to }: Range): Promise<bigint> {
  const entries = await Promise.all(reply.entries.map((entry) => readEntry(connection, entry)));
  const positions = entries.map(({ attributes }) => scale.read(attributes.get(scale.attribute)?.[0]));
  positions.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = positions[Math.floor((positions.length - 1) / 2)];
  const half = (to - from) / 2n;
  const width = middle === undefined ? half : middle - from + 1n;
  if (half === 0n) throw refusal(reply);
  return width > 0n && width < to - from ? width : half;
}

const writePlace = ({ from, width }: Place): string => `${from.toString(36)}.${width.toString(36)}`;

function readPlace(after: string | undefined, { end }: Scale): Place {
  if (after === undefined) return { from: 0n, width: end };
  const [from, width] =
    after
      .match(/^([0-9a-z]{1,26})\.([0-9a-z]{1,26})$/)
      ?.slice(1)
      .map(numberOf) ?? [];
  if (from !== undefined && width !== undefined && from < end && width > 0n) return { from, width };
  throw noPage();
}

function numberOf(text: string): bigint {
  let number = 0n;
  for (const digit of text) number = number * 36n + BigInt(Number.parseInt(digit, 36));
  return number;
}
