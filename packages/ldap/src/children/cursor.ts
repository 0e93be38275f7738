/** A paged search (RFC 2696) that is read as far as somebody has looked. The server keeps its place on one connection, which is its own. */
import type { Entry } from '@watchword/core/ports';
import type { Connection } from '../connection/connection.ts';

export class Cursor {
  readonly #connection: Connection;
  readonly #pages: AsyncGenerator<readonly Entry[]>;
  #ahead: Entry[] = [];
  #isOver = false;

  /** @param connection nobody else uses it; it ends with the cursor. @param pages read over it */
  constructor(connection: Connection, pages: AsyncGenerator<readonly Entry[]>) {
    this.#connection = connection;
    this.#pages = pages;
  }

  /** The server has said that there is no more. */
  get isOver(): boolean {
    return this.#isOver && this.#ahead.length === 0;
  }

  /** The next ones; fewer only at the end. @throws Cut; ServiceError `too_large` where the server lets nobody read so many */
  async take(limit: number): Promise<readonly Entry[]> {
    while (this.#ahead.length < limit && !this.#isOver) {
      const { value, done } = await this.#pages.next();
      if (done) this.#isOver = true;
      else this.#ahead = this.#ahead.concat(value);
    }
    const taken = this.#ahead.slice(0, limit);
    this.#ahead = this.#ahead.slice(limit);
    return taken;
  }

  /** They come once more. */
  putBack(entries: readonly Entry[]): void {
    this.#ahead = [...entries, ...this.#ahead];
  }

  close(): void {
    this.#connection.retire();
  }
}
