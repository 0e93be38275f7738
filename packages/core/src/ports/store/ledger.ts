/**
 * A store that keeps the event log beside its values: the claim, the counters and the event of a login are one record, durable as one
 * (docs/concepts/once-only.md#commit).
 */
import type { BucketRule } from '../../foundation/locks/token-bucket.ts';
import type { AuditEvent } from '../event-log/event-log.ts';
import type { Store } from './store.ts';

/**
 * The port of a store that writes events with its values: claims, counters and the event of a login are one record.
 * @see docs/concepts/once-only.md#commit
 * @example
 * ```ts
 * import { openEmbedded } from '@watchword/engines';
 *
 * const engines = await openEmbedded('./data', { base: 'dc=example,dc=org' });
 * const key = 'demo:code';
 * const isFirst = await engines.store.commit({
 *   durable: [key],
 *   decide: (state) => {
 *     const isFree = (state.claimed(key) ?? -1) < 7;
 *     return { result: isFree, claims: isFree ? [{ key, value: 7, seconds: 60 }] : [] };
 *   },
 * });
 * console.log(isFirst); // true
 * await engines.close();
 * ```
 */
export interface Ledger extends Store {
  /**
   * Reads durable values, and reads and changes ephemeral ones, in one step. Waits for no disk. Durable values are as new as the last
   * commit that was answered, of any process.
   * @returns the `result` of `decide` @throws ServiceError `unavailable`: nothing was done, or the outcome is unknown
   */
  admit<R>(step: AdmitStep<R>): Promise<R>;

  /**
   * Changes durable values, claims numbers and appends events in one step: durable as one when it resolves. Applies `release` then,
   * before any later step is admitted.
   * @returns the `result` of `decide`
   * @throws ServiceError `unavailable`: nothing was done, or the connection broke and the outcome is unknown
   */
  commit<R>(step: CommitStep<R>): Promise<R>;

  /** Names this process, where a value has a holder. */
  readonly holder: string;

  /** Returns whether the process of a {@link holder} is certain to have ended. */
  hasEnded(holder: string): boolean;
}

export type KeyList = readonly string[];

export interface AdmitStep<R> {
  /** Durable keys that `decide` reads; and those that the commit will need, as a prefetch. */
  readonly durable: KeyList;
  /** Ephemeral keys that `decide` reads or changes. */
  readonly ephemeral: KeyList;
  /** Pure; a ledger may call it more than once. An error fails this step only. */
  decide(durable: StepState, ephemeral: EphemeralStepState): EphemeralChanges<R>;
}

export interface EphemeralChanges<R> {
  readonly result: R;
  readonly values?: KeyValues | undefined;
}

export interface CommitStep<R> {
  /** Durable keys that `decide` reads, changes or claims. */
  readonly durable: KeyList;
  /** Ephemeral keys that a release may name. */
  readonly ephemeral?: KeyList;
  /** Pure; a ledger may call it more than once. An error fails this step only. */
  decide(state: StepState): CommitChanges<R>;
}

export interface CommitChanges<R> {
  readonly result: R;
  /** Values from now on; null: removed. A key that is left out keeps its value and its end. */
  readonly values?: KeyValues | undefined;
  /** Numbers that are claimed from now on. A claim below the highest one changes nothing. */
  readonly claims?: readonly NumberClaim[] | undefined;
  /** Appended in this order, see `EventLog.append`. */
  readonly events?: readonly AuditEvent[] | undefined;
  /** Locks and tokens that are released once the step is durable. An error of a release is nobody's: each ends with its time. */
  readonly release?: readonly LockRelease[] | undefined;
}

/** A lock or tokens that a commit releases, as data. */
export type LockRelease =
  /** Frees a lock, if the owner still has it. */
  | { readonly kind: 'unlock'; readonly key: string; readonly owner: string }
  /** `return`, `keep`: ends the use of a token that was taken. `spend`: spends one that was not. */
  | {
      readonly kind: 'tokens';
      readonly key: string;
      readonly rule: BucketRule;
      readonly change: 'return' | 'keep' | 'spend';
    };

/** The values of some keys. */
export interface KeyState {
  /** See {@link Store.get}. */
  value(key: string): Uint8Array | undefined;
  /** See {@link Store.claimed}. */
  claimed(key: string): number | undefined;
}

/** The values of the keys that a step names, at one moment. */
export interface StepState extends KeyState {
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface EphemeralStepState extends StepState, Pick<Ledger, 'hasEnded'> {}

/** Values by their keys; a few need no Map. */
export type KeyValues = ReadonlyMap<string, TimedValue | null> | readonly ValueAt[];

/** The value of a key from now on; null: none. */
export type ValueAt = readonly [key: string, value: TimedValue | null];

/** A value, and for how long. */
export interface TimedValue {
  readonly value: Uint8Array;
  readonly seconds: number;
}

export interface NumberClaim {
  readonly key: string;
  /** A non-negative safe integer. */
  readonly value: number;
  /** Forgotten that long after the last claim that was granted, see {@link Store.claim}. */
  readonly seconds: number;
}

/** Returns whether a number can be claimed by this step. */
export const isFree = (state: KeyState, { key, value }: Pick<NumberClaim, 'key' | 'value'>): boolean =>
  value > (state.claimed(key) ?? -1);

/** Keeps the values of these keys for use after the step. */
export const snapshotOf = (state: KeyState, keys: KeyList): KeyState =>
  keys.length === 0 ? nothing : new Snapshot(state, keys);

/** A few keys: each is found by its position in the list. */
class Snapshot implements KeyState {
  readonly #keys: KeyList;
  readonly #values: (Uint8Array | undefined)[] = [];
  readonly #claims: (number | undefined)[] = [];

  constructor(state: KeyState, keys: KeyList) {
    this.#keys = keys;
    for (const key of keys) {
      this.#values.push(state.value(key));
      this.#claims.push(state.claimed(key));
    }
  }

  value(key: string): Uint8Array | undefined {
    return this.#values[this.#keys.indexOf(key)];
  }

  claimed(key: string): number | undefined {
    return this.#claims[this.#keys.indexOf(key)];
  }
}

const nothing: KeyState = { value: () => undefined, claimed: () => undefined };
