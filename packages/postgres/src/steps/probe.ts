/**
 * A probe of whether the database takes writes. A replaced row proves little, as its table has room when no table can grow, so the probe
 * also writes a temporary file. A write that was refused counts for a while, too: the probe cannot know every cause.
 */
import { elapsed } from '@watchword/core/foundation';
import type { Database } from '../connection/database.ts';
import { Fault, refusesWrites } from '../connection/faults.ts';

/**
 * One round trip and one transaction. The sort exceeds its memory, and writes more than a login to a temporary file in the tablespace of the
 * database.
 */
const write = `
BEGIN;
SET LOCAL work_mem = '64kB';
INSERT INTO watchword.probes (id, made) VALUES (1, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET made = excluded.made;
SELECT sum(length(fill)) FROM (SELECT n, repeat('x', 20000) AS fill FROM generate_series(1, 16) AS n ORDER BY n DESC OFFSET 1) AS sorted;
COMMIT`;

/** Milliseconds. */
const every = 1000;
/** The time in milliseconds that a refused write counts, unless a later write succeeds. */
const remembered = 10_000;

export class Probe {
  readonly #database: Database;
  #last: Promise<void> | undefined;
  #began = 0;
  #refused: { readonly at: number; readonly fault: Fault } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Records the outcome of a batch. @param error left out: it was committed */
  record(error?: unknown): void {
    if (error === undefined) this.#refused = undefined;
    else if (error instanceof Fault && refusesWrites(error)) this.#refused = { at: elapsed(), fault: error };
  }

  /** Writes at most once a second, for all callers. @throws ServiceError `unavailable` */
  async run(): Promise<undefined> {
    const now = elapsed();
    if (!this.#last || now - this.#began >= every) {
      this.#began = now;
      this.#last = this.#write();
    }
    await this.#last;
  }

  #write(): Promise<void> {
    return this.#database.withDeadline(async (deadline) => {
      if (this.#refused && elapsed() - this.#refused.at < remembered) throw this.#refused.fault;
      await this.#database.withConnection(async (client) => {
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
