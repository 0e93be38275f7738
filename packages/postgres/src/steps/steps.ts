/**
 * The one way in which values are changed. What becomes of them is decided here, by what this node thinks is there; the
 * database compares, and does all of it or nothing (`watchword.steps_together`); then it is decided again. So a step is one
 * round trip as a rule, in one transaction always, and nobody holds a lock while the network is waited for.
 */
import type { Clock } from '@watchword/core/ports';
import type { Database } from '../connection/database.ts';
import type { Statement } from '../connection/text-query.ts';
import { Batches } from './batches.ts';
import type { Change, Decision, Found } from './changes.ts';
import { Checkpoints, type Signer } from './checkpoints.ts';
import { EventAge } from './event-rows.ts';
import { Guesses } from './guesses.ts';
import { KeyQueues } from './key-queues.ts';
import { idOf, type Name, partsOf } from './names.ts';
import { makeStep, type StepContext } from './optimistic-step.ts';
import { Probe } from './probe.ts';
import { Sweeper } from './sweeper.ts';

const valueAt: Statement<{ value: Buffer }> = {
  name: 'value',
  text: `SELECT value FROM watchword.kept
    WHERE subject = $1 AND family = $2 AND lasting = $3 AND ends > watchword.clock($4)`,
};

export interface StepsOptions {
  readonly clock?: Clock;
  /** Events older than this many days are removed; 0 or left out: none. */
  readonly eventDays?: number;
  /** What checkpoints of the event log are signed with; left out: there are none, and nothing can be exported. */
  readonly signer?: Signer;
}

export class Steps {
  readonly #clock: Clock | undefined;
  readonly #context: StepContext;
  readonly checkpoints: Checkpoints | undefined;
  /** Of all that is kept here. */
  readonly probe: Probe;

  constructor(database: Database, { clock, eventDays = 0, signer }: StepsOptions = {}) {
    this.#clock = clock;
    this.checkpoints = signer && new Checkpoints(database, signer);
    this.probe = new Probe(database);
    const { probe } = this;
    const more = {
      probe,
      age: new EventAge(eventDays),
      checkpoints: this.checkpoints,
      moment: () => this.moment,
    };
    const lasting = new Batches({ database, ...more }, true);
    const momentary = new Batches({ database, ...more }, false);
    const sweeper = new Sweeper(database);
    this.#context = {
      ...{ database, guesses: new Guesses(), queues: new KeyQueues() },
      batchesOf: (lasts) => (lasts ? lasting : momentary),
      written: () => sweeper.written(this.moment),
    };
  }

  /** Milliseconds since 1970; null: as the database's clock says. */
  get moment(): number | null {
    return this.#clock?.now() ?? null;
  }

  get database(): Database {
    return this.#context.database;
  }

  /** What the database has at this moment. */
  async read(name: Name): Promise<Buffer | undefined> {
    const { family, subject } = partsOf(name.key);
    const [row] = await this.database.read(valueAt, [subject, family, name.lasting, this.moment]);
    this.#context.guesses.note(idOf(name), row?.value);
    return row?.value;
  }

  /**
   * Changes values by what is there at this moment, durably where they last.
   * @param names each once
   * @param decide pure; it may be called more than once
   * @throws what `decide` throws; ServiceError `unavailable`: nothing was done, or nobody can tell
   */
  change<T>(names: readonly Name[], decide: (found: Found) => Decision<T>): Promise<T> {
    return makeStep({ names, decide }, this.#context);
  }

  /** Changes values whatever is there. */
  overwrite(name: Name, change: Change): Promise<void> {
    const decide = (): Decision<void> => ({ result: undefined, changes: [[0, change]] });
    return makeStep({ names: [name], isBlind: true, decide }, this.#context);
  }
}
