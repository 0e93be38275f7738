/** The contract of records of certificates, as a vitest suite without an engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CertificateRecord,
  CertificateRecords,
  OwnerKey,
} from '../../ports/store/certificate-records.ts';

export interface CertificateRecordsFixture {
  readonly records: CertificateRecords;
  /** Opens the same records again, as after a crash of the process, or from another one. */
  another(): Promise<CertificateRecords>;
  /** Closes the records with all that runs for them. */
  dispose(): Promise<void>;
}

interface Differences {
  readonly entry?: string;
  readonly issued?: number;
  readonly notAfter?: number;
}

const record = (serial: string, more: Differences = {}): CertificateRecord => ({
  ...{ serial, subject: 'CN=Default\\\\alice', owner: 'uid=alice,dc=example,dc=org', entry: 'alice' },
  ...{ issued: 1000, notAfter: 2000 },
  ...more,
});

/**
 * Declares the contract of {@link CertificateRecords} as a suite of vitest.
 * @param name the name of the engine in the titles of the tests
 * @param open opens a new fixture, which the suite disposes of after its last test; called once
 * @see docs/architecture.md#write-an-engine-of-a-port
 * @example
 * ```ts
 * import { openCertificateRecords, openEnvironment } from '@watchword/embedded';
 * import { certificateRecordsContract } from '@watchword/core/testing';
 *
 * certificateRecordsContract('embedded', async () => {
 *   const environment = await openEnvironment('./certificates');
 *   const another = async () => openCertificateRecords(environment);
 *   return { records: await another(), another, dispose: () => environment.close() };
 * });
 * ```
 */
export function certificateRecordsContract(
  name: string,
  open: () => Promise<CertificateRecordsFixture>,
): void {
  describe(`certificate records contract: ${name}`, () => {
    let fixture: CertificateRecordsFixture;
    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture?.dispose());

    it('knows nothing of what was never issued', async () => {
      for (const serial of ['00', '', 'x', 'ab'.repeat(10_000)]) {
        expect(await fixture.records.find(serial)).toBeUndefined();
        expect(await fixture.records.revoke(serial, 1)).toBe(false);
      }
      expect(await fixture.records.of({ entry: 'nobody' })).toEqual([]);
    });

    it('finds a certificate by its number, and those of an entry, the oldest first', async () => {
      const late = record('0a', { entry: 'ann', issued: 3000 });
      const early = record('0b', { entry: 'ann', issued: 999 });
      const other = record('0c', { entry: 'anna' });
      for (const one of [late, early, other]) await fixture.records.add(one);
      expect(await fixture.records.find('0a')).toEqual(late);
      expect(await fixture.records.of({ entry: 'ann' })).toEqual([early, late]);
      expect(await fixture.records.of({ entry: 'anna' })).toEqual([other]);
    });

    it('says whether there is one of a kind', async () => {
      const hasSubject = (subject: string) => fixture.records.some((one) => one.subject === subject);
      expect(await hasSubject('CN=some')).toBe(false);
      await fixture.records.add({ ...record('50'), subject: 'CN=some' });
      expect(await hasSubject('CN=some')).toBe(true);
      expect(await fixture.records.some(() => false)).toBe(false);
    });

    it('keeps those of calling systems apart from those of entries, however their names are written', async () => {
      const { owner: _, entry: __, ...rest } = { ...record('0d'), owner: '', entry: '' };
      const system = { ...rest, client: 'VPN' };
      await fixture.records.add(system);
      await fixture.records.add(record('0e', { entry: 'vpn' }));
      const serials = async (owner: OwnerKey) =>
        (await fixture.records.of(owner)).map(({ serial }) => serial);
      expect(await fixture.records.find('0d')).toEqual(system);
      expect(await serials({ client: 'vpn' })).toEqual(['0d']);
      expect(await serials({ entry: 'vpn' })).toEqual(['0e']);
      expect(await serials({ client: 'vp' })).toEqual([]);
    });

    it('revokes once, and lists what would be valid still', async () => {
      await fixture.records.add(record('1a', { notAfter: 5000 }));
      await fixture.records.add(record('1b', { notAfter: 6000 }));
      await fixture.records.add(record('1c', { notAfter: 7000 }));
      expect(await fixture.records.revoke('1a', 1234)).toBe(true);
      expect(await fixture.records.revoke('1b', 1235)).toBe(true);
      expect(await fixture.records.revoke('1b', 9999)).toBe(false);
      expect(await fixture.records.find('1b')).toMatchObject({ revoked: 1235 });
      expect(await fixture.records.revoked(6000)).toEqual([
        { ...record('1b'), notAfter: 6000, revoked: 1235 },
      ]);
      expect((await fixture.records.revoked(0)).map(({ serial }) => serial)).toEqual(['1a', '1b']);
    });

    it('lets one of many revoke, on two nodes', async () => {
      await fixture.records.add(record('2a'));
      const other = await fixture.another();
      const tries = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? fixture.records : other).revoke('2a', index),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      await other.close();
    });

    it('is the same after it was opened anew', async () => {
      await fixture.records.add(record('3a', { entry: 'kept' }));
      const other = await fixture.another();
      expect(await other.of({ entry: 'kept' })).toEqual([record('3a', { entry: 'kept' })]);
      await other.close();
    });
  });
}
