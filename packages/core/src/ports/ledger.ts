/**
 * A store that keeps the event log beside its values: what a login claims, what it counts and what is told of it are one
 * record (DESIGN.md "Once only"). Nothing of it is there without the rest, whatever stops when.
 */
import type { AuditEvent } from './records.ts';
import type { Store } from './store.ts';

export interface Ledger extends Store {
  /**
   * LedgerChanges values, claims numbers and adds events in one step, by what is there at this moment. Durable as one when it
   * resolves; if it throws, nothing of it was done, or the connection broke and nobody can tell.
   * @param keys all that are looked at, changed or claimed
   * @param decide pure, and it throws nothing: a ledger may call it more than once
   * @returns the `result` of the settlement that was made
   */
  settle<T>(keys: readonly string[], decide: (found: StateBefore) => Settlement<T>): Promise<T>;
}

/** What is there. Only keys that were named can be looked at. */
export interface StateBefore {
  /** See {@link Store.get}. */
  value(key: string): Uint8Array | undefined;
  /** See {@link Store.claimed}. */
  claimed(key: string): number | undefined;
}

/** What becomes of it. */
export interface Settlement<T> extends LedgerChanges {
  readonly result: T;
  /** Added in this order, see `EventLog.append`. */
  readonly events?: readonly AuditEvent[];
}

export interface LedgerChanges {
  /** The values from now on; null: none. What is left out stays, its time too. */
  readonly values?: ReadonlyMap<string, TimedValue | null>;
  /** Numbers that are claimed from now on, unless higher ones are: they only rise. */
  readonly claims?: readonly NumberClaim[];
}

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
