/** Records with an end, in LMDB: the end (8 bytes, milliseconds since 1970) and the value. A counter's value is decimal text, that of a claim too. */
import type { Database, Environment } from '../storage/environment.ts';

const endLength = 8;

/**
 * For each record that is added, so many are looked at, one after the other through the whole table and then anew, and go if
 * they are over. So no more than every fourth is one that is over, without an index of the ends, which every login would
 * write, and without a timer.
 */
export const looksForOne = 4;

export interface Tables {
  /** key → record */
  readonly records: Database<LiveRecord, string>;
  /** The same without the values, for whoever looks at many. */
  readonly ends: Database<LiveRecord, string>;
  /** So many records, and then those go that end first among some. */
  readonly most: number;
  /** How many more may come before they are counted again. */
  room: number;
  /** Looks that are due, see {@link looksForOne}. */
  due: number;
  /** Where looking goes on. */
  next: string;
}

/** Of an earlier version: the order in which records end, which is not kept any more. */
export async function dropEnds(environment: Environment): Promise<void> {
  const ends = environment.table<true, [number, string]>('store-ends', {});
  if ([...ends.getKeys({ limit: 1 })].length > 0) await environment.write(() => ends.clearSync());
}

export interface LiveRecord {
  /** Milliseconds since 1970. */
  readonly end: number;
  readonly value: Uint8Array;
}

/** @param most of more records some go, which end first; left out: there is no end to them */
export const openTables = (environment: Environment, most = Number.POSITIVE_INFINITY): Tables => ({
  records: environment.table('store', { encoder: { encode: bytesOf, decode: readRecord } }),
  ends: environment.table('store', { encoder: { encode: bytesOf, decode: readEnd } }),
  most,
  room: 0,
  due: 0,
  next: '',
});

/** Of decimal digits, as {@link textOf} writes them. */
export function highest(record: LiveRecord | undefined): number | undefined {
  if (!record) return undefined;
  let number = 0;
  for (const digit of record.value) number = number * 10 + (digit - zero);
  return number;
}

const zero = 0x30;

export function counted(record: LiveRecord | undefined): number {
  return highest(record) ?? 0;
}

export const textOf = (number: number): Uint8Array => Buffer.from(String(number), 'latin1');

export const isLive = ({ end }: LiveRecord, now: number): boolean => end > now;

const readEnd = (bytes: Buffer): LiveRecord => ({ end: bytes.readDoubleBE(0), value: nothing });

const nothing = new Uint8Array();

/** A copy, as lmdb uses its bytes again. */
function readRecord(bytes: Buffer): LiveRecord {
  const value = Buffer.allocUnsafe(bytes.length - endLength);
  bytes.copy(value, 0, endLength, bytes.length);
  return { end: bytes.readDoubleBE(0), value };
}

function bytesOf({ end, value }: LiveRecord): Buffer {
  const bytes = Buffer.allocUnsafe(endLength + value.length);
  bytes.writeDoubleBE(end);
  bytes.set(value, endLength);
  return bytes;
}
