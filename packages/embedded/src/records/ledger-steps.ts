/** Steps of the ledger on LMDB. They share their transactions with other steps: a login makes three of them. */
import type { AdmitStep, Changes, Clock, CommitStep, EphemeralState, Release } from '@watchword/core/ports';
import { releasedValues } from '@watchword/core/ports';
import type { SmallChange } from '../storage/changes.ts';
import type { Environment } from '../storage/environment.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { hasEnded, thisProcess } from './holder.ts';
import type { Tables } from './live-records.ts';
import { placeOf, Step } from './values.ts';

export interface Ground {
  readonly environment: Environment;
  readonly tables: Tables;
}

interface EngineParts {
  /** The tables of the store and the event log. */
  readonly durable: Ground;
  readonly ephemeral: Ground;
  readonly events: EmbeddedEventLog;
  readonly clock: Clock;
}

/** The parts that all steps of a ledger share. */
export class Engine {
  readonly durable: Ground;
  readonly ephemeral: Ground;
  readonly events: EmbeddedEventLog;
  readonly clock: Clock;
  #lookedIn: number | undefined;
  #lookedLast: Step | undefined;

  constructor({ durable, ephemeral, events, clock }: EngineParts) {
    this.durable = durable;
    this.ephemeral = ephemeral;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Reads durable values from within an ephemeral step, with what other processes have committed by now. Steps of one transaction see the
   * same moment, so what they have in common is read once.
   */
  look(keys: readonly string[]): Step {
    const { environment, tables } = this.durable;
    environment.assertOpen();
    const moment = this.ephemeral.environment.transactions;
    if (this.#lookedIn !== moment) {
      this.#lookedIn = moment;
      this.#lookedLast = undefined;
      environment.refresh();
    }
    const step = new Step(tables, this.clock.now(), keys, this.#lookedLast);
    // No durable value changes meanwhile, unless both are kept in one environment.
    if (environment !== this.ephemeral.environment) this.#lookedLast = step;
    return step;
  }
}

/** The promise of a step. */
export interface Asker<R> {
  resolve(result: R): void;
  reject(error: unknown): void;
}

abstract class LedgerStep<R> implements SmallChange {
  protected readonly engine: Engine;
  readonly #asker: Asker<R>;
  #changes: Changes<R> | undefined;
  #error: unknown;

  constructor(engine: Engine, asker: Asker<R>) {
    this.engine = engine;
    this.#asker = asker;
  }

  protected abstract readonly ground: Ground;
  /** All keys that are read or changed. */
  protected abstract readonly keys: readonly string[];
  protected abstract decide(found: Step): Changes<R>;

  /** An error of `decide` fails this step only: other steps are written in the same transaction. */
  make(): void {
    const step = new Step(this.ground.tables, this.engine.clock.now(), this.keys);
    try {
      const changes = this.decide(step);
      assertNamed(changes, this.keys);
      this.#changes = changes;
    } catch (error) {
      this.#error = error;
      return;
    }
    this.#enact(this.#changes, step);
  }

  #enact({ values, claims, events }: Changes<R>, step: Step): void {
    if (values) for (const [key, kept] of values) step.put(key, kept);
    if (claims) for (const one of claims) step.claim(one.key, one);
    if (events) for (const event of events) this.engine.events.add(event);
  }

  written(): void {
    if (this.#changes) this.#end(this.#changes);
    else this.#asker.reject(this.#error);
  }

  /** A release keeps its order before every step that is asked for after the result. */
  #end({ result, release }: Changes<R>): void {
    if (release && release.length > 0)
      this.engine.ephemeral.environment.writeTogether(new ReleaseStep(this.engine, release));
    this.#asker.resolve(result);
  }

  refused(error: unknown): void {
    this.#asker.reject(error);
  }
}

export class Admitting<R> extends LedgerStep<R> {
  protected readonly ground: Ground;
  protected readonly keys: readonly string[];
  readonly #step: AdmitStep<R>;

  constructor(engine: Engine, step: AdmitStep<R>, asker: Asker<R>) {
    super(engine, asker);
    this.ground = engine.ephemeral;
    this.keys = step.ephemeral;
    this.#step = step;
  }

  protected decide(found: Step): Changes<R> {
    return this.#step.decide(this.engine.look(this.#step.durable), ephemeralState(found));
  }
}

export class Committing<R> extends LedgerStep<R> {
  protected readonly ground: Ground;
  protected readonly keys: readonly string[];
  readonly #step: CommitStep<R>;

  constructor(engine: Engine, step: CommitStep<R>, asker: Asker<R>) {
    super(engine, asker);
    this.ground = engine.durable;
    this.keys = step.durable;
    this.#step = step;
  }

  protected decide(found: Step): Changes<R> {
    return this.#step.decide(found);
  }
}

/** No promise waits for a release: what cannot be released ends with its time. */
const none: Asker<undefined> = { resolve: () => undefined, reject: () => undefined };

class ReleaseStep extends LedgerStep<undefined> {
  protected readonly ground: Ground;
  protected readonly keys: readonly string[];
  readonly #release: readonly Release[];

  constructor(engine: Engine, release: readonly Release[]) {
    super(engine, none);
    this.ground = engine.ephemeral;
    this.keys = release.map(({ key }) => key);
    this.#release = release;
  }

  protected decide(found: Step): Changes<undefined> {
    return { result: undefined, values: releasedValues(this.#release, ephemeralState(found), thisProcess) };
  }
}

const ephemeralState = (step: Step): EphemeralState => ({
  now: step.now,
  value: (key) => step.value(key),
  claimed: (key) => step.claimed(key),
  hasEnded,
});

/** Runs before anything is changed: other steps are written in the same transaction. @throws ServiceError `internal` */
function assertNamed({ values, claims }: Changes<unknown>, keys: readonly string[]): void {
  if (values) for (const [key] of values) placeOf(key, keys);
  if (claims) for (const { key } of claims) placeOf(key, keys);
}
