/**
 * Values and counters with an end, in LMDB: what is done to them within a transaction. A record is its end (8 bytes,
 * milliseconds since 1970) and the value; a counter's value is decimal text, that of a claim too.
 */
import type { TimedValue } from '../../../ports/ledger.ts';
import type { CountStep, Update, ValueChange } from '../../../ports/store.ts';
import type { Database, Environment } from '../storage/environment.ts';

/**
 * Whatever adds a record sweeps at most this many that are over, until none is left; then the next second does. So the
 * store never holds much more than what is alive, and no timer is needed.
 */
const sweptAtOnce = 4;
const sweepEvery = 1000;
const endLength = 8;

export interface Tables {
  /** key → record */
  readonly records: Database<Buffer, string>;
  /** [end, key] → nothing: what is over, in the order in which it ended */
  readonly ends: Database<true, [number, string]>;
  /** So many records, and then those that end first go. */
  readonly most: number;
  /** How many more may come before they are counted again. */
  room: number;
  /** When all that was over had been swept, in milliseconds since 1970. */
  swept: number;
}

export interface LiveRecord {
  /** Milliseconds since 1970. */
  readonly end: number;
  readonly value: Buffer;
}

/** @param most of more records those that end first go; left out: there is no end to them */
export const openTables = (environment: Environment, most = Number.POSITIVE_INFINITY): Tables => ({
  records: environment.table('store', { encoding: 'binary' }),
  ends: environment.table('store-ends', {}),
  most,
  room: 0,
  swept: 0,
});

export function put(
  tables: Tables,
  key: string,
  { kept, now }: { kept: TimedValue | null; now: number },
): void {
  if (kept === null) drop(tables, key);
  else replace(tables, key, { end: now + kept.seconds * 1000, value: Buffer.from(kept.value), now });
}

export function count(tables: Tables, key: string, step: CountStep & { now: number }): number | undefined {
  const found = live(tables, key, step.now);
  const reached = Math.max(0, counted(found) + step.by);
  const latest = step.now + step.seconds * 1000;
  const end = Math.min(found?.end ?? latest, latest);
  if (step.limit !== undefined && step.by > 0 && reached > step.limit) {
    // Begun while the clock was ahead: it would refuse until that time has come.
    if (found && found.end > end) replace(tables, key, { ...found, end, now: step.now });
    return undefined;
  }
  if (reached === 0) drop(tables, key);
  else replace(tables, key, { end, value: Buffer.from(String(reached), 'latin1'), now: step.now });
  return reached;
}

export function update<T>(
  tables: Tables,
  key: string,
  { now, change }: { now: number; change: (before: Uint8Array | undefined) => Update<T> },
): T {
  const { result, after } = change(live(tables, key, now)?.value);
  if (after !== undefined) put(tables, key, { kept: after, now });
  return result;
}

export function take(tables: Tables, key: string, now: number): Buffer | undefined {
  const found = live(tables, key, now);
  drop(tables, key);
  return found?.value;
}

export function claim(
  tables: Tables,
  key: string,
  { value, now, seconds }: { value: number; now: number; seconds: number },
): boolean {
  const found = live(tables, key, now);
  const before = highest(found);
  if (before !== undefined && value <= before) return false;
  const end = endOfClaim(now, seconds, found?.end);
  replace(tables, key, { end, value: Buffer.from(String(value), 'latin1'), now });
  return true;
}

/** One that is later by next to nothing stays where it is: the order of the ends is not written anew at each login. */
function endOfClaim(now: number, seconds: number, before: number | undefined): number {
  const end = now + seconds * 1000;
  return before !== undefined && end >= before && end - before <= seconds ? before : end;
}

export function highest(record: LiveRecord | undefined): number | undefined {
  return record && Number(record.value.toString('latin1'));
}

export function counted(record: LiveRecord | undefined): number {
  return highest(record) ?? 0;
}

export function swap(
  tables: Tables,
  key: string,
  { before, after, seconds, now }: ValueChange & { now: number },
): boolean {
  const found = live(tables, key, now);
  const isAsThought = found ? before !== undefined && found.value.equals(before) : before === undefined;
  if (!isAsThought) return false;
  replace(tables, key, { end: found?.end ?? now + seconds * 1000, value: Buffer.from(after), now });
  return true;
}

export function live({ records }: Tables, key: string, now: number): LiveRecord | undefined {
  const record = records.get(key);
  return record && readLive(record, now);
}

export function readLive(record: Buffer, now: number): LiveRecord | undefined {
  const end = record.readDoubleBE(0);
  return end > now ? { end, value: Buffer.from(record.subarray(endLength)) } : undefined;
}

function replace(tables: Tables, key: string, { end, value, now }: LiveRecord & { now: number }): void {
  const before = tables.records.get(key)?.readDoubleBE(0);
  if (before === undefined) makeRoom(tables, now);
  const record = Buffer.alloc(endLength + value.length);
  record.writeDoubleBE(end);
  value.copy(record, endLength);
  tables.records.put(key, record);
  if (before === end) return;
  if (before !== undefined) tables.ends.remove([before, key]);
  tables.ends.put([end, key], true);
}

export function drop({ records, ends }: Tables, key: string): void {
  const record = records.get(key);
  if (!record) return;
  ends.remove([record.readDoubleBE(0), key]);
  records.remove(key);
}

/** They are counted once for every hundredth of what there may be: that costs more than the rest. */
function makeRoom(tables: Tables, now: number): void {
  sweep(tables, now);
  if (tables.most === Number.POSITIVE_INFINITY) return;
  tables.room -= 1;
  if (tables.room > 0) return;
  tables.room = Math.ceil(tables.most / 100);
  const tooMany = tables.records.getCount() + tables.room - tables.most;
  if (tooMany <= 0) return;
  for (const [, key] of [...tables.ends.getKeys({ limit: tooMany })]) drop(tables, key);
}

function sweep(tables: Tables, now: number): void {
  if (Math.abs(now - tables.swept) < sweepEvery) return;
  const over = [...tables.ends.getKeys({ end: [now, ''], limit: sweptAtOnce })];
  for (const [, key] of over) drop(tables, key);
  if (over.length < sweptAtOnce) tables.swept = now;
}
