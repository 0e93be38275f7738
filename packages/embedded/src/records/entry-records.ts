/** Entry records on LMDB: a text for each entry. */
import type { EntryRecords } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import { pagesOf } from '../storage/table-pages.ts';

/**
 * Opens the entry records. Closing them leaves the environment open.
 * @param environment the environment, of `openEnvironment`
 * @returns the records
 * @see docs/concepts/dialects-and-names.md#schema-extension
 * @example
 * ```ts
 * import { openEntryRecords, openEnvironment } from '@watchword/embedded';
 *
 * const environment = await openEnvironment('./data');
 * console.log((await openEntryRecords(environment).read(['an identifier'])).size); // 0
 * await environment.close();
 * ```
 */
export function openEntryRecords(environment: Environment): EntryRecords {
  const records = environment.table<string, string>('entry-records', { encoding: 'string' });
  return {
    read: async (entries) => {
      environment.assertOpen();
      return new Map(
        entries.flatMap((entry) => {
          const text = records.get(entry);
          return text === undefined ? [] : [[entry, text] as const];
        }),
      );
    },
    swap: (entry, { before, after }) =>
      environment.write(() => {
        if (records.get(entry) !== before) return false;
        if (after === undefined) records.remove(entry);
        else records.put(entry, after);
        return true;
      }),
    all: async function* () {
      for await (const page of pagesOf(environment, records)) yield new Map(page);
    },
    close: async () => {},
  };
}
