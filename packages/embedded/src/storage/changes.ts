/** Interfaces of an environment: encoders of tables, and changes that share a transaction. */
import type { DatabaseOptions } from 'lmdb';

export interface TableOptions<V> extends DatabaseOptions {
  /** Left out: values are packed by lmdb's default encoding. */
  readonly encoder?: Encoder<V>;
}

export interface Encoder<V> {
  encode(value: V): Buffer;
  /** @param bytes a buffer that lmdb reuses, longer than its `length` says: a slice needs an explicit end */
  decode(bytes: Buffer): V;
}

/** A write that is made once at the end of a transaction. */
export interface DeferredWrite {
  /** Runs unless a change of the transaction threw. */
  write(): void;
  /** Runs last, in any case: the next transaction reads what is stored. */
  reset(): void;
}

/** A change that shares a transaction with others. No method may throw. */
export interface GroupedChange {
  /** Makes the change, within the transaction. An error would fail the whole group. */
  apply(): void;
  committed(): void;
  failed(error: unknown): void;
}
