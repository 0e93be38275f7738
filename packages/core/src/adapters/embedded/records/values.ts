/**
 * Values and counters with an end, in LMDB: what is done to them within a transaction. A record is its end (8 bytes,
 * milliseconds since 1970) and the value; a counter's value is decimal text, that of a claim too.
 */
import type { TimedValue } from '../../../ports/ledger.ts';
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
  readonly records: Database<Buffer, string>;
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
  records: environment.table('store', { encoding: 'binary' }),
  most,
  room: 0,
  due: 0,
  next: '',
});

/**
 * What is done with a table at one moment, within a transaction where something is written: of each key the record is read
 * once, however often it is looked at, claimed and replaced.
 */
export class Step {
  readonly #tables: Tables;
  readonly #now: number;
  /** Those that are over, too. */
  readonly #records = new Map<string, LiveRecord | undefined>();

  /** @param now milliseconds since 1970 */
  constructor(tables: Tables, now: number) {
    this.#tables = tables;
    this.#now = now;
  }

  live(key: string): LiveRecord | undefined {
    const record = this.#record(key);
    return record && record.end > this.#now ? record : undefined;
  }

  put(key: string, kept: TimedValue | null): void {
    if (kept === null) this.drop(key);
    else this.#replace(key, { end: this.#now + kept.seconds * 1000, value: kept.value });
  }

  count(key: string, step: CountStep): number | undefined {
    const found = this.live(key);
    const reached = Math.max(0, counted(found) + step.by);
    const latest = this.#now + step.seconds * 1000;
    const end = Math.min(found?.end ?? latest, latest);
    if (step.limit !== undefined && step.by > 0 && reached > step.limit) {
      // Begun while the clock was ahead: it would refuse until that time has come.
      if (found && found.end > end) this.#replace(key, { ...found, end });
      return undefined;
    }
    if (reached === 0) this.drop(key);
    else this.#replace(key, { end, value: textOf(reached) });
    return reached;
  }

  update<T>(key: string, change: (before: Uint8Array | undefined) => Update<T>): T {
    const { result, after } = change(this.live(key)?.value);
    if (after !== undefined) this.put(key, after);
    return result;
  }

  take(key: string): Uint8Array | undefined {
    const found = this.live(key);
    this.drop(key);
    return found?.value;
  }

  claim(key: string, { value, seconds }: { value: number; seconds: number }): boolean {
    const found = this.live(key);
    const before = highest(found);
    if (before !== undefined && value <= before) return false;
    this.#replace(key, { end: this.#now + seconds * 1000, value: textOf(value) });
    return true;
  }

  swap(key: string, { before, after, seconds }: ValueChange): boolean {
    const found = this.live(key);
    const isAsThought = found
      ? before !== undefined && Buffer.compare(found.value, before) === 0
      : before === undefined;
    if (!isAsThought) return false;
    this.#replace(key, { end: found?.end ?? this.#now + seconds * 1000, value: after });
    return true;
  }

  drop(key: string): void {
    if (!this.#record(key)) return;
    this.#remove(key);
    this.#tables.due = Math.max(0, this.#tables.due - looksForOne);
  }

  #remove(key: string): void {
    this.#records.set(key, undefined);
    this.#tables.records.remove(key);
  }

  #record(key: string): LiveRecord | undefined {
    const known = this.#records.get(key);
    if (known || this.#records.has(key)) return known;
    const bytes = this.#tables.records.get(key);
    const record = bytes && readRecord(bytes);
    this.#records.set(key, record);
    return record;
  }

  #replace(key: string, record: LiveRecord): void {
    if (!this.#record(key)) this.#makeRoom();
    this.#records.set(key, record);
    this.#tables.records.put(key, bytesOf(record));
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
    const all = this.#tables.records.getRange(range);
    return [...all].map(({ key, value }) => ({ key, end: readRecord(value).end }));
  }
}

interface Ending {
  readonly key: string;
  readonly end: number;
}

export function highest(record: LiveRecord | undefined): number | undefined {
  return record && Number(Buffer.from(record.value).toString('latin1'));
}

export function counted(record: LiveRecord | undefined): number {
  return highest(record) ?? 0;
}

const textOf = (number: number): Uint8Array => Buffer.from(String(number), 'latin1');

export function readLive(bytes: Buffer, now: number): LiveRecord | undefined {
  const record = readRecord(bytes);
  return record.end > now ? record : undefined;
}

/** The bytes are nobody else's: lmdb gives a copy of what is there. */
const readRecord = (bytes: Buffer): LiveRecord => ({
  end: bytes.readDoubleBE(0),
  value: bytes.subarray(endLength),
});

function bytesOf({ end, value }: LiveRecord): Buffer {
  const bytes = Buffer.allocUnsafe(endLength + value.length);
  bytes.writeDoubleBE(end);
  bytes.set(value, endLength);
  return bytes;
}
