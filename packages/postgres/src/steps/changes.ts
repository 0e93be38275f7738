/** What a step makes of the values that it is about. */
import type { AuditEvent } from '@watchword/core/ports';

/** What becomes of a value. A new one lives for `seconds`; how it is with one that is there already: */
export type Change = 'remove' | PutChange;

export interface PutChange {
  /** `set`: as a new one; `keep`: its end stays; `least`: the earlier end; `claim`: it stays if it is hardly later. */
  readonly how: 'set' | 'keep' | 'least' | 'claim';
  readonly value: Uint8Array;
  readonly seconds: number;
}

/** What never ends by itself. */
export const forGood = (value: Uint8Array): PutChange => ({
  how: 'set',
  value,
  seconds: Number.POSITIVE_INFINITY,
});

/** Of the value whose name has this place in the step. */
export type ChangeAt = readonly [at: number, change: Change];

export interface Decision<T> {
  readonly result: T;
  /** What is left out stays; of two of one place the later one counts. */
  readonly changes?: readonly ChangeAt[];
  /** Added in this order, see `EventLog.append`. */
  readonly events?: readonly AuditEvent[];
}

/** What is there, by the place of its name in the step. */
export type Found = (at: number) => Buffer | undefined;

/** The same bytes. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
