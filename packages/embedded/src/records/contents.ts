/** Export of all tables of an environment except the directory. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CertificateRecord, KnownRevocation, StoreContents } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import { pagesOf } from '../storage/table-pages.ts';
import { openEntryRecords } from './entry-records.ts';
import { EventChain } from './event-chain.ts';
import { isLive, openTables } from './timed-records.ts';

const pageSize = 500;

/** @param now values that ended before are left out; milliseconds since 1970 */
export function readContents(environment: Environment, now: number): StoreContents {
  return {
    values: async function* () {
      for await (const page of pagesOf(environment, openTables(environment).records))
        yield page.flatMap(([key, record]) => (isLive(record, now) ? [{ key, ...record }] : []));
    },
    events: async function* () {
      const chain = new EventChain(environment, undefined);
      const numbers = chain.inOrder();
      for (let start = 0; start < numbers.length; start += pageSize, await nextTurn())
        yield numbers.slice(start, start + pageSize).flatMap((number) => chain.at(number) ?? []);
    },
    entryRecords: () => openEntryRecords(environment).all(),
    certificates: () => valuesOf<CertificateRecord>(environment, 'certificates'),
    revocations: () => valuesOf<KnownRevocation>(environment, 'certificates-revoked'),
  };
}

async function* valuesOf<V>(environment: Environment, name: string): AsyncGenerator<readonly V[]> {
  for await (const page of pagesOf(environment, environment.table<V, string>(name, {})))
    yield page.map(([, value]) => value);
}
