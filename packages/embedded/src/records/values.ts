/** Values and counters with an end, in LMDB: what is done to them within a transaction. */
import { ServiceError } from '@watchword/core/foundation';
import type { CountStep, State, TimedValue, Update, ValueChange } from '@watchword/core/ports';
import {
  counted,
  highest,
  isLive,
  type LiveRecord,
  looksForOne,
  type Tables,
  textOf,
} from './live-records.ts';

/**
 * Looks are saved up, as beginning to read costs more than reading on; so many that turns, each of which is added and dropped, are
 * looked for by nobody where some dozens log in at a time.
 */
const looksAtOnce = 256;

/**
 * What is done with a table at one moment, within a transaction where something is written: of each key the record is read
 * once, however often it is looked at, claimed and replaced.
 */
export class Step implements State {
  readonly #tables: Tables;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A few: they are found sooner one after the other than by their hashes. */
  readonly #keys: readonly string[];
  /** Of each key, also those that are over; null: there is none; undefined: it was not read yet. */
  readonly #records: (LiveRecord | null | undefined)[];
  #before: Step | undefined;

  /**
   * @param keys all that it is about
   * @param before the last one of the same moment, if neither changes anything, as what both look at is read once
   */
  constructor(tables: Tables, now: number, keys: readonly string[], before?: Step) {
    this.#tables = tables;
    this.now = now;
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
    const latest = this.now + step.seconds * 1000;
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
    const at = placeOf(key, this.#keys);
    if (!this.#recordAt(at)) return;
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
    return { end: this.now + seconds * 1000, value };
  }

  #liveAt(at: number): LiveRecord | undefined {
    const record = this.#recordAt(at);
    return record && isLive(record, this.now) ? record : undefined;
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
    for (const { key, end } of this.#lookAt(tables.due)) if (end <= this.now) this.#remove(key);
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
