/** Records of certificates on LMDB by serial number, with an index by owner and one of revocations. */
import type { CertificateRecord, CertificateRecords, KnownRevocation, OwnerKey } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';

/**
 * Opens the certificate records. Closing them leaves the environment open.
 * @param environment the environment, of `openEnvironment`
 * @returns the records
 * @see docs/concepts/factors-and-login-modes.md#certificate
 * @example
 * ```ts
 * import { openCertificateRecords, openEnvironment } from '@watchword/embedded';
 *
 * const environment = await openEnvironment('./data');
 * console.log(await openCertificateRecords(environment).find('0a')); // undefined
 * await environment.close();
 * ```
 */
export function openCertificateRecords(environment: Environment): CertificateRecords {
  const records = environment.table<CertificateRecord, string>('certificates', {});
  const byOwner = environment.table<true, [owner: string, issued: number, serial: string]>(
    'certificates-by-entry',
    {},
  );
  const revocations = environment.table<KnownRevocation, string>('certificates-revoked', {});
  return {
    add: (record) =>
      environment.write(() => {
        records.put(record.serial, record);
        byOwner.put([ownerKey(record), record.issued, record.serial], true);
      }),
    find: async (serial) => {
      environment.assertOpen();
      return isSerial(serial) ? records.get(serial) : undefined;
    },
    of: async (owner) => {
      environment.assertOpen();
      const key = ownerKey(owner);
      const keys = [...byOwner.getKeys({ start: [key, 0, ''], end: [key, Infinity, ''] })];
      return keys.flatMap(([, , serial]) => records.get(serial) ?? []);
    },
    some: async (isWanted) => {
      environment.assertOpen();
      for (const { value } of records.getRange()) if (isWanted(value)) return true;
      return false;
    },
    revoked: async (since) => {
      environment.assertOpen();
      return [...revocations.getRange()]
        .map(({ value }) => value)
        .filter(({ notAfter }) => notAfter >= since);
    },
    revoke: (serial, at) =>
      environment.write(() => {
        const record = isSerial(serial) ? records.get(serial) : undefined;
        if (!record || record.revoked !== undefined) return false;
        const revoked = { ...record, revoked: at };
        records.put(serial, revoked);
        revocations.put(serial, revoked);
        return true;
      }),
    noteRevoked: (revocation) =>
      environment.write(() => {
        if (revocations.get(revocation.serial)) return false;
        revocations.put(revocation.serial, revocation);
        return true;
      }),
    close: async () => {},
  };
}

/** Returns whether a text is a serial number (RFC 5280 §4.1.2.2: 20 octets). LMDB refuses empty and long keys. */
const isSerial = (text: string): boolean => /^[0-9a-f]{1,40}$/.test(text);

/** Returns the key of an owner in the index. Identifiers of entries contain no colon. */
const ownerKey = (owner: OwnerKey): string =>
  'entry' in owner ? owner.entry : `client:${owner.client.toLowerCase()}`;
