/**
 * A store that keeps the event log beside its values: what a login claims, what it counts and what is told of it are one
 * record (DESIGN.md "Once only"). Nothing of it is there without the rest, whatever stops when.
 */
import type { AuditEvent } from '../event-log/event-log.ts';
import type { Store } from './store.ts';

export interface Ledger extends Store {
  /**
   * Looks at what lasts, and changes what is about the next seconds only, in one step: nothing of it waits for a disk. What
   * lasts is as new as the last answered settlement, whoever made it.
   * @returns the `result` of what was decided @throws ServiceError `unavailable`: nothing was done, or nobody can tell
   */
  enter<T>(step: Entering<T>): Promise<T>;

  /**
   * Changes values, claims numbers and adds events in one step, by what is there at this moment. Durable as one when it
   * resolves; if it throws, nothing of it was done, or the connection broke and nobody can tell.
   * @param keys all that are looked at, changed or claimed
   * @param decide pure, and it throws nothing: a ledger may call it more than once
   * @param leaving what is left behind with it, where it is about the next seconds only
   * @returns the `result` of the settlement that was made, or of `leaving`
   */
  settle<T>(
    keys: readonly string[],
    decide: (found: StateBefore) => Settlement<T>,
    leaving?: Leaving<T>,
  ): Promise<T>;

  /** Stands for this process, wherever something that lasts for seconds has a holder. */
  readonly holder: string;

  /** Whether it is certain that the process of a {@link holder} has ended: what it held is nobody's. */
  isGone(holder: string): boolean;
}

/** A step that waits for no disk. */
export interface Entering<T> {
  /** Keys that are looked at among what lasts. */
  readonly lasting: readonly string[];
  /** Keys that are looked at or changed among what is about the next seconds. */
  readonly momentary: readonly string[];
  /**
   * So many of these, the last ones, are of what processes hold ({@link Ledger.holder}), which is nobody's once they have ended: an
   * engine may keep them in memory for as long as no other process looks. Each step that is about such a key says so.
   */
  readonly held?: number | undefined;
  /** Pure, and it throws nothing: a ledger may call it more than once. */
  decide(found: { readonly lasting: StateBefore; readonly momentary: StateBefore }): MomentaryChanges<T>;
}

/** What becomes of it. */
export interface MomentaryChanges<T> {
  readonly result: T;
  /** See {@link LedgerChanges.values}. */
  readonly values?: ValuesAfter | undefined;
}

/** What a settlement leaves behind. An engine that keeps both apart does it right after the settlement is durable. */
export interface Leaving<T> {
  /** All that are looked at or changed. */
  readonly keys: readonly string[];
  /** See {@link Entering.held}. */
  readonly held?: number | undefined;
  /** Pure, and it throws nothing: a ledger may call it more than once. @param result of the settlement */
  change(found: StateBefore, result: T): MomentaryChanges<T>;
  /** Called once the settlement is durable, also where what is left behind cannot be kept, for which it throws then. */
  made(result: T): void;
  /**
   * Whether the result may become another by what is there. If not, an engine that keeps both apart tells the result
   * before it has left anything behind; what cannot be left behind then ends with its time.
   */
  isAwaited(result: T): boolean;
}

/** What is there. Only keys that were named can be looked at. */
export interface StateBefore {
  /** See {@link Store.get}. */
  value(key: string): Uint8Array | undefined;
  /** See {@link Store.claimed}. */
  claimed(key: string): number | undefined;
}

/** What becomes of it. */
export interface Settlement<T> extends MomentaryChanges<T>, Pick<LedgerChanges, 'claims'> {
  /** Added in this order, see `EventLog.append`. */
  readonly events?: readonly AuditEvent[];
}

export interface LedgerChanges {
  /** The values from now on; null: none. What is left out stays, its time too. */
  readonly values?: ReadonlyMap<string, TimedValue | null>;
  /** Numbers that are claimed from now on, unless higher ones are: they only rise. */
  readonly claims?: readonly NumberClaim[];
}

/** Values by their keys: a few need no Map. */
export type ValuesAfter = ReadonlyMap<string, TimedValue | null> | readonly ValueAfter[];

/** What stands at a key from now on; null: nothing. */
export type ValueAfter = readonly [key: string, value: TimedValue | null];

/** A value, and for how long. */
export interface TimedValue {
  readonly value: Uint8Array;
  readonly seconds: number;
}

export interface NumberClaim {
  readonly key: string;
  /** A non-negative safe integer. */
  readonly value: number;
  /** It is forgotten so long after the last one that was granted, see {@link Store.claim}. */
  readonly seconds: number;
}

/** Whether a number can be claimed by this step. */
export const isFree = (found: StateBefore, { key, value }: Pick<NumberClaim, 'key' | 'value'>): boolean =>
  value > (found.claimed(key) ?? -1);

/** What is there of these keys, for who goes by it after the step. */
export function keptState(found: StateBefore, keys: readonly string[]): StateBefore {
  return keys.length === 0 ? nothingKept : new KeptState(found, keys);
}

/** Of a few keys: each is found by its place in the list. */
class KeptState implements StateBefore {
  readonly #keys: readonly string[];
  readonly #values: (Uint8Array | undefined)[] = [];
  readonly #claims: (number | undefined)[] = [];

  constructor(found: StateBefore, keys: readonly string[]) {
    this.#keys = keys;
    for (const key of keys) {
      this.#values.push(found.value(key));
      this.#claims.push(found.claimed(key));
    }
  }

  value(key: string): Uint8Array | undefined {
    return this.#values[this.#keys.indexOf(key)];
  }

  claimed(key: string): number | undefined {
    return this.#claims[this.#keys.indexOf(key)];
  }
}

const nothingKept: StateBefore = { value: () => undefined, claimed: () => undefined };
