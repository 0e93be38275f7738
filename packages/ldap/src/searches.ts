/** Searches with paging, limits and creation order. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Dn,
  type MaybePromise,
  matchAll,
  memoizeFrozen,
  ServiceError,
  thenMaybe,
} from '@watchword/core/foundation';
import type { Entry, SearchRequest as Search } from '@watchword/core/ports';
import type { Connection, Reply } from './connection/connection.ts';
import { inCreationOrder } from './creation-order.ts';
import type { Dialect } from './dialect.ts';
import { readEntry } from './entries.ts';
import { expectSuccess, isTruncated, noSuchObject, referral, success } from './results.ts';
import { controlValue } from './wire/messages.ts';
import type { Request } from './wire/request.ts';
import { type Page, pagedResults, searchRequest } from './wire/search-request.ts';
import type { WireEntry } from './wire/wire-entry.ts';
import { wireDn, wireName } from './wire/wire-names.ts';

export interface SearchContext {
  readonly dialect: Dialect;
  readonly pageSize: number;
}

interface Paging extends SearchContext {
  /** Most entries. Optional; default: all. */
  readonly most?: number;
}

/** Entries that are read before a yield: about a millisecond. */
const readAtOnce = 200;

/** @throws ServiceError `not_found` for the base, `too_large` beyond the limit */
export function searchEntries(
  connection: Connection,
  search: Search,
  context: SearchContext,
): Promise<readonly Entry[]> {
  const { limit: most = Number.POSITIVE_INFINITY } = search;
  const sizeLimit = Math.min(most + 1, context.pageSize);
  const message = request(connection, search, { dialect: context.dialect, sizeLimit });
  return connection.request(message).then((reply) => {
    assertHeld(reply, search, connection);
    // A single response shares the connection; only more entries wait for a paged search.
    const found =
      inOneResponse(reply, most) ?? connection.paging(() => collectPages(connection, search, context));
    return thenMaybe(found, (entries) => entriesOf(connection, entries, search, context));
  });
}

/** Reports a missing base. @throws ConnectionLost if the server must hold it: another server is tried */
export function assertHeld(reply: Reply, { base, scope, filter }: Search, connection: Connection): void {
  const { code, entries } = reply;
  // A reference may come in place of the entry, RFC 4511 §4.5.3.
  const isReference = scope === 'base' && filter === matchAll && code === success && entries.length === 0;
  const isMissing = code === noSuchObject || code === referral || isReference;
  if (isMissing) connection.onMissing(base);
}

/** Returns the entries of the first response; undefined if there may be more. */
function inOneResponse(reply: Reply, most: number): readonly WireEntry[] | undefined {
  const truncated = isTruncated(reply);
  if (truncated && reply.entries.length <= most) return undefined;
  return truncated ? reply.entries : expectSuccess(reply).entries;
}

/** Completes and sorts the entries of a search. */
export function entriesOf(
  connection: Connection,
  found: readonly WireEntry[],
  search: Search,
  { dialect }: SearchContext,
): MaybePromise<readonly Entry[]> {
  const { limit = Number.POSITIVE_INFINITY, partial } = search;
  if (found.length > limit && !partial)
    throw new ServiceError('too_large', { detail: `more than ${limit} entries` });
  return thenMaybe(readAll(connection, found.slice(0, limit)), (entries) =>
    isOrdered(search) ? inCreationOrder(entries, search, dialect) : entries,
  );
}

/** Completes entries; synchronous for a few complete ones. */
function readAll(connection: Connection, found: readonly WireEntry[]): MaybePromise<readonly Entry[]> {
  if (found.length >= readAtOnce) return readYielding(connection, found);
  const read = found.map((entry) => readEntry(connection, entry));
  return read.every(isEntry) ? read : Promise.all(read);
}

const isEntry = (entry: MaybePromise<Entry>): entry is Entry => !(entry instanceof Promise);

async function readYielding(connection: Connection, found: readonly WireEntry[]): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const entry of found) {
    if (entries.length % readAtOnce === readAtOnce - 1) await nextTurn();
    const read = readEntry(connection, entry);
    entries.push(read instanceof Promise ? await read : read);
  }
  return entries;
}

/** Reads an entry; undefined if there is none that may be read. */
export function readOne(
  connection: Connection,
  { dn, attributes, dialect }: { dn: Dn; attributes: readonly string[] | undefined; dialect: Dialect },
): Promise<Entry | undefined> {
  const search: Search = { base: dn, scope: 'base', filter: matchAll, ...(attributes && { attributes }) };
  return connection.request(request(connection, search, { dialect })).then((reply) => {
    assertHeld(reply, search, connection);
    const entry = reply.code === noSuchObject ? undefined : expectSuccess(reply).entries[0];
    return entry && readEntry(connection, entry);
  });
}

/** Most successive empty pages: a server that sends more never ends. */
const mostEmptyPages = 100;

async function collectPages(
  connection: Connection,
  search: Search,
  context: SearchContext,
): Promise<WireEntry[]> {
  const found: WireEntry[] = [];
  const most = search.limit ?? Number.POSITIVE_INFINITY;
  for await (const page of wirePages(connection, search, context)) {
    for (const entry of page) found.push(entry);
    if (found.length > most) break;
  }
  return found;
}

/** Searches in pages, in no order. The connection must have no other paged search. */
export async function* searchPages(
  connection: Connection,
  search: Search,
  { dialect, ...paging }: Paging,
): AsyncGenerator<readonly Entry[]> {
  const unordered = { ...dialect, creationOrder: [] };
  for await (const page of wirePages(connection, search, { dialect: unordered, ...paging }))
    yield await Promise.all(page.map((entry) => readEntry(connection, entry)));
}

async function* wirePages(
  connection: Connection,
  search: Search,
  { dialect, pageSize, most = Number.POSITIVE_INFINITY }: Paging,
): AsyncGenerator<readonly WireEntry[]> {
  let empty = 0;
  let left = most;
  for (let cookie: Buffer | undefined = Buffer.alloc(0); cookie && left > 0; ) {
    const page = { size: Math.min(pageSize, left), cookie };
    const reply: Reply = await connection.request(request(connection, search, { dialect, page }));
    assertHeld(reply, search, connection);
    expectSuccess(reply);
    empty = reply.entries.length === 0 ? empty + 1 : 0;
    if (empty > mostEmptyPages) throw endless();
    left -= reply.entries.length;
    yield reply.entries;
    cookie = nextPage(reply);
  }
}

function endless(): ServiceError {
  return new ServiceError('unavailable', { detail: 'the directory gives empty pages without end' });
}

/**
 * Returns the cookie of `SEQUENCE { size INTEGER, cookie OCTET STRING }` (RFC 2696 §2); undefined after the last page, and without paging.
 */
function nextPage({ controls }: Reply): Buffer | undefined {
  const value = controlValue(controls, pagedResults)?.open(0x30);
  value?.integer();
  const cookie = value?.bytes(0x04);
  return cookie && cookie.length > 0 ? cookie : undefined;
}

interface RequestParts {
  readonly dialect: Dialect;
  readonly sizeLimit?: number;
  readonly page?: Page;
}

export function request(
  connection: Connection,
  search: Search,
  { dialect, sizeLimit, page }: RequestParts,
): Request {
  const { base, scope, filter } = search;
  const attributes = requestedAttributes(search, dialect);
  return searchRequest(connection, { base: wireDn(base), scope, filter, attributes, sizeLimit, page });
}

/** Returns the attributes to request: `1.1` requests none (RFC 4511 §4.5.1.8), and sorting needs its own. */
function requestedAttributes(search: Search, dialect: Dialect): readonly string[] {
  const { attributes = all } = search;
  if (isOrdered(search))
    return [...attributes.map((name) => wireName(name, dialect)), ...dialect.creationOrder];
  return namesOf(attributes, dialect);
}

const all = Object.freeze(['*']);

const namesOf = memoizeFrozen((attributes, dialect: Dialect): readonly string[] => {
  const names = attributes.length === 0 ? ['1.1'] : attributes.map((name) => wireName(name, dialect));
  // Frozen lists have a cached encoding.
  return Object.isFrozen(attributes) ? Object.freeze(names) : names;
});

/** Returns whether entries must be sorted: several, or the first of several. */
const isOrdered = ({ scope, limit, partial = false }: Search): boolean =>
  scope !== 'base' && (limit !== 1 || partial);
