import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { entryRecordsContract } from '../../../core/src/testing/contracts/entry-records-contract.ts';
import { openEntryRecords, openEnvironment } from '../index.ts';

entryRecordsContract('embedded', async () => {
  const folder = await scratchFolder('entry-records');
  const environment = await openEnvironment(folder);
  return {
    records: openEntryRecords(environment),
    another: async () => openEntryRecords(environment),
    async dispose() {
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('entry records on LMDB', () => {
  it('survive a restart, and refuse calls when the environment is closed', async () => {
    const folder = await scratchFolder('entry-records');
    const environment = await openEnvironment(folder);
    await openEntryRecords(environment).swap('entry', { before: undefined, after: 'text' });
    await environment.close();
    const again = await openEnvironment(folder);
    const records = openEntryRecords(again);
    expect((await records.read(['entry'])).get('entry')).toBe('text');
    await again.close();
    const closed = expect.objectContaining({ reason: 'unavailable' });
    await expect(records.read(['entry'])).rejects.toEqual(closed);
    await expect(records.swap('entry', { before: 'text', after: 'b' })).rejects.toEqual(closed);
    await rm(folder, { recursive: true });
  });
});
