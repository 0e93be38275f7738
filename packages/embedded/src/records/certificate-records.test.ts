import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { certificateRecordsContract } from '../../../core/src/testing/contracts/certificate-records-contract.ts';
import { openCertificateRecords, openEnvironment } from '../index.ts';

certificateRecordsContract('embedded', async () => {
  const folder = await scratchFolder('certificate-records');
  const environment = await openEnvironment(folder);
  return {
    records: openCertificateRecords(environment),
    another: async () => openCertificateRecords(environment),
    async dispose() {
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('certificate records on LMDB', () => {
  it('refuse calls when the environment is closed', async () => {
    const folder = await scratchFolder('certificate-records');
    const environment = await openEnvironment(folder);
    const records = openCertificateRecords(environment);
    await environment.close();
    const closed = expect.objectContaining({ reason: 'unavailable' });
    await expect(records.find('00')).rejects.toEqual(closed);
    await expect(records.of({ entry: 'entry' })).rejects.toEqual(closed);
    await expect(records.revoked(0)).rejects.toEqual(closed);
    await expect(records.revoke('00', 1)).rejects.toEqual(closed);
    await rm(folder, { recursive: true });
  });
});
