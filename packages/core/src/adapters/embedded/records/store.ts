/** The store on LMDB. */
import type { Clock } from '../../../ports/clock.ts';
import type { Store } from '../../../ports/store.ts';
import type { Environment } from '../storage/environment.ts';
import { pagesOf } from '../storage/table-pages.ts';
import { counted, highest, openTables, readLive, Step, type Tables } from './values.ts';

/**
 * Opens the store. Closing it leaves the environment open.
 * @param most of more records those that end first go; left out: there is no end to them
 */
export const openStore = (environment: Environment, clock: Clock, most = Number.POSITIVE_INFINITY): Store =>
  storeOf(openTables(environment, most), environment, clock);

/** The store of these tables. */
export function storeOf(tables: Tables, environment: Environment, clock: Clock): Store {
  const write = <T>(change: (step: Step) => T): Promise<T> =>
    new Promise((written, refused) => {
      environment.writeTogether(() => change(new Step(tables, clock.now())), { written, refused });
    });
  const live = (key: string) => {
    environment.assertOpen();
    return new Step(tables, clock.now()).live(key);
  };
  return {
    get: async (key) => live(key)?.value,
    put: (key, value, seconds) => write((step) => step.put(key, { value, seconds })),
    remove: (key) => write((step) => step.drop(key)),
    take: async (key) => (live(key) ? write((step) => step.take(key)) : undefined),
    claim: (key, value, seconds) => write((step) => step.claim(key, { value, seconds })),
    claimed: async (key) => highest(live(key)),
    count: async (key, by) => (by.by === 0 ? counted(live(key)) : write((step) => step.count(key, by))),
    swap: (key, change) => write((step) => step.swap(key, change)),
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
      const [result] = await write((step) => [step.update(key, change)]);
      return result;
    },
    probe: () => environment.probe(),
    close: async () => {},
  };
}
