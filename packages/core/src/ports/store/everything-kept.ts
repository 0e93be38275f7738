/** All that one engine keeps, for another one to take over: nothing is interpreted on the way. */

import type { PlacedEvent } from '../event-log/event-log.ts';
import type { CertificateRecord, KnownRevocation } from './certificate-records.ts';

/** Each a few at a time, while nobody writes. */
export interface EverythingKept {
  /** Of the store, those whose time is not over. */
  values(): AsyncIterable<readonly EndingValue[]>;
  /** In the order in which they came. */
  events(): AsyncIterable<readonly PlacedEvent[]>;
  /** Entry → text. */
  entryRecords(): AsyncIterable<ReadonlyMap<string, string>>;
  certificates(): AsyncIterable<readonly CertificateRecord[]>;
  /** Of those certificates, and of others. */
  revocations(): AsyncIterable<readonly KnownRevocation[]>;
}

export interface EndingValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** Milliseconds since 1970. */
  readonly end: number;
}

/** So many were taken over. */
export interface TakenOver {
  readonly values: number;
  readonly events: number;
  readonly entryRecords: number;
  readonly certificates: number;
}
