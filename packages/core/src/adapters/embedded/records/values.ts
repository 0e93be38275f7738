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
  readonly value: Uint8Array;
}

/** @param most of more records those that end first go; left out: there is no end to them */
export const openTables = (environment: Environment, most = Number.POSITIVE_INFINITY): Tables => ({
  records: environment.table('store', { encoding: 'binary' }),
  ends: environment.table('store-ends', {}),
  most,
  room: 0,
  swept: 0,
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
    this.#replace(key, { end: endOfClaim(this.#now, seconds, found?.end), value: textOf(value) });
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
    const record = this.#record(key);
    if (!record) return;
    this.#records.set(key, undefined);
    this.#tables.ends.remove([record.end, key]);
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
    const before = this.#record(key)?.end;
    if (before === undefined) this.#makeRoom();
    this.#records.set(key, record);
    const { records, ends } = this.#tables;
    records.put(key, bytesOf(record));
    if (before === record.end) return;
    if (before !== undefined) ends.remove([before, key]);
    ends.put([record.end, key], true);
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
    if (tooMany <= 0) return;
    for (const [, key] of [...tables.ends.getKeys({ limit: tooMany })]) this.drop(key);
  }

  #sweep(): void {
    const tables = this.#tables;
    if (Math.abs(this.#now - tables.swept) < sweepEvery) return;
    const over = [...tables.ends.getKeys({ end: [this.#now, ''], limit: sweptAtOnce })];
    for (const [, key] of over) this.drop(key);
    if (over.length < sweptAtOnce) tables.swept = this.#now;
  }
}

/** One that is later by next to nothing stays where it is: the order of the ends is not written anew at each login. */
function endOfClaim(now: number, seconds: number, before: number | undefined): number {
  const end = now + seconds * 1000;
  return before !== undefined && end >= before && end - before <= seconds ? before : end;
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
