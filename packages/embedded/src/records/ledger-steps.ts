/** Steps of the ledger on LMDB, as grouped changes. A login makes three of them. */
import type {
  AdmitStep,
  Clock,
  CommitChanges,
  CommitStep,
  EphemeralStepState,
  LockRelease,
} from '@watchword/core/ports';
import { releasedValues } from '@watchword/core/ports';
import type { GroupedChange } from '../storage/changes.ts';
import type { Environment } from '../storage/environment.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { hasEnded, thisProcess } from './holder.ts';
import { indexOfKey, RecordStep } from './record-step.ts';
import type { RecordTables } from './timed-records.ts';

/** The durable or the ephemeral records. */
export interface Partition {
  readonly environment: Environment;
  readonly tables: RecordTables;
}

interface EngineParts {
  /** The tables of the store and the event log. */
  readonly durable: Partition;
  readonly ephemeral: Partition;
  readonly events: EmbeddedEventLog;
  readonly clock: Clock;
}

/** The parts that all steps of a ledger share. */
export class LedgerEngine {
  readonly durable: Partition;
  readonly ephemeral: Partition;
  readonly events: EmbeddedEventLog;
  readonly clock: Clock;
  #readIn: number | undefined;
  #lastRead: RecordStep | undefined;

  constructor({ durable, ephemeral, events, clock }: EngineParts) {
    this.durable = durable;
    this.ephemeral = ephemeral;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Reads durable values from within an ephemeral step, with the commits of other processes. Steps of one transaction read the same snapshot, and
   * read a common key once.
   */
  readDurable(keys: readonly string[]): RecordStep {
    const { environment, tables } = this.durable;
    environment.assertOpen();
    const transaction = this.ephemeral.environment.transactions;
    if (this.#readIn !== transaction) {
      this.#readIn = transaction;
      this.#lastRead = undefined;
      environment.refresh();
    }
    const step = new RecordStep(tables, this.clock.now(), keys, this.#lastRead);
    // In one environment the transaction itself may change durable values.
    if (environment !== this.ephemeral.environment) this.#lastRead = step;
    return step;
  }
}

/** The two functions of a step's promise. */
export interface StepPromise<R> {
  resolve(result: R): void;
  reject(error: unknown): void;
}

abstract class LedgerChange<R> implements GroupedChange {
  protected readonly engine: LedgerEngine;
  readonly #promise: StepPromise<R>;
  #changes: CommitChanges<R> | undefined;
  #error: unknown;

  constructor(engine: LedgerEngine, promise: StepPromise<R>) {
    this.engine = engine;
    this.#promise = promise;
  }

  protected abstract readonly partition: Partition;
  /** Keys that the step reads or changes. */
  protected abstract readonly keys: readonly string[];
  protected abstract decide(found: RecordStep): CommitChanges<R>;

  /** An error of `decide` fails this step only; the rest of the group commits. */
  apply(): void {
    const step = new RecordStep(this.partition.tables, this.engine.clock.now(), this.keys);
    try {
      const changes = this.decide(step);
      assertNamed(changes, this.keys);
      this.#changes = changes;
    } catch (error) {
      this.#error = error;
      return;
    }
    this.#write(this.#changes, step);
  }

  #write({ values, claims, events }: CommitChanges<R>, step: RecordStep): void {
    if (values) for (const [key, kept] of values) step.put(key, kept);
    if (claims) for (const claim of claims) step.claim(claim.key, claim);
    if (events) for (const event of events) this.engine.events.add(event);
  }

  committed(): void {
    if (this.#changes) this.#end(this.#changes);
    else this.#promise.reject(this.#error);
  }

  /** Queues the release before the result: no later step of the caller overtakes it. */
  #end({ result, release }: CommitChanges<R>): void {
    if (release && release.length > 0)
      this.engine.ephemeral.environment.writeGrouped(new ReleaseChange(this.engine, release));
    this.#promise.resolve(result);
  }

  failed(error: unknown): void {
    this.#promise.reject(error);
  }
}

export class AdmitChange<R> extends LedgerChange<R> {
  protected readonly partition: Partition;
  protected readonly keys: readonly string[];
  readonly #step: AdmitStep<R>;

  constructor(engine: LedgerEngine, step: AdmitStep<R>, promise: StepPromise<R>) {
    super(engine, promise);
    this.partition = engine.ephemeral;
    this.keys = step.ephemeral;
    this.#step = step;
  }

  protected decide(found: RecordStep): CommitChanges<R> {
    return this.#step.decide(this.engine.readDurable(this.#step.durable), ephemeralState(found));
  }
}

export class CommitChange<R> extends LedgerChange<R> {
  protected readonly partition: Partition;
  protected readonly keys: readonly string[];
  readonly #step: CommitStep<R>;

  constructor(engine: LedgerEngine, step: CommitStep<R>, promise: StepPromise<R>) {
    super(engine, promise);
    this.partition = engine.durable;
    this.keys = step.durable;
    this.#step = step;
  }

  protected decide(found: RecordStep): CommitChanges<R> {
    return this.#step.decide(found);
  }
}

/** The promise of a release. A failure is ignored: an unreleased value ends with its time. */
const ignored: StepPromise<undefined> = { resolve: () => undefined, reject: () => undefined };

class ReleaseChange extends LedgerChange<undefined> {
  protected readonly partition: Partition;
  protected readonly keys: readonly string[];
  readonly #release: readonly LockRelease[];

  constructor(engine: LedgerEngine, release: readonly LockRelease[]) {
    super(engine, ignored);
    this.partition = engine.ephemeral;
    this.keys = release.map(({ key }) => key);
    this.#release = release;
  }

  protected decide(found: RecordStep): CommitChanges<undefined> {
    return { result: undefined, values: releasedValues(this.#release, ephemeralState(found), thisProcess) };
  }
}

const ephemeralState = (step: RecordStep): EphemeralStepState => ({
  now: step.now,
  value: (key) => step.value(key),
  claimed: (key) => step.claimed(key),
  hasEnded,
});

/** Checks the keys of a step before it changes a value: the rest of its group commits. @throws ServiceError `internal` */
function assertNamed({ values, claims }: CommitChanges<unknown>, keys: readonly string[]): void {
  if (values) for (const [key] of values) indexOfKey(key, keys);
  if (claims) for (const { key } of claims) indexOfKey(key, keys);
}
