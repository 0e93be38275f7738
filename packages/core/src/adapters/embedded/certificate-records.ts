/** Records of certificates on LMDB: each under its serial number, with an index by entry and one of the revoked. */
import type {
  CertificateRecord,
  CertificateRecords,
  RevokedCertificate,
} from '../../ports/certificate-records.ts';
import type { Environment } from './environment.ts';

/** Opens the records. Closing them leaves the environment open. */
export function openCertificateRecords(environment: Environment): CertificateRecords {
  const records = environment.table<CertificateRecord, string>('certificates', {});
  const byEntry = environment.table<true, [entry: string, issued: number, serial: string]>(
    'certificates-by-entry',
    {},
  );
  const revocations = environment.table<RevokedCertificate, string>('certificates-revoked', {});
  return {
    add: (record) =>
      environment.write(() => {
        records.put(record.serial, record);
        byEntry.put([record.entry, record.issued, record.serial], true);
      }),
    find: async (serial) => {
      environment.assertOpen();
      return records.get(serial);
    },
    of: async (entry) => {
      environment.assertOpen();
      const keys = [...byEntry.getKeys({ start: [entry, 0, ''], end: [entry, Infinity, ''] })];
      return keys.flatMap(([, , serial]) => records.get(serial) ?? []);
    },
    revoked: async (since) => {
      environment.assertOpen();
      return [...revocations.getRange()]
        .map(({ value }) => value)
        .filter(({ notAfter }) => notAfter >= since);
    },
    revoke: (serial, at) =>
      environment.write(() => {
        const record = records.get(serial);
        if (!record || record.revoked !== undefined) return false;
        const revoked = { ...record, revoked: at };
        records.put(serial, revoked);
        revocations.put(serial, revoked);
        return true;
      }),
    close: async () => {},
  };
}
