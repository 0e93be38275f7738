/**
 * Records that end, in LMDB: the end (8 bytes, milliseconds since 1970) and the value. The value of a counter or a claim is decimal text.
 */
import type { Database, Environment } from '../storage/environment.ts';

const endLength = 8;

/**
 * Records that are swept for each one that is added, round the whole table (docs/decisions/0026-writers-sweep-what-has-ended.md). At most a
 * quarter of the records has ended.
 */
export const sweptPerRecord = 4;

export interface RecordTables {
  /** key → record */
  readonly records: Database<TimedRecord, string>;
  /** The same records without their values, for sweeps. */
  readonly ends: Database<TimedRecord, string>;
  /** Most records; beyond it those are dropped that end first among some. */
  readonly most: number;
  /** Records that may be added before the table is counted again. */
  room: number;
  /** Records to sweep, see {@link sweptPerRecord}. */
  sweepDue: number;
  /** The key at which the next sweep begins. */
  sweepFrom: string;
}

/** Clears the index of ends that an earlier version kept. */
export async function dropEnds(environment: Environment): Promise<void> {
  const ends = environment.table<true, [number, string]>('store-ends', {});
  if ([...ends.getKeys({ limit: 1 })].length > 0) await environment.write(() => ends.clearSync());
}

export interface TimedRecord {
  /** Milliseconds since 1970. */
  readonly end: number;
  readonly value: Uint8Array;
}

/** @param most most records; optional, default: unlimited */
export const openTables = (environment: Environment, most = Number.POSITIVE_INFINITY): RecordTables => ({
  records: environment.table('store', { encoder: { encode: bytesOf, decode: readRecord } }),
  ends: environment.table('store', { encoder: { encode: bytesOf, decode: readEnd } }),
  most,
  room: 0,
  sweepDue: 0,
  sweepFrom: '',
});

/** Reads the number that {@link textOf} has written. */
export function numberIn(record: TimedRecord | undefined): number | undefined {
  if (!record) return undefined;
  let number = 0;
  for (const digit of record.value) number = number * 10 + (digit - zero);
  return number;
}

const zero = 0x30;

export function countIn(record: TimedRecord | undefined): number {
  return numberIn(record) ?? 0;
}

export const textOf = (number: number): Uint8Array => Buffer.from(String(number), 'latin1');

export const isLive = ({ end }: TimedRecord, now: number): boolean => end > now;

const readEnd = (bytes: Buffer): TimedRecord => ({ end: bytes.readDoubleBE(0), value: noValue });

const noValue = new Uint8Array();

/** Copies the value, as lmdb reuses its buffer. */
function readRecord(bytes: Buffer): TimedRecord {
  const value = Buffer.allocUnsafe(bytes.length - endLength);
  bytes.copy(value, 0, endLength, bytes.length);
  return { end: bytes.readDoubleBE(0), value };
}

function bytesOf({ end, value }: TimedRecord): Buffer {
  const bytes = Buffer.allocUnsafe(endLength + value.length);
  bytes.writeDoubleBE(end);
  bytes.set(value, endLength);
  return bytes;
}
