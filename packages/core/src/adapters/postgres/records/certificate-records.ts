/**
 * Records of certificates on PostgreSQL, values without an end: each under its serial number, the numbers of a holder in
 * the order in which they were issued, and what is revoked.
 */
import { hash } from 'node:crypto';
import type {
  CertificateRecord,
  CertificateRecords,
  HolderKey,
  KnownRevocation,
} from '../../../ports/certificate-records.ts';
import { idOf, type Name } from '../steps/names.ts';
import { type Decision, forGood, type Steps } from '../steps/steps.ts';
import { pagesOf, valuesOf } from './families.ts';

const certificates = '=certificate';
const revocations = '=revoked';

export function openCertificateRecords(steps: Steps): CertificateRecords {
  return {
    add: (record) => {
      const [mine, ofHolder] = [named(certificates, record.serial), nameOfHolder(record)];
      return steps.change([mine, ofHolder], () => ({
        result: undefined,
        changes: new Map([
          [idOf(mine), forGood(encode(record))],
          [idOf(ofHolder), forGood(Buffer.from(record.serial, 'latin1'))],
        ]),
      }));
    },
    find: async (serial) => {
      const value = isSerial(serial) ? await steps.read(named(certificates, serial)) : undefined;
      return value && decode<CertificateRecord>(value);
    },
    of: async (holder) => {
      const serials: string[] = [];
      for await (const page of pagesOf(steps, { name: familyOf(holder), lasting: true }))
        serials.push(...page.map(({ value }) => value.toString('latin1')));
      const rows = await valuesOf(steps, certificates, serials);
      const found = new Map(rows.map(({ subject, value }) => [subject, decode<CertificateRecord>(value)]));
      return serials.flatMap((serial) => found.get(serial) ?? []);
    },
    some: async (isWanted) => {
      for await (const page of pagesOf(steps, { name: certificates, lasting: true }))
        if (page.some(({ value }) => isWanted(decode<CertificateRecord>(value)))) return true;
      return false;
    },
    revoked: async (since) => {
      const all: KnownRevocation[] = [];
      for await (const page of pagesOf(steps, { name: revocations, lasting: true }))
        all.push(...page.map(({ value }) => decode<KnownRevocation>(value)));
      return all.filter(({ notAfter }) => notAfter >= since);
    },
    revoke: async (serial, at) => {
      if (!isSerial(serial)) return false;
      const [mine, revocation] = [named(certificates, serial), named(revocations, serial)];
      return steps.change([mine, revocation], (found): Decision<boolean> => {
        const value = found(idOf(mine));
        const record = value && decode<CertificateRecord>(value);
        if (!record || record.revoked !== undefined) return { result: false };
        const become = forGood(encode({ ...record, revoked: at }));
        return { result: true, changes: new Map([mine, revocation].map((name) => [idOf(name), become])) };
      });
    },
    noteRevoked: (revocation) => {
      const name = named(revocations, revocation.serial);
      return steps.change([name], (found): Decision<boolean> => {
        if (found(idOf(name))) return { result: false };
        return { result: true, changes: new Map([[idOf(name), forGood(encode(revocation))]]) };
      });
    },
    close: async () => {},
  };
}

const named = (family: string, subject: string): Name => ({ key: `${family}:${subject}`, lasting: true });

/** RFC 5280 §4.1.2.2: 20 octets. Anybody may ask for any. */
const isSerial = (text: string): boolean => /^[0-9a-f]{1,40}$/.test(text);

/** A family for each holder: capitals in the name of a client make no difference. */
const familyOf = (holder: HolderKey): string => {
  const key = 'entry' in holder ? `entry ${holder.entry}` : `client ${holder.client.toLowerCase()}`;
  return `=certificates-of-${hash('sha256', key)}`;
};

/** In order of time: digits that sort as their numbers do. */
const nameOfHolder = (record: CertificateRecord): Name =>
  named(familyOf(record), `${String(record.issued).padStart(16, '0')} ${record.serial}`);

const encode = (record: KnownRevocation | CertificateRecord): Buffer => Buffer.from(JSON.stringify(record));
const decode = <T>(value: Buffer): T => JSON.parse(value.toString('utf8'));
