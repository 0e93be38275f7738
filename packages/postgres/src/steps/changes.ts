/** Changes that a step decides on. */
import type { AuditEvent } from '@watchword/core/ports';

export type Change = 'remove' | PutChange;

export interface PutChange {
  /**
   * The end of a value that exists; a new one ends after `seconds`. `set`: as a new one; `keep`: unchanged; `least`: the earlier of the two;
   * `claim`: unchanged if the new end is hardly later.
   */
  readonly mode: 'set' | 'keep' | 'least' | 'claim';
  readonly value: Uint8Array;
  readonly seconds: number;
}

/** Returns the change to a value without an end. */
export const permanent = (value: Uint8Array): PutChange => ({
  mode: 'set',
  value,
  seconds: Number.POSITIVE_INFINITY,
});

/** A change of the value at this index of the step's names. */
export type ChangeAt = readonly [at: number, change: Change];

export interface Decision<T> {
  readonly result: T;
  /** Other values stay; of two changes of one value the later one counts. */
  readonly changes?: readonly ChangeAt[];
  /** Events to add in this order, see `EventLog.append`. */
  readonly events?: readonly AuditEvent[];
}

/** Returns the value at this index of the step's names. */
export type Found = (at: number) => Buffer | undefined;

/** Returns a buffer over the same memory. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
