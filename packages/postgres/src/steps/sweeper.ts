/**
 * Removes ended values without a timer: at most once a second a writer sweeps twice as many values as were written since the last sweep
 * (docs/decisions/0026-writers-sweep-what-has-ended.md).
 */
import { elapsed } from '@watchword/core/foundation';
import type { Database } from '../connection/database.ts';
import type { Statement } from '../connection/text-query.ts';

/** The key after which the next sweep begins. */
interface Cursor {
  readonly after_subject: string | null;
  readonly after_family: string | null;
}

const sweep: Statement<Cursor> = {
  name: 'sweep',
  text: 'SELECT after_subject, after_family FROM watchword.sweep($1, $2, $3, $4)',
};

const every = 1000;
const least = 200;

export class Sweeper {
  readonly #database: Database;
  #written = 0;
  #last = 0;
  #cursor: Cursor | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Counts a write, and sweeps in the background if a sweep is due. @param moment see {@link Steps.moment} */
  written(moment: number | null): void {
    this.#written += 1;
    const now = elapsed();
    if (now - this.#last < every) return;
    this.#last = now;
    const most = least + 2 * this.#written;
    this.#written = 0;
    const { after_subject: subject, after_family: family } = this.#cursor ?? {};
    this.#database.sendDetached(sweep, [moment, most, subject ?? '', family ?? '']).then(
      ([cursor]) => {
        this.#cursor = cursor;
      },
      // No read returns ended values, and the next sweep removes them.
      () => undefined,
    );
  }
}
