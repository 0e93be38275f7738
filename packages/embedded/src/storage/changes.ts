/** What an environment is handed: how a table keeps its values, and changes that share a transaction. */
import type { DatabaseOptions } from 'lmdb';

export interface TableOptions<V> extends DatabaseOptions {
  /** Left out: values are packed as whatever they are. */
  readonly encoder?: Encoder<V>;
}

export interface Encoder<V> {
  encode(value: V): Buffer;
  /** @param bytes are used again for the next value, and are longer below than their `length` says: a cut names its end */
  decode(bytes: Buffer): V;
}

/** What is put off to the end of a transaction. */
export interface PutOff {
  /** Called if all changes were made. */
  write(): void;
  /** Called in any case, and last: another transaction finds what is stored. */
  forget(): void;
}

/** A change that shares a transaction with others, and whoever waits for it. */
export interface SmallChange {
  /** Called within the transaction. It may not throw: what does takes the others along. */
  make(): void;
  /** What was made is stored; it may throw nothing. */
  written(): void;
  /** Nothing was made, for this reason; it may throw nothing. */
  refused(error: unknown): void;
}
