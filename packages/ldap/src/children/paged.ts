/**
 * Children by a paged search (RFC 2696). It continues only on its own connection, which is cached for a while. A later request, or one to
 * another process, reads the container again up to its position.
 */
import { createHash } from 'node:crypto';
import type { Dn } from '@watchword/core/foundation';
import type { ChildrenPage, ChildrenRequest, Entry, SearchRequest } from '@watchword/core/ports';
import type { Connection } from '../connection/connection.ts';
import { expectSuccess, isTruncated } from '../results.ts';
import { assertHeld, entriesOf, request, type SearchContext, searchPages } from '../searches.ts';
import { Cursor } from './cursor.ts';
import type { CursorCache } from './cursor-cache.ts';
import { decodePageToken, encodePageToken, type PagePosition } from './page-token.ts';

export interface PagedContext extends SearchContext {
  readonly identity: Dn;
  /** The cursors of all identities. */
  readonly cursors: CursorCache;
  /** Opens another connection of this identity. */
  open(): Promise<Connection>;
}

/** Reads a page. @throws ServiceError `not_found` (the base), `invalid_params`, `too_large` if the server limits paging */
export function readPaged(
  connection: Connection,
  asked: ChildrenRequest,
  context: PagedContext,
): Promise<ChildrenPage> {
  return asked.after === undefined
    ? readFirst(connection, asked, context)
    : readNext(asked, decodePageToken(asked.after), context);
}

const oneLevel = ({ after: _, limit: __, ...search }: ChildrenRequest): SearchRequest => ({
  ...search,
  scope: 'one',
});

/** Reads the first page without a cursor: most containers have no other. */
async function readFirst(
  connection: Connection,
  asked: ChildrenRequest,
  context: PagedContext,
): Promise<ChildrenPage> {
  const { limit } = asked;
  const search = oneLevel(asked);
  const reply = await connection.request(request(connection, search, { ...context, sizeLimit: limit + 1 }));
  assertHeld(reply, search, connection);
  const isMore = isTruncated(reply) || expectSuccess(reply).entries.length > limit;
  if (!isMore)
    return { entries: await entriesOf(connection, reply.entries, search, context), next: undefined };
  return takePage(await openCursor(asked, context), { asked, position: { count: 0, last: '' }, context });
}

async function readNext(
  asked: ChildrenRequest,
  position: PagePosition,
  context: PagedContext,
): Promise<ChildrenPage> {
  const kept = context.cursors.take(keyOf(asked, position, context));
  return takePage(kept ?? (await cursorAt(asked, position, context)), { asked, position, context });
}

interface PageRequest {
  readonly asked: ChildrenRequest;
  readonly position: PagePosition;
  readonly context: PagedContext;
}

async function takePage(cursor: Cursor, { asked, position, context }: PageRequest): Promise<ChildrenPage> {
  try {
    const entries = await cursor.take(asked.limit);
    const last = entries.at(-1);
    if (cursor.isOver || last === undefined) {
      cursor.close();
      return { entries, next: undefined };
    }
    const next = { count: position.count + entries.length, last: digestOf(last) };
    context.cursors.put(keyOf(asked, next, context), cursor, context.identity.key);
    return { entries, next: encodePageToken(next) };
  } catch (error) {
    cursor.close();
    throw error;
  }
}

async function openCursor(asked: ChildrenRequest, context: PagedContext): Promise<Cursor> {
  const { dialect, pageSize } = context;
  const connection = await context.open();
  const size = Math.min(asked.limit, pageSize);
  return new Cursor(connection, searchPages(connection, oneLevel(asked), { dialect, pageSize: size }));
}

/** Opens a cursor after the last entry of the page before; if that was deleted, after as many entries. */
async function cursorAt(
  asked: ChildrenRequest,
  position: PagePosition,
  context: PagedContext,
): Promise<Cursor> {
  const wide = { ...asked, limit: context.pageSize };
  const cursor = await openCursor(wide, context);
  try {
    const found = await skipToLast(cursor, position, context.pageSize);
    if (found) return cursor;
  } catch (error) {
    cursor.close();
    throw error;
  }
  cursor.close();
  const again = await openCursor(wide, context);
  for (let left = position.count - 1; left > 0 && !again.isOver; )
    left -= (await again.take(Math.min(context.pageSize, left))).length;
  return again;
}

async function skipToLast(cursor: Cursor, { last }: PagePosition, size: number): Promise<boolean> {
  while (!cursor.isOver) {
    const entries = await cursor.take(size);
    const at = entries.findIndex((entry) => digestOf(entry) === last);
    if (at >= 0) {
      cursor.putBack(entries.slice(at + 1));
      return true;
    }
  }
  return false;
}

/**
 * Reads the digests of the entries of earlier pages, so that ranges can leave them out.
 * @param after the token of the last page
 */
export async function readBefore(
  asked: ChildrenRequest,
  after: string,
  { dialect, pageSize, open }: PagedContext,
): Promise<ReadonlySet<string>> {
  const { count, last } = decodePageToken(after);
  const given: string[] = [];
  const connection = await open();
  try {
    const search = { ...oneLevel(asked), attributes: [] };
    // Reads no further: the server limits paging.
    for await (const page of searchPages(connection, search, { dialect, pageSize, most: count }))
      for (const entry of page) {
        const digest = given[given.push(digestOf(entry)) - 1];
        if (digest === last) return new Set(given);
      }
    // The last entry was deleted, so the count includes one that was not returned.
    return new Set(given.slice(0, -1));
  } finally {
    connection.retire();
  }
}

/** Returns the cache key of a cursor, which is for this identity and request only. */
const keyOf = (
  { base, filter, attributes }: ChildrenRequest,
  position: PagePosition,
  { identity }: PagedContext,
): string => JSON.stringify([identity.key, base.key, filter, attributes, encodePageToken(position)]);

/** Returns a short digest of an entry's DN. */
export const digestOf = ({ dn }: Entry): string =>
  createHash('sha256').update(dn).digest('base64url').slice(0, 16);
