/** Steps of the ledger on LMDB, which share their transactions with others: every login makes three of them. */
import type {
  Clock,
  Entering,
  Leaving,
  MomentaryChanges,
  Settlement,
  StateBefore,
} from '@watchword/core/ports';
import type { SmallChange } from '../storage/changes.ts';
import type { Environment } from '../storage/environment.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import type { Held } from './held.ts';
import type { HeldKeys, Tables } from './live-records.ts';
import { placeOf, Step } from './values.ts';

export interface Ground {
  readonly environment: Environment;
  readonly tables: Tables;
}

interface EngineParts {
  /** Of the store and the event log. */
  readonly lasting: Ground;
  /** Of what is about the next seconds only. */
  readonly momentary: Ground;
  readonly held: Held;
  readonly events: EmbeddedEventLog;
  readonly clock: Clock;
}

/** What all steps of a ledger go by. */
export class Engine {
  readonly lasting: Ground;
  readonly momentary: Ground;
  readonly held: Held;
  readonly events: EmbeddedEventLog;
  readonly clock: Clock;
  #lookedIn: number | undefined;
  #lookedLast: Step | undefined;
  /** Those that may be made in memory, once all that ask in this turn have asked. */
  #gathered: MomentaryStep<unknown>[] = [];
  /** How often some were. */
  #rows = 0;

  constructor({ lasting, momentary, held, events, clock }: EngineParts) {
    this.lasting = lasting;
    this.momentary = momentary;
    this.held = held;
    this.events = events;
    this.clock = clock;
  }

  /**
   * At what lasts, from within a step about the next seconds. What another process has settled by now is seen, too: those
   * that enter in one transaction look at the same moment, so what they all go by is read once.
   */
  look(keys: readonly string[]): Step {
    const { environment, tables } = this.lasting;
    environment.assertOpen();
    const moment = this.momentary.environment.transactions + this.#rows;
    if (this.#lookedIn !== moment) {
      this.#lookedIn = moment;
      this.#lookedLast = undefined;
      environment.refresh();
    }
    const step = new Step(tables, this.clock.now(), keys, { before: this.#lookedLast });
    // Nothing that lasts changes meanwhile, unless both are kept in one place.
    if (environment !== this.momentary.environment) this.#lookedLast = step;
    return step;
  }

  /** Makes a step about the next seconds, together with others and after those before it. */
  make(step: MomentaryStep<unknown>): void {
    const { environment } = this.momentary;
    const ready = step.isHolding ? this.held.ready() : undefined;
    if (ready) {
      const refused = (error: unknown) => step.refused(error);
      ready.then(() => this.make(step), refused);
    } else if (this.held.isAlone && !environment.hasGathered) {
      if (this.#gathered.length === 0) queueMicrotask(() => this.#makeGathered());
      this.#gathered.push(step);
    } else environment.writeTogether(step);
  }

  /** In memory, up to the first that changes what processes share. */
  #makeGathered(): void {
    const { environment } = this.momentary;
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#rows += 1;
    let isInMemory = this.held.isAloneStill() && !environment.hasGathered;
    for (const step of gathered) {
      isInMemory &&= step.makeInMemory();
      if (!isInMemory) environment.writeTogether(step);
    }
  }
}

/** Who waits for a step. */
export interface Asker<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

const nobody: Asker<unknown> = { resolve: () => undefined, reject: () => undefined };

/** Whatever decides it throws is this caller's alone: others are written in the same transaction. */
abstract class LedgerStep<T> implements SmallChange {
  protected readonly engine: Engine;
  protected readonly asker: Asker<T>;
  #made: Settlement<T> | undefined;
  #error: unknown;

  constructor(engine: Engine, asker: Asker<T>) {
    this.engine = engine;
    this.asker = asker;
  }

  protected abstract readonly ground: Ground;
  /** All that is looked at or changed. */
  protected abstract readonly keys: readonly string[];
  protected abstract decide(found: Step): Settlement<T>;

  protected begin(): Step {
    return new Step(this.ground.tables, this.engine.clock.now(), this.keys);
  }

  make(): void {
    const step = this.begin();
    const made = this.decided(step);
    if (made) this.enact(made, step);
  }

  /** Undefined: whatever decides has thrown. */
  protected decided(step: Step): Settlement<T> | undefined {
    try {
      const settlement = this.decide(step);
      assertNamed(settlement, this.keys);
      return settlement;
    } catch (error) {
      this.#error = error;
      return undefined;
    }
  }

  protected enact(settlement: Settlement<T>, step: Step): void {
    this.#made = settlement;
    const { values, claims, events } = settlement;
    if (values) for (const [key, kept] of values) step.put(key, kept);
    if (claims) for (const one of claims) step.claim(one.key, one);
    if (events) for (const event of events) this.engine.events.add(event);
  }

  written(): void {
    if (this.#made) this.ended(this.#made.result);
    else this.asker.reject(this.#error);
  }

  /** What was made is stored. */
  protected ended(result: T): void {
    this.asker.resolve(result);
  }

  refused(error: unknown): void {
    this.asker.reject(error);
  }
}

/** About the next seconds only. */
export abstract class MomentaryStep<T> extends LedgerStep<T> {
  protected readonly ground: Ground;
  protected readonly keys: readonly string[];
  /** See {@link Entering.held}. */
  readonly #held: HeldKeys | undefined;
  #begun: Step | undefined;

  constructor(engine: Engine, asker: Asker<T>, keys: readonly string[], held = 0) {
    super(engine, asker);
    this.ground = engine.momentary;
    this.keys = keys;
    if (held > 0) this.#held = { from: keys.length - held, records: engine.held };
  }

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** @returns false: nothing was made, as it changes what processes share */
  makeInMemory(): boolean {
    const step = this.begin();
    const made = this.decided(step);
    if (made && !this.#isHeldAlone(made, step)) return false;
    if (made) this.enact(made, step);
    this.written();
    return true;
  }

  #isHeldAlone({ values }: MomentaryChanges<T>, step: Step): boolean {
    if (values) for (const [key] of values) if (!step.isHeldAt(placeOf(key, this.keys))) return false;
    return true;
  }

  protected override begin(): Step {
    this.#begun = new Step(this.ground.tables, this.engine.clock.now(), this.keys, { held: this.#held });
    return this.#begun;
  }

  override refused(error: unknown): void {
    this.#begun?.giveBack();
    super.refused(error);
  }
}

export class EnterStep<T> extends MomentaryStep<T> {
  readonly #entering: Entering<T>;

  constructor(engine: Engine, entering: Entering<T>, asker: Asker<T>) {
    super(engine, asker, entering.momentary, entering.held);
    this.#entering = entering;
  }

  protected decide(momentary: Step): MomentaryChanges<T> {
    return this.#entering.decide({ lasting: this.engine.look(this.#entering.lasting), momentary });
  }
}

export interface Settling<T> {
  readonly keys: readonly string[];
  decide(found: StateBefore): Settlement<T>;
  readonly leaving: Leaving<T> | undefined;
}

export class SettleStep<T> extends LedgerStep<T> {
  protected readonly ground: Ground;
  protected readonly keys: readonly string[];
  readonly #settling: Settling<T>;

  constructor(engine: Engine, settling: Settling<T>, asker: Asker<T>) {
    super(engine, asker);
    this.ground = engine.lasting;
    this.keys = settling.keys;
    this.#settling = settling;
  }

  protected decide(found: Step): Settlement<T> {
    return this.#settling.decide(found);
  }

  /** What is left behind is left right after the settlement. */
  protected override ended(result: T): void {
    const { leaving } = this.#settling;
    if (!leaving) {
      super.ended(result);
      return;
    }
    try {
      leaving.made(result);
    } catch (error) {
      this.asker.reject(error);
      return;
    }
    const isAwaited = leaving.isAwaited(result);
    const asker = isAwaited ? this.asker : nobody;
    this.engine.make(new LeaveStep(this.engine, { leaving, settled: result }, asker));
    // It is answered while that is written; whoever enters from here on finds it done, as steps go in their order.
    if (!isAwaited) super.ended(result);
  }
}

class LeaveStep<T> extends MomentaryStep<T> {
  readonly #leaving: Leaving<T>;
  readonly #settled: T;

  constructor(
    engine: Engine,
    { leaving, settled }: { readonly leaving: Leaving<T>; readonly settled: T },
    asker: Asker<T>,
  ) {
    super(engine, asker, leaving.keys, leaving.held);
    this.#leaving = leaving;
    this.#settled = settled;
  }

  protected decide(found: Step): MomentaryChanges<T> {
    return this.#leaving.change(found, this.#settled);
  }
}

/** Before anything is changed: others are written in the same transaction. @throws ServiceError `internal` */
function assertNamed({ values, claims }: Settlement<unknown>, keys: readonly string[]): void {
  if (values) for (const [key] of values) placeOf(key, keys);
  if (claims) for (const { key } of claims) placeOf(key, keys);
}
