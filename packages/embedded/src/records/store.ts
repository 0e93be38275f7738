import type { Clock, Store } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import { pagesOf } from '../storage/table-pages.ts';
import { RecordStep } from './record-step.ts';
import { countIn, isLive, numberIn, openTables, type RecordTables } from './timed-records.ts';

/**
 * Opens the store. Closing it leaves the environment open.
 * @param environment the environment, of `openEnvironment`
 * @param clock the clock of the ends of values
 * @param most most records, beyond which those are dropped that end first; optional, default: unlimited
 * @returns the store
 * @see docs/concepts/stores-and-nodes.md#embedded-store
 * @example
 * ```ts
 * import { openEnvironment, openStore } from '@watchword/embedded';
 * import { systemClock } from '@watchword/node';
 *
 * const environment = await openEnvironment('./data');
 * const store = openStore(environment, systemClock);
 * console.log(await store.count('demo:logins', { by: 1, seconds: 60 })); // 1
 * await environment.close();
 * ```
 */
export const openStore = (environment: Environment, clock: Clock, most = Number.POSITIVE_INFINITY): Store =>
  storeOf(openTables(environment, most), environment, clock);

export function storeOf(tables: RecordTables, environment: Environment, clock: Clock): Store {
  const write = <T>(key: string, change: (step: RecordStep) => T): Promise<T> =>
    new Promise((resolve, failed) => {
      let result: T;
      environment.writeGrouped({
        apply: () => {
          result = change(new RecordStep(tables, clock.now(), [key]));
        },
        committed: () => resolve(result),
        failed,
      });
    });
  const live = (key: string) => {
    environment.assertOpen();
    return new RecordStep(tables, clock.now(), [key]).live(key);
  };
  return {
    get: async (key) => live(key)?.value,
    put: (key, value, seconds) => write(key, (step) => step.put(key, { value, seconds })),
    remove: (key) => write(key, (step) => step.drop(key)),
    take: async (key) => (live(key) ? write(key, (step) => step.take(key)) : undefined),
    claim: (key, value, seconds) => write(key, (step) => step.claim(key, { value, seconds })),
    claimed: async (key) => numberIn(live(key)),
    count: async (key, by) => (by.by === 0 ? countIn(live(key)) : write(key, (step) => step.count(key, by))),
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
