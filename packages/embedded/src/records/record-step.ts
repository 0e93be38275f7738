/** Changes of values, counters and claims in LMDB within a transaction. */
import { ServiceError } from '@watchword/core/foundation';
import type { CountStep, StepState, TimedValue, Update, ValueChange } from '@watchword/core/ports';
import {
  countIn,
  isLive,
  numberIn,
  type RecordTables,
  sweptPerRecord,
  type TimedRecord,
  textOf,
} from './timed-records.ts';

/**
 * Records of one sweep, as opening a cursor costs more than reading on. Dozens of concurrent logins, whose locks are added and dropped,
 * cause no sweep.
 */
const sweptAtOnce = 256;

/** A step on records at one time, which reads each record once. */
export class RecordStep implements StepState {
  readonly #tables: RecordTables;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A few keys: a linear search is quicker than a map. */
  readonly #keys: readonly string[];
  /** Records by the index of the key, ended ones too; null: there is none; undefined: not read yet. */
  readonly #records: (TimedRecord | null | undefined)[];
  #before: RecordStep | undefined;

  /**
   * @param keys all keys of the step
   * @param before a step on the same snapshot whose reads are reused; neither may change a value
   */
  constructor(tables: RecordTables, now: number, keys: readonly string[], before?: RecordStep) {
    this.#tables = tables;
    this.now = now;
    this.#keys = keys;
    this.#records = new Array(keys.length);
    this.#before = before;
    // Frees the earlier steps.
    if (before) before.#before = undefined;
  }

  value(key: string): Uint8Array | undefined {
    return this.live(key)?.value;
  }

  claimed(key: string): number | undefined {
    return numberIn(this.live(key));
  }

  live(key: string): TimedRecord | undefined {
    return this.#liveAt(indexOfKey(key, this.#keys));
  }

  put(key: string, kept: TimedValue | null): void {
    if (kept === null) this.drop(key);
    else this.#replace(indexOfKey(key, this.#keys), this.#timed(kept.value, kept.seconds));
  }

  count(key: string, step: CountStep): number | undefined {
    const at = indexOfKey(key, this.#keys);
    const found = this.#liveAt(at);
    const reached = Math.max(0, countIn(found) + step.by);
    const latest = this.now + step.seconds * 1000;
    const end = Math.min(found?.end ?? latest, latest);
    if (step.limit !== undefined && step.by > 0 && reached > step.limit) {
      // A counter begun while the clock was ahead would refuse until that time.
      if (found && found.end > end) this.#replace(at, { ...found, end });
      return undefined;
    }
    if (reached === 0) this.drop(key);
    else this.#replace(at, { end, value: textOf(reached) });
    return reached;
  }

  update<T>(key: string, change: (before: Uint8Array | undefined) => Update<T>): T {
    const { result, after } = change(this.value(key));
    if (after !== undefined) this.put(key, after);
    return result;
  }

  take(key: string): Uint8Array | undefined {
    const found = this.live(key);
    this.drop(key);
    return found?.value;
  }

  claim(key: string, { value, seconds }: { value: number; seconds: number }): boolean {
    const at = indexOfKey(key, this.#keys);
    const before = numberIn(this.#liveAt(at));
    if (before !== undefined && value <= before) return false;
    this.#replace(at, this.#timed(textOf(value), seconds));
    return true;
  }

  swap(key: string, { before, after, seconds }: ValueChange): boolean {
    const at = indexOfKey(key, this.#keys);
    const found = this.#liveAt(at);
    const isUnchanged = found
      ? before !== undefined && Buffer.compare(found.value, before) === 0
      : before === undefined;
    if (!isUnchanged) return false;
    this.#replace(at, found ? { end: found.end, value: after } : this.#timed(after, seconds));
    return true;
  }

  drop(key: string): void {
    const at = indexOfKey(key, this.#keys);
    if (!this.#recordAt(at)) return;
    this.#remove(key);
    this.#tables.sweepDue = Math.max(0, this.#tables.sweepDue - sweptPerRecord);
  }

  /** @param key any key of the table */
  #remove(key: string): void {
    const at = this.#keys.indexOf(key);
    if (at >= 0) this.#records[at] = null;
    this.#tables.records.remove(key);
  }

  #timed(value: Uint8Array, seconds: number): TimedRecord {
    return { end: this.now + seconds * 1000, value };
  }

  #liveAt(at: number): TimedRecord | undefined {
    const record = this.#recordAt(at);
    return record && isLive(record, this.now) ? record : undefined;
  }

  #recordAt(at: number): TimedRecord | null {
    const known = this.#records[at];
    if (known !== undefined) return known;
    const key = this.#keys[at] ?? '';
    const read = this.#before ? this.#before.#read(key) : undefined;
    const record = read === undefined ? (this.#tables.records.get(key) ?? null) : read;
    this.#records[at] = record;
    return record;
  }

  /** Returns a record that this step has read. */
  #read(key: string): TimedRecord | null | undefined {
    for (let at = 0; at < this.#keys.length; at += 1) if (this.#keys[at] === key) return this.#records[at];
    return undefined;
  }

  #replace(at: number, record: TimedRecord): void {
    if (!this.#recordAt(at)) this.#makeRoom();
    this.#records[at] = record;
    this.#tables.records.put(this.#keys[at] ?? '', record);
  }

  /** Counts the records once for every hundredth of `most`, as counting is expensive. */
  #makeRoom(): void {
    const tables = this.#tables;
    this.#sweep();
    if (tables.most === Number.POSITIVE_INFINITY) return;
    tables.room -= 1;
    if (tables.room > 0) return;
    tables.room = Math.ceil(tables.most / 100);
    const tooMany = tables.records.getCount() + tables.room - tables.most;
    if (tooMany > 0) this.#dropFirstToEnd(tooMany);
  }

  #sweep(): void {
    const tables = this.#tables;
    tables.sweepDue += sweptPerRecord;
    if (tables.sweepDue < sweptAtOnce) return;
    for (const { key, end } of this.#sweepNext(tables.sweepDue)) if (end <= this.now) this.#remove(key);
    tables.sweepDue = 0;
  }

  /** Drops the records that end first among twice as many. */
  #dropFirstToEnd(count: number): void {
    const some = this.#sweepNext(2 * count + sweptAtOnce).toSorted((a, b) => a.end - b.end);
    for (const { key } of some.slice(0, count)) this.#remove(key);
  }

  /** Reads the next records of the sweep, round the table. */
  #sweepNext(count: number): readonly KeyEnd[] {
    const tables = this.#tables;
    const begun = tables.sweepFrom;
    const found = this.#endings({ ...(begun !== '' && { start: begun }), limit: count });
    const rest = count - found.length;
    if (rest > 0 && begun !== '') found.push(...this.#endings({ end: begun, limit: rest }));
    const last = found.length < count ? undefined : found.at(-1);
    tables.sweepFrom = last === undefined ? '' : `${last.key}\u0000`;
    return found;
  }

  #endings(range: { start?: string; end?: string; limit: number }): KeyEnd[] {
    const all: KeyEnd[] = [];
    for (const { key, value } of this.#tables.ends.getRange(range)) all.push({ key, end: value.end });
    return all;
  }
}

/** Finds a key among those of the step: other engines know no other. @throws ServiceError `internal` */
export function indexOfKey(key: string, keys: readonly string[]): number {
  for (let at = 0; at < keys.length; at += 1) if (keys[at] === key) return at;
  throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
}

interface KeyEnd {
  readonly key: string;
  readonly end: number;
}
