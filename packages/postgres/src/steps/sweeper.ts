/**
 * Removes what is over, without a timer: whoever writes looks, at most once a second, at twice as many values as were
 * written since. So the tables never hold much more than what is alive.
 */
import { elapsed } from '@watchword/core/foundation';
import type { Database } from '../connection/database.ts';
import type { Statement } from '../connection/text-query.ts';

interface Place {
  readonly after_subject: string | null;
  readonly after_family: string | null;
}

const sweep: Statement<Place> = {
  name: 'sweep',
  text: 'SELECT after_subject, after_family FROM watchword.sweep($1, $2, $3, $4)',
};

const every = 1000;
const least = 200;

export class Sweeper {
  readonly #database: Database;
  #written = 0;
  #last = 0;
  #place: Place | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Something was. Nobody waits for what comes of it. @param moment see {@link Steps.moment} */
  written(moment: number | null): void {
    this.#written += 1;
    const now = elapsed();
    if (now - this.#last < every) return;
    this.#last = now;
    const most = least + 2 * this.#written;
    this.#written = 0;
    const { after_subject: subject, after_family: family } = this.#place ?? {};
    this.#database.sendAside(sweep, [moment, most, subject ?? '', family ?? '']).then(
      ([place]) => {
        this.#place = place;
      },
      // What is over is not there for anybody; the next one removes it.
      () => undefined,
    );
  }
}
