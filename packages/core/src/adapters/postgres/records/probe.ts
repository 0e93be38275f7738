/** Whether the database takes writes. */
import type { Database, Statement } from '../connection/database.ts';

/** A row of nobody's that a transaction of its own makes. */
const write: Statement<object> = {
  name: 'probe',
  text: `INSERT INTO watchword.probes (id, made) VALUES (1, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET made = excluded.made`,
};

/** In milliseconds. */
const every = 1000;

export class Probe {
  readonly #database: Database;
  #last: Promise<unknown> | undefined;
  #began = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** At most once a second. @throws ServiceError `unavailable` */
  async look(): Promise<undefined> {
    const now = performance.now();
    if (!this.#last || now - this.#began >= every) {
      this.#began = now;
      this.#last = this.#database.read(write, []);
    }
    await this.#last;
  }
}
