/**
 * Optimistic steps, the only way in which values change (docs/decisions/0023-optimistic-transactions-on-postgresql.md). A step is one
 * transaction, and as a rule one round trip. No lock is held during a round trip.
 */
import { type Clock, versionIn, versionKey } from '@watchword/core/ports';
import type { Database } from '../connection/database.ts';
import type { Statement } from '../connection/text-query.ts';
import { Batches } from './batches.ts';
import type { Change, Decision, ValueReader } from './changes.ts';
import { Checkpoints, type Signer } from './checkpoints.ts';
import { EventAge } from './event-rows.ts';
import { KeyQueues } from './key-queues.ts';
import { idOf, type Name, partsOf } from './names.ts';
import { makeStep, type StepContext } from './optimistic-step.ts';
import { Probe } from './probe.ts';
import { ReadCache } from './read-cache.ts';
import { Sweeper } from './sweeper.ts';

const valueAt: Statement<{ value: Buffer }> = {
  name: 'value',
  text: `SELECT value FROM watchword.kept
    WHERE subject = $1 AND family = $2 AND lasting = $3 AND ends > watchword.clock($4)`,
};

/** A value, and the version of the run-time configuration. */
const valueAndVersion: Statement<{ value: Buffer | null; version: Buffer | null }> = {
  name: 'value-and-version',
  text: `SELECT
    (SELECT value FROM watchword.kept
      WHERE subject = $1 AND family = $2 AND lasting = $3 AND ends > watchword.clock($4)) AS value,
    (SELECT value FROM watchword.kept
      WHERE subject = $5 AND family = $6 AND lasting AND ends > watchword.clock($4)) AS version`,
};

export interface StepsOptions {
  readonly clock?: Clock;
  /** The age in days at which events are removed; 0 or left out: none are. */
  readonly eventDays?: number;
  /** The signer of checkpoints; left out: there are none, and no export. */
  readonly signer?: Signer;
}

export class Steps {
  readonly #clock: Clock | undefined;
  readonly #context: StepContext;
  readonly checkpoints: Checkpoints | undefined;
  readonly probe: Probe;

  constructor(database: Database, { clock, eventDays = 0, signer }: StepsOptions = {}) {
    this.#clock = clock;
    this.checkpoints = signer && new Checkpoints(database, signer);
    this.probe = new Probe(database);
    const { probe } = this;
    const shared = {
      probe,
      age: new EventAge(eventDays),
      checkpoints: this.checkpoints,
      moment: () => this.moment,
    };
    const durable = new Batches({ database, ...shared }, true);
    const ephemeral = new Batches({ database, ...shared }, false);
    const sweeper = new Sweeper(database);
    this.#context = {
      ...{ database, cache: new ReadCache(), queues: new KeyQueues() },
      batchesOf: (lasts) => (lasts ? durable : ephemeral),
      written: () => sweeper.written(this.moment),
    };
  }

  /** Milliseconds since 1970; null: the clock of the database. */
  get moment(): number | null {
    return this.#clock?.now() ?? null;
  }

  get database(): Database {
    return this.#context.database;
  }

  /** Reads a value from the database. */
  async read(name: Name): Promise<Buffer | undefined> {
    const value = await this.#read(name);
    this.#context.cache.set(idOf(name), value);
    return value;
  }

  async #read(name: Name): Promise<Buffer | undefined> {
    const { family, subject } = partsOf(name.key);
    const place = [subject, family, name.lasting, this.moment];
    const check = this.database.patience.versionCheck;
    if (!check) return (await this.database.read(valueAt, place))[0]?.value;
    const version = partsOf(versionKey);
    const [row] = await this.database.read(valueAndVersion, [...place, version.subject, version.family]);
    check.found(versionIn(row?.version ?? undefined));
    return row?.value ?? undefined;
  }

  /**
   * Changes values by their current state. Resolves when lasting values are durable.
   * @param names distinct names
   * @param decide a pure function, which may run more than once
   * @throws the error of `decide`; ServiceError `unavailable`: nothing was done, or the outcome is unknown
   */
  change<T>(names: readonly Name[], decide: (found: ValueReader) => Decision<T>): Promise<T> {
    return makeStep({ names, decide }, this.#context);
  }

  /** Changes a value without a comparison. */
  overwrite(name: Name, change: Change): Promise<void> {
    const decide = (): Decision<void> => ({ result: undefined, changes: [[0, change]] });
    return makeStep({ names: [name], isUnconditional: true, decide }, this.#context);
  }
}
