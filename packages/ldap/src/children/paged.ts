/**
 * Children by a paged search (RFC 2696), which goes on only over the connection that it began on: it is kept for a while. Whoever comes
 * later, or to another process, has the container read anew up to the place.
 */
import { createHash } from 'node:crypto';
import type { Dn } from '@watchword/core/foundation';
import type { ChildrenPage, ChildrenRequest, Entry, SearchRequest } from '@watchword/core/ports';
import type { Connection } from '../connection/connection.ts';
import { expectSuccess, isCutShort } from '../results.ts';
import { entriesOf, expectBelievable, request, type SearchContext, searchPages } from '../searches.ts';
import { Cursor } from './cursor.ts';
import type { Cursors } from './cursors.ts';
import { type Place, readPlace, writePlace } from './place.ts';

export interface PagedContext extends SearchContext {
  readonly identity: Dn;
  /** Those of all identities. */
  readonly cursors: Cursors;
  /** Another connection of this identity. */
  open(): Promise<Connection>;
}

/** @throws ServiceError `not_found` (the base), `invalid_params`, `too_large` where the server lets nobody page through so many */
export function readPaged(
  connection: Connection,
  asked: ChildrenRequest,
  context: PagedContext,
): Promise<ChildrenPage> {
  return asked.after === undefined
    ? readFirst(connection, asked, context)
    : readOn(asked, readPlace(asked.after), context);
}

const oneLevel = ({ after: _, limit: __, ...search }: ChildrenRequest): SearchRequest => ({
  ...search,
  scope: 'one',
});

/** Most containers hold no more than a page, which is no reason for a connection. */
async function readFirst(
  connection: Connection,
  asked: ChildrenRequest,
  context: PagedContext,
): Promise<ChildrenPage> {
  const { limit } = asked;
  const search = oneLevel(asked);
  const reply = await connection.request(request(connection, search, { ...context, sizeLimit: limit + 1 }));
  expectBelievable(reply, search, connection);
  const isMore = isCutShort(reply) || expectSuccess(reply).entries.length > limit;
  if (!isMore)
    return { entries: await entriesOf(connection, reply.entries, search, context), next: undefined };
  return takePage(await openCursor(asked, context), { asked, place: { count: 0, last: '' }, context });
}

async function readOn(asked: ChildrenRequest, place: Place, context: PagedContext): Promise<ChildrenPage> {
  const kept = context.cursors.take(keyOf(asked, place, context));
  return takePage(kept ?? (await cursorAt(asked, place, context)), { asked, place, context });
}

interface PageOf {
  readonly asked: ChildrenRequest;
  readonly place: Place;
  readonly context: PagedContext;
}

async function takePage(cursor: Cursor, { asked, place, context }: PageOf): Promise<ChildrenPage> {
  try {
    const entries = await cursor.take(asked.limit);
    const last = entries.at(-1);
    if (cursor.isOver || last === undefined) {
      cursor.close();
      return { entries, next: undefined };
    }
    const next = { count: place.count + entries.length, last: markOf(last) };
    context.cursors.keep(keyOf(asked, next, context), cursor, context.identity.key);
    return { entries, next: writePlace(next) };
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

/** Behind the last entry that was given; where it is gone meanwhile, behind as many as are left of those before it. */
async function cursorAt(asked: ChildrenRequest, place: Place, context: PagedContext): Promise<Cursor> {
  const wide = { ...asked, limit: context.pageSize };
  const cursor = await openCursor(wide, context);
  try {
    const found = await passLast(cursor, place, context.pageSize);
    if (found) return cursor;
  } catch (error) {
    cursor.close();
    throw error;
  }
  cursor.close();
  const again = await openCursor(wide, context);
  for (let left = place.count - 1; left > 0 && !again.isOver; )
    left -= (await again.take(Math.min(context.pageSize, left))).length;
  return again;
}

async function passLast(cursor: Cursor, { last }: Place, size: number): Promise<boolean> {
  while (!cursor.isOver) {
    const entries = await cursor.take(size);
    const at = entries.findIndex((entry) => markOf(entry) === last);
    if (at >= 0) {
      cursor.putBack(entries.slice(at + 1));
      return true;
    }
  }
  return false;
}

/**
 * Reads the entries that pages before a place have given, so that another order can leave them out.
 * @param after of the last page
 */
export async function givenBefore(
  asked: ChildrenRequest,
  after: string,
  { dialect, pageSize, open }: PagedContext,
): Promise<ReadonlySet<string>> {
  const { count, last } = readPlace(after);
  const given: string[] = [];
  const connection = await open();
  try {
    const search = { ...oneLevel(asked), attributes: [] };
    // No more than was given: the server may let nobody page further.
    for await (const page of searchPages(connection, search, { dialect, pageSize, most: count }))
      for (const entry of page) {
        const mark = given[given.push(markOf(entry)) - 1];
        if (mark === last) return new Set(given);
      }
    // The last one is gone: another one has come in its place.
    return new Set(given.slice(0, -1));
  } finally {
    connection.retire();
  }
}

/** A cursor goes on for nobody but whose rights it reads by, and for nothing else than was asked for. */
const keyOf = (
  { base, filter, attributes }: ChildrenRequest,
  place: Place,
  { identity }: PagedContext,
): string => JSON.stringify([identity.key, base.key, filter, attributes, writePlace(place)]);

/** Short, however long the name is. */
export const markOf = ({ dn }: Entry): string =>
  createHash('sha256').update(dn).digest('base64url').slice(0, 16);
