/** A paged search (RFC 2696) that is read on demand, on a connection of its own. */
import type { Entry } from '@watchword/core/ports';
import type { Connection } from '../connection/connection.ts';

export class Cursor {
  readonly #connection: Connection;
  readonly #pages: AsyncGenerator<readonly Entry[]>;
  #buffer: Entry[] = [];
  #isOver = false;

  /** @param connection for exclusive use; ends with the cursor @param pages the search on it */
  constructor(connection: Connection, pages: AsyncGenerator<readonly Entry[]>) {
    this.#connection = connection;
    this.#pages = pages;
  }

  /** The search has ended. */
  get isOver(): boolean {
    return this.#isOver && this.#buffer.length === 0;
  }

  /** Reads the next entries; fewer only at the end. @throws ConnectionLost; ServiceError `too_large` if the server limits paging */
  async take(limit: number): Promise<readonly Entry[]> {
    while (this.#buffer.length < limit && !this.#isOver) {
      const { value, done } = await this.#pages.next();
      if (done) this.#isOver = true;
      else this.#buffer = this.#buffer.concat(value);
    }
    const taken = this.#buffer.slice(0, limit);
    this.#buffer = this.#buffer.slice(limit);
    return taken;
  }

  /** Returns entries to the cursor. */
  putBack(entries: readonly Entry[]): void {
    this.#buffer = [...entries, ...this.#buffer];
  }

  close(): void {
    this.#connection.retire();
  }
}
