/** Contracts of store, ledger, event log and records on PostgreSQL. */
import { expect, it, vi } from 'vitest';
import { noVersion } from '../../../core/src/ports/store/store.ts';
import { certificateRecordsContract } from '../../../core/src/testing/contracts/certificate-records-contract.ts';
import { entryRecordsContract } from '../../../core/src/testing/contracts/entry-records-contract.ts';
import { eventLogContract } from '../../../core/src/testing/contracts/event-log-contract.ts';
import { ledgerContract } from '../../../core/src/testing/contracts/ledger-contract.ts';
import { requestVersionContract } from '../../../core/src/testing/contracts/request-version-contract.ts';
import { storeContract } from '../../../core/src/testing/contracts/store-contract.ts';
import {
  openCertificateRecords,
  openEntryRecords,
  openEventLog,
  openLedger,
  openStore,
  type Steps,
} from '../index.ts';
import { openBed } from '../testing/bed.ts';

for (const lasting of [true, false])
  storeContract(`PostgreSQL, ${lasting ? 'durable' : 'ephemeral'}`, async () => {
    const bed = await openBed();
    return {
      store: openStore(bed.steps, { lasting }),
      pass: async (seconds) => bed.clock.advance(seconds * 1000),
      another: async () => openStore(bed.anotherNode(), { lasting }),
      dispose: () => bed.dispose(),
    };
  });

ledgerContract('PostgreSQL', async () => {
  const bed = await openBed();
  return {
    ledger: openLedger(bed.steps, bed.clock),
    ephemeral: openStore(bed.steps, { lasting: false }),
    events: openEventLog(bed.steps),
    pass: async (seconds) => bed.clock.advance(seconds * 1000),
    another: async () => openLedger(bed.anotherNode(), bed.clock),
    dispose: () => bed.dispose(),
  };
});

eventLogContract('PostgreSQL', async () => {
  const bed = await openBed();
  return {
    another: async (eventDays = 0) => openEventLog(bed.anotherNode({ eventDays })),
    at: (time) => bed.clock.advance(time - bed.clock.now()),
    dispose: () => bed.dispose(),
  };
});

entryRecordsContract('PostgreSQL', async () => {
  const bed = await openBed();
  return {
    records: openEntryRecords(bed.steps),
    another: async () => openEntryRecords(bed.anotherNode()),
    dispose: () => bed.dispose(),
  };
});

certificateRecordsContract('PostgreSQL', async () => {
  const bed = await openBed();
  return {
    records: openCertificateRecords(bed.steps),
    another: async () => openCertificateRecords(bed.anotherNode()),
    dispose: () => bed.dispose(),
  };
});

requestVersionContract('PostgreSQL', async () => {
  const bed = await openBed();
  const nodeOf = (steps: Steps) => ({
    store: openLedger(steps, bed.clock),
    patience: steps.database.patience,
  });
  return {
    ...nodeOf(bed.steps),
    another: async () => nodeOf(bed.anotherNode()),
    dispose: () => bed.dispose(),
  };
});

it('compares the version of the configuration in the statement of a read', async () => {
  const bed = await openBed();
  const store = openLedger(bed.steps, bed.clock);
  const { patience } = bed.steps.database;
  const sent = vi.spyOn(bed.steps.database, 'query');
  await patience.during(() => store.get('thing:one'), noVersion);
  expect(sent).toHaveBeenCalledTimes(1);
  await bed.dispose();
});
