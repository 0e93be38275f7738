/** The cursors that somebody may come back to: few, and not for long, as each holds a connection. */
import type { Cursor } from './cursor.ts';

/** Of one identity: whoever goes through more containers at a time reads anew up to where it was. */
const mostOfOne = 4;
const mostOfAll = 32;
/** Milliseconds; whoever scrolls is back before. */
const longest = 60_000;

interface Kept {
  readonly owner: string;
  readonly cursor: Cursor;
  readonly timer: NodeJS.Timeout;
}

export class Cursors {
  readonly #kept = new Map<string, Kept>();
  #isClosed = false;

  /** It is the caller's from now on. @param key names the identity, what is asked for, and the place */
  take(key: string): Cursor | undefined {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    clearTimeout(kept?.timer);
    return kept?.cursor;
  }

  keep(key: string, cursor: Cursor, owner: string): void {
    this.take(key)?.close();
    const own = [...this.#kept].filter(([, kept]) => kept.owner === owner);
    if (own.length >= mostOfOne) this.#end(own[0]?.[0]);
    if (this.#kept.size >= mostOfAll) this.#end(this.#kept.keys().next().value);
    const timer = setTimeout(() => this.#end(key), longest).unref();
    if (this.#isClosed) cursor.close();
    else this.#kept.set(key, { owner, cursor, timer });
  }

  #end(key: string | undefined): void {
    if (key !== undefined) this.take(key)?.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#kept.keys()]) this.#end(key);
  }
}
