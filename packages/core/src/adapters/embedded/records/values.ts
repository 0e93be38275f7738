/**
 * Values and counters with an end, in LMDB: what is done to them within a transaction. A record is its end (8 bytes,
 * milliseconds since 1970) and the value; a counter's value is decimal text, that of a claim too.
 */
import { ServiceError } from '../../../errors/errors.ts';
import type { StateBefore, TimedValue } from '../../../ports/ledger.ts';
import type { CountStep, Update, ValueChange } from '../../../ports/store.ts';
import type { Database, Environment } from '../storage/environment.ts';

/**
 * For each record that is added, so many are looked at, one after the other through the whole table and then anew, and go if
 * they are over. So no more than every fourth is one that is over, without an index of the ends, which every login would
 * write, and without a timer.
 */
const looksForOne = 4;
/**
 * Looks are saved up, as beginning to read costs more than reading on; so many that turns, each of which is added and dropped, are
 * looked for by nobody where some dozens log in at a time.
 */
const looksAtOnce = 256;
const endLength = 8;

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

/**
 * What is done with a table at one moment, within a transaction where something is written: of each key the record is read
 * once, however often it is looked at, claimed and replaced.
 */
export class Step implements StateBefore {
  readonly #tables: Tables;
  readonly #now: number;
  /** A few: they are found sooner one after the other than by their hashes. */
  readonly #keys: readonly string[];
  /** Of each key, also those that are over; null: there is none; undefined: it was not read yet. */
  readonly #records: (LiveRecord | null | undefined)[];
  #before: Step | undefined;

  /**
   * @param now milliseconds since 1970
   * @param keys all that it is about
   * @param before the last one of the same moment, if neither changes anything: what both look at is read once
   */
  constructor(tables: Tables, now: number, keys: readonly string[], before?: Step) {
    this.#tables = tables;
    this.#now = now;
    this.#keys = keys;
    this.#records = new Array(keys.length);
    this.#before = before;
    // Or all that were ever made would hang together.
    if (before) before.#before = undefined;
  }

  value(key: string): Uint8Array | undefined {
    return this.live(key)?.value;
  }

  claimed(key: string): number | undefined {
    return highest(this.live(key));
  }

  live(key: string): LiveRecord | undefined {
    return this.#liveAt(placeOf(key, this.#keys));
  }

  put(key: string, kept: TimedValue | null): void {
    if (kept === null) this.drop(key);
    else this.#replace(placeOf(key, this.#keys), this.#timed(kept.value, kept.seconds));
  }

  count(key: string, step: CountStep): number | undefined {
    const at = placeOf(key, this.#keys);
    const found = this.#liveAt(at);
    const reached = Math.max(0, counted(found) + step.by);
    const latest = this.#now + step.seconds * 1000;
    const end = Math.min(found?.end ?? latest, latest);
    if (step.limit !== undefined && step.by > 0 && reached > step.limit) {
      // Begun while the clock was ahead: it would refuse until that time has come.
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
    const at = placeOf(key, this.#keys);
    const before = highest(this.#liveAt(at));
    if (before !== undefined && value <= before) return false;
    this.#replace(at, this.#timed(textOf(value), seconds));
    return true;
  }

  swap(key: string, { before, after, seconds }: ValueChange): boolean {
    const at = placeOf(key, this.#keys);
    const found = this.#liveAt(at);
    const isAsThought = found
      ? before !== undefined && Buffer.compare(found.value, before) === 0
      : before === undefined;
    if (!isAsThought) return false;
    this.#replace(at, found ? { end: found.end, value: after } : this.#timed(after, seconds));
    return true;
  }

  drop(key: string): void {
    if (!this.#recordAt(placeOf(key, this.#keys))) return;
    this.#remove(key);
    this.#tables.due = Math.max(0, this.#tables.due - looksForOne);
  }

  /** @param key also one that was found by looking around */
  #remove(key: string): void {
    const at = this.#keys.indexOf(key);
    if (at >= 0) this.#records[at] = null;
    this.#tables.records.remove(key);
  }

  #timed(value: Uint8Array, seconds: number): LiveRecord {
    return { end: this.#now + seconds * 1000, value };
  }

  #liveAt(at: number): LiveRecord | undefined {
    const record = this.#recordAt(at);
    return record && isLive(record, this.#now) ? record : undefined;
  }

  #recordAt(at: number): LiveRecord | null {
    const known = this.#records[at];
    if (known !== undefined) return known;
    const key = this.#keys[at] ?? '';
    const seen = this.#before ? this.#before.#seen(key) : undefined;
    const record = seen === undefined ? (this.#tables.records.get(key) ?? null) : seen;
    this.#records[at] = record;
    return record;
  }

  /** What was read here. */
  #seen(key: string): LiveRecord | null | undefined {
    for (let at = 0; at < this.#keys.length; at += 1) if (this.#keys[at] === key) return this.#records[at];
    return undefined;
  }

  #replace(at: number, record: LiveRecord): void {
    if (!this.#recordAt(at)) this.#makeRoom();
    this.#records[at] = record;
    this.#tables.records.put(this.#keys[at] ?? '', record);
  }

  /** They are counted once for every hundredth of what there may be: that costs more than the rest. */
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
    tables.due += looksForOne;
    if (tables.due < looksAtOnce) return;
    for (const { key, end } of this.#lookAt(tables.due)) if (end <= this.#now) this.#remove(key);
    tables.due = 0;
  }

  /** Those that end first of the next ones, of which there are twice as many. */
  #dropFirstToEnd(count: number): void {
    const some = this.#lookAt(2 * count + looksAtOnce).toSorted((a, b) => a.end - b.end);
    for (const { key } of some.slice(0, count)) this.#remove(key);
  }

  /** The next ones; behind the last one come the first ones. */
  #lookAt(count: number): readonly Ending[] {
    const tables = this.#tables;
    const begun = tables.next;
    const found = this.#endings({ ...(begun !== '' && { start: begun }), limit: count });
    const rest = count - found.length;
    if (rest > 0 && begun !== '') found.push(...this.#endings({ end: begun, limit: rest }));
    const last = found.length < count ? undefined : found.at(-1);
    tables.next = last === undefined ? '' : `${last.key}\u0000`;
    return found;
  }

  #endings(range: { start?: string; end?: string; limit: number }): Ending[] {
    const all: Ending[] = [];
    for (const { key, value } of this.#tables.ends.getRange(range)) all.push({ key, end: value.end });
    return all;
  }
}

/** Whoever looks at a key that was not named would be wrong on other engines. @throws ServiceError `internal` */
export function placeOf(key: string, keys: readonly string[]): number {
  for (let at = 0; at < keys.length; at += 1) if (keys[at] === key) return at;
  throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
}

interface Ending {
  readonly key: string;
  readonly end: number;
}

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

const textOf = (number: number): Uint8Array => Buffer.from(String(number), 'latin1');

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
