/**
 * The store on LMDB: values and counters with an end. A record is its end (8 bytes, milliseconds since 1970)
 * and the value; a counter's value is decimal text.
 */
import type { Clock } from '../../ports/clock.ts';
import type { CountStep, Store } from '../../ports/store.ts';
import type { Database, Environment } from './environment.ts';

/**
 * Whatever adds a record sweeps at most this many that are over. So the store never holds much more than what is
 * alive, and no timer is needed.
 */
const sweptAtOnce = 4;
const endLength = 8;

interface Tables {
  /** key → record */
  readonly records: Database<Buffer, string>;
  /** [end, key] → nothing: what is over, in the order in which it ended */
  readonly ends: Database<true, [number, string]>;
}

interface LiveRecord {
  /** Milliseconds since 1970. */
  readonly end: number;
  readonly value: Buffer;
}

/** Opens the store. Closing it leaves the environment open. */
export function openStore(environment: Environment, clock: Clock): Store {
  const tables: Tables = {
    records: environment.table('store', { encoding: 'binary' }),
    ends: environment.table('store-ends', {}),
  };
  const write = <T>(change: (now: number) => T): Promise<T> =>
    environment.writeTogether(() => change(clock.now()));
  return {
    get: async (key) => {
      environment.assertOpen();
      return live(tables, key, clock.now())?.value;
    },
    put: (key, value, seconds) =>
      write((now) => replace(tables, key, { end: now + seconds * 1000, value: Buffer.from(value), now })),
    remove: (key) => write(() => drop(tables, key)),
    take: async (key) => {
      environment.assertOpen();
      if (!live(tables, key, clock.now())) return undefined;
      return write((now) => take(tables, key, now));
    },
    claim: (key, value, seconds) => write((now) => claim(tables, key, { value, now, seconds })),
    claimed: async (key) => {
      environment.assertOpen();
      return highest(live(tables, key, clock.now()));
    },
    count: async (key, step) => {
      if (step.by !== 0) return write((now) => count(tables, key, { ...step, now }));
      environment.assertOpen();
      return counted(live(tables, key, clock.now()));
    },
    probe: async () => environment.assertOpen(),
    close: async () => {},
  };
}

function count(tables: Tables, key: string, step: CountStep & { now: number }): number | undefined {
  const found = live(tables, key, step.now);
  const reached = Math.max(0, counted(found) + step.by);
  if (step.limit !== undefined && step.by > 0 && reached > step.limit) return undefined;
  const end = found?.end ?? step.now + step.seconds * 1000;
  if (reached === 0) drop(tables, key);
  else replace(tables, key, { end, value: Buffer.from(String(reached), 'latin1'), now: step.now });
  return reached;
}

function take(tables: Tables, key: string, now: number): Buffer | undefined {
  const found = live(tables, key, now);
  drop(tables, key);
  return found?.value;
}

function claim(
  tables: Tables,
  key: string,
  { value, now, seconds }: { value: number; now: number; seconds: number },
): boolean {
  const before = highest(live(tables, key, now));
  if (before !== undefined && value <= before) return false;
  replace(tables, key, { end: now + seconds * 1000, value: Buffer.from(String(value), 'latin1'), now });
  return true;
}

function highest(record: LiveRecord | undefined): number | undefined {
  return record && Number(record.value.toString('latin1'));
}

function counted(record: LiveRecord | undefined): number {
  return highest(record) ?? 0;
}

function live({ records }: Tables, key: string, now: number): LiveRecord | undefined {
  const record = records.get(key);
  if (!record) return undefined;
  const end = record.readDoubleBE(0);
  return end > now ? { end, value: Buffer.from(record.subarray(endLength)) } : undefined;
}

function replace(tables: Tables, key: string, { end, value, now }: LiveRecord & { now: number }): void {
  const before = tables.records.get(key)?.readDoubleBE(0);
  if (before === undefined) sweep(tables, now);
  const record = Buffer.alloc(endLength + value.length);
  record.writeDoubleBE(end);
  value.copy(record, endLength);
  tables.records.put(key, record);
  if (before === end) return;
  if (before !== undefined) tables.ends.remove([before, key]);
  tables.ends.put([end, key], true);
}

function drop({ records, ends }: Tables, key: string): void {
  const record = records.get(key);
  if (!record) return;
  ends.remove([record.readDoubleBE(0), key]);
  records.remove(key);
}

function sweep(tables: Tables, now: number): void {
  for (const [, key] of [...tables.ends.getKeys({ end: [now, ''], limit: sweptAtOnce })]) drop(tables, key);
}
