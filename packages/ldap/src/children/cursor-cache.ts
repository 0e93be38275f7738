/** A small cache of cursors, each of which holds a connection. */
import type { Cursor } from './cursor.ts';

/** Most cursors of an identity. */
const mostOfOne = 4;
const mostOfAll = 32;
/** The life of an unused cursor in milliseconds. */
const longest = 60_000;

interface CachedCursor {
  readonly owner: string;
  readonly cursor: Cursor;
  readonly timer: NodeJS.Timeout;
}

export class CursorCache {
  readonly #cursors = new Map<string, CachedCursor>();
  #isClosed = false;

  /** Removes a cursor from the cache, for the caller. @param key the identity, request and position */
  take(key: string): Cursor | undefined {
    const cached = this.#cursors.get(key);
    this.#cursors.delete(key);
    clearTimeout(cached?.timer);
    return cached?.cursor;
  }

  put(key: string, cursor: Cursor, owner: string): void {
    this.take(key)?.close();
    const own = [...this.#cursors].filter(([, cached]) => cached.owner === owner);
    if (own.length >= mostOfOne) this.#end(own[0]?.[0]);
    if (this.#cursors.size >= mostOfAll) this.#end(this.#cursors.keys().next().value);
    const timer = setTimeout(() => this.#end(key), longest).unref();
    if (this.#isClosed) cursor.close();
    else this.#cursors.set(key, { owner, cursor, timer });
  }

  #end(key: string | undefined): void {
    if (key !== undefined) this.take(key)?.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#cursors.keys()]) this.#end(key);
  }
}
