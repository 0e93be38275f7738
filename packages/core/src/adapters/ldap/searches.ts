/** Searches: paged, limited, in creation order. */
import { PagedResultsControl, type SearchEntry, SearchRequest } from 'ldapts';
import type { Entry, SearchRequest as Search } from '../../directory/directory.ts';
import { Dn } from '../../directory/dn.ts';
import { everything } from '../../directory/filter.ts';
import { ServiceError } from '../../errors.ts';
import type { Connection, Reply } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { readEntry } from './entries.ts';
import { wireFilter } from './filters.ts';
import { expectSuccess, noSuchObject } from './results.ts';
import { wireDn, wireName } from './wire-names.ts';

export interface SearchContext {
  readonly dialect: Dialect;
  readonly pageSize: number;
}

/** @throws ServiceError `not_found` for the base, `too_large` beyond the limit */
export async function searchEntries(
  connection: Connection,
  search: Search,
  context: SearchContext,
): Promise<readonly Entry[]> {
  const found = await collect(connection, search, context);
  if (found.length > (search.limit ?? Number.POSITIVE_INFINITY))
    throw new ServiceError('too_large', { detail: 'Size limit exceeded' });
  const entries: Entry[] = [];
  for (const entry of found) entries.push(await readEntry(connection, entry));
  return search.scope === 'base' ? entries : inCreationOrder(entries, search, context.dialect);
}

/** One entry, or undefined if there is none that may be seen. */
export async function readOne(
  connection: Connection,
  { dn, attributes, dialect }: { dn: Dn; attributes: readonly string[] | undefined; dialect: Dialect },
): Promise<Entry | undefined> {
  const search: Search = { base: dn, scope: 'base', filter: everything, ...(attributes && { attributes }) };
  const reply = await connection.request(request(connection, search, { dialect }));
  const entry = reply.code === noSuchObject ? undefined : expectSuccess(reply).entries[0];
  return entry && readEntry(connection, entry);
}

/** Few entries at most come in one answer and share the connection; for more, page by page. */
function collect(
  connection: Connection,
  search: Search,
  context: SearchContext,
): Promise<readonly SearchEntry[]> {
  const { scope, limit } = search;
  if (scope === 'base' || (limit !== undefined && limit < context.pageSize))
    return collectOnce(connection, search, context);
  return connection.paging(() => collectPages(connection, search, context));
}

async function collectOnce(
  connection: Connection,
  search: Search,
  { dialect }: SearchContext,
): Promise<readonly SearchEntry[]> {
  const sizeLimit = search.limit === undefined ? 0 : search.limit + 1;
  return expectSuccess(await connection.request(request(connection, search, { dialect, sizeLimit }))).entries;
}

async function collectPages(
  connection: Connection,
  search: Search,
  { dialect, pageSize: size }: SearchContext,
): Promise<SearchEntry[]> {
  const found: SearchEntry[] = [];
  const most = search.limit ?? Number.POSITIVE_INFINITY;
  for (let cookie: Buffer | undefined = Buffer.alloc(0); cookie && found.length <= most; ) {
    const page = new PagedResultsControl({ critical: false, value: { size, cookie } });
    const reply: Reply = expectSuccess(
      await connection.request(request(connection, search, { dialect, page })),
    );
    found.push(...reply.entries);
    cookie = nextPage(reply);
  }
  return found;
}

/** The server's cookie, RFC 2696 §3; undefined after the last page, or if the server does not page. */
function nextPage({ controls }: Reply): Buffer | undefined {
  const cookie = controls.find((control) => control instanceof PagedResultsControl)?.value?.cookie;
  return cookie && cookie.length > 0 ? cookie : undefined;
}

interface Particulars {
  readonly dialect: Dialect;
  readonly sizeLimit?: number;
  readonly page?: PagedResultsControl;
}

function request(
  connection: Connection,
  search: Search,
  { dialect, sizeLimit, page }: Particulars,
): SearchRequest {
  return new SearchRequest({
    messageId: 0,
    baseDN: wireDn(search.base),
    scope: search.scope,
    derefAliases: 'never',
    timeLimit: Math.ceil(connection.timeout / 1000),
    sizeLimit: sizeLimit ?? 0,
    filter: wireFilter(search.filter),
    attributes: wanted(search, dialect),
    ...(page && { controls: [page] }),
  });
}

/** What to ask for: `1.1` means nothing at all (RFC 4511 §4.5.1.8), and several entries have to be ordered. */
function wanted({ scope, attributes }: Search, dialect: Dialect): string[] {
  const names = (attributes ?? ['*']).map((name) => wireName(name, dialect));
  if (scope !== 'base') return [...names, dialect.order];
  return names.length === 0 ? ['1.1'] : names;
}

/**
 * Servers give entries in an order of their own. Theirs is kept among entries of one second, where OpenLDAP's
 * time stamps cannot tell: it is that of creation in nearly all cases.
 */
function inCreationOrder(entries: readonly Entry[], search: Search, dialect: Dialect): readonly Entry[] {
  const base = baseAmong(entries, search);
  const keyed = entries.map((entry) => ({
    entry,
    key: entry === base ? '' : creationKey(entry, dialect.order),
  }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const asked = search.attributes?.map((name) => name.toLowerCase());
  const shown = asked ? asked.includes(dialect.order) || asked.includes('+') : dialect.orderUnasked;
  return keyed.map(({ entry }) => (shown ? entry : without(entry, dialect.order)));
}

/** Sorts by text: time stamps have one length, sequence numbers are made so. */
function creationKey({ attributes }: Entry, order: string): string {
  return String(attributes.get(order)?.[0] ?? '').padStart(20, '0');
}

/** The base of a search, if it was found: every other name ends with its name, so it is the shortest. */
function baseAmong(entries: readonly Entry[], { base, scope }: Search): Entry | undefined {
  if (scope !== 'sub' || entries.length === 0) return undefined;
  const shortest = entries.reduce((a, b) => (a.dn.length <= b.dn.length ? a : b));
  return Dn.tryParse(shortest.dn)?.equals(base) ? shortest : undefined;
}

function without({ dn, attributes }: Entry, name: string): Entry {
  return { dn, attributes: new Map([...attributes].filter(([other]) => other !== name)) };
}
