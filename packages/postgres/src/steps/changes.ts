/**
 * Changes that a step makes. A step is one read-decide-write transaction on the rows of some names: it reads their values, a pure function
 * decides on changes, and these are written if no value has changed since (docs/concepts/stores-and-nodes.md).
 */
import type { AuditEvent } from '@watchword/core/ports';

export type Change = 'remove' | PutChange;

export interface PutChange {
  /**
   * The change of the expiry of an existing value; a new value expires after `seconds`. `set`: as of a new value; `keep`: unchanged; `least`: the
   * earlier of both; `claim`: unchanged if the new expiry is hardly later.
   */
  readonly mode: 'set' | 'keep' | 'least' | 'claim';
  readonly value: Uint8Array;
  readonly seconds: number;
}

/** Makes the change to a value that does not expire. */
export const permanent = (value: Uint8Array): PutChange => ({
  mode: 'set',
  value,
  seconds: Number.POSITIVE_INFINITY,
});

/** A change, with the index of its name in the names of the step. */
export type ChangeAt = readonly [index: number, change: Change];

export interface Decision<T> {
  readonly result: T;
  /** Changes; the last one wins if two change one value. */
  readonly changes?: readonly ChangeAt[];
  /** Events to append in this order, see `EventLog.append`. */
  readonly events?: readonly AuditEvent[];
}

/** A function that returns the value of the name at an index; undefined if it has none. */
export type ValueReader = (index: number) => Buffer | undefined;

/** Returns a buffer over the same memory. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
