/** The contents of an engine for the take-over by another engine, uninterpreted. */

import type { PositionedEvent } from '../event-log/event-log.ts';
import type { CertificateRecord, KnownRevocation } from './certificate-records.ts';

/** Each a few at a time, while nobody writes. */
export interface StoreContents {
  /** Yields the values of the store whose time is not over. */
  values(): AsyncIterable<readonly ExpiringValue[]>;
  /** Yields the events in the order in which they were written. */
  events(): AsyncIterable<readonly PositionedEvent[]>;
  /** Entry → text. */
  entryRecords(): AsyncIterable<ReadonlyMap<string, string>>;
  certificates(): AsyncIterable<readonly CertificateRecord[]>;
  /** Yields revocations, of those certificates and of others. */
  revocations(): AsyncIterable<readonly KnownRevocation[]>;
}

export interface ExpiringValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** Milliseconds since 1970. */
  readonly end: number;
}

/** Numbers of imported records. */
export interface ImportCounts {
  readonly values: number;
  readonly events: number;
  readonly entryRecords: number;
  readonly certificates: number;
}
