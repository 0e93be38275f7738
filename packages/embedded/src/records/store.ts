/** The store on LMDB. */
import type { Clock, Store } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import { pagesOf } from '../storage/table-pages.ts';
import { counted, highest, isLive, openTables, type Tables } from './live-records.ts';
import { Step } from './values.ts';

/**
 * Opens the store. Closing it leaves the environment open.
 * @param most of more records those that end first go; left out: there is no end to them
 */
export const openStore = (environment: Environment, clock: Clock, most = Number.POSITIVE_INFINITY): Store =>
  storeOf(openTables(environment, most), environment, clock);

/** The store of these tables. */
export function storeOf(tables: Tables, environment: Environment, clock: Clock): Store {
  const write = <T>(key: string, change: (step: Step) => T): Promise<T> =>
    new Promise((written, refused) => {
      let made: T;
      environment.writeTogether({
        make: () => {
          made = change(new Step(tables, clock.now(), [key]));
        },
        written: () => written(made),
        refused,
      });
    });
  const live = (key: string) => {
    environment.assertOpen();
    return new Step(tables, clock.now(), [key]).live(key);
  };
  return {
    get: async (key) => live(key)?.value,
    put: (key, value, seconds) => write(key, (step) => step.put(key, { value, seconds })),
    remove: (key) => write(key, (step) => step.drop(key)),
    take: async (key) => (live(key) ? write(key, (step) => step.take(key)) : undefined),
    claim: (key, value, seconds) => write(key, (step) => step.claim(key, { value, seconds })),
    claimed: async (key) => highest(live(key)),
    count: async (key, by) => (by.by === 0 ? counted(live(key)) : write(key, (step) => step.count(key, by))),
    swap: (key, change) => write(key, (step) => step.swap(key, change)),
    family: async function* (name, most) {
      const range = { start: `${name}:`, end: `${name};`, most };
      for await (const page of pagesOf(environment, tables.records, range)) {
        const now = clock.now();
        yield page.flatMap(([key, record]) => (isLive(record, now) ? [{ key, value: record.value }] : []));
      }
    },
    update: async (key, change) => {
      const [result] = await write(key, (step) => [step.update(key, change)]);
      return result;
    },
    probe: () => environment.probe(),
    close: async () => {},
  };
}
