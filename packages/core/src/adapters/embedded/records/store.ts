/** The store on LMDB. */
import type { Clock } from '../../../ports/clock.ts';
import type { Store } from '../../../ports/store.ts';
import type { Environment } from '../storage/environment.ts';
import { pagesOf } from '../storage/table-pages.ts';
import {
  claim,
  count,
  counted,
  drop,
  highest,
  live,
  openTables,
  put,
  readLive,
  swap,
  type Tables,
  take,
  update,
} from './values.ts';

/**
 * Opens the store. Closing it leaves the environment open.
 * @param most of more records those that end first go; left out: there is no end to them
 */
export const openStore = (environment: Environment, clock: Clock, most = Number.POSITIVE_INFINITY): Store =>
  storeOf(openTables(environment, most), environment, clock);

/** The store of these tables. */
export function storeOf(tables: Tables, environment: Environment, clock: Clock): Store {
  const write = <T>(change: (now: number) => T): Promise<T> =>
    new Promise((written, refused) => {
      environment.writeTogether(() => change(clock.now()), { written, refused });
    });
  return {
    get: async (key) => {
      environment.assertOpen();
      return live(tables, key, clock.now())?.value;
    },
    put: (key, value, seconds) => write((now) => put(tables, key, { kept: { value, seconds }, now })),
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
    swap: (key, change) => write((now) => swap(tables, key, { ...change, now })),
    family: async function* (name) {
      const range = { start: `${name}:`, end: `${name};` };
      for await (const page of pagesOf(environment, tables.records, range)) {
        const now = clock.now();
        yield page.flatMap(([key, record]) => {
          const value = readLive(record, now)?.value;
          return value ? [{ key, value }] : [];
        });
      }
    },
    update: async (key, change) => {
      const [result] = await write((now) => [update(tables, key, { now, change })]);
      return result;
    },
    probe: () => environment.probe(),
    close: async () => {},
  };
}
