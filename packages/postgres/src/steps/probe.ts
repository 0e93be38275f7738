/**
 * Whether the database takes writes. A row that is replaced is no proof: its table has room where no table can grow. So the probe
 * also writes to the disk that tables grow on, a temporary file, which leaves nothing behind. And what the database has said to
 * those who write counts for a while: no probe knows every way in which a write may fail.
 */
import { elapsed } from '@watchword/core/foundation';
import type { Database } from '../connection/database.ts';
import { Fault, refusesWrites } from '../connection/faults.ts';

/**
 * One round trip, and one transaction. More is sorted than the memory for it, more than a login writes. The file is in the
 * tablespace of the database.
 */
const write = `
BEGIN;
SET LOCAL work_mem = '64kB';
INSERT INTO watchword.probes (id, made) VALUES (1, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET made = excluded.made;
SELECT sum(length(fill)) FROM (SELECT n, repeat('x', 20000) AS fill FROM generate_series(1, 16) AS n ORDER BY n DESC OFFSET 1) AS sorted;
COMMIT`;

/** In milliseconds. */
const every = 1000;
/** Milliseconds for which a refused write counts, unless a later write succeeds. */
const remembered = 10_000;

export class Probe {
  readonly #database: Database;
  #last: Promise<void> | undefined;
  #began = 0;
  #refused: { readonly at: number; readonly fault: Fault } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Notes what became of a step. @param error left out: it was made */
  noted(error?: unknown): void {
    if (error === undefined) this.#refused = undefined;
    else if (error instanceof Fault && refusesWrites(error)) this.#refused = { at: elapsed(), fault: error };
  }

  /** Writes at most once a second, for all who look. @throws ServiceError `unavailable` */
  async look(): Promise<undefined> {
    const now = elapsed();
    if (!this.#last || now - this.#began >= every) {
      this.#began = now;
      this.#last = this.#write();
    }
    await this.#last;
  }

  #write(): Promise<void> {
    return this.#database.inTime(async (deadline) => {
      if (this.#refused && elapsed() - this.#refused.at < remembered) throw this.#refused.fault;
      await this.#database.on(async (client) => {
        try {
          await client.query(write);
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }, deadline);
    });
  }
}
