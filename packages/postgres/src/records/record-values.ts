/** Under which keys entry records and certificate records stand: families that no key of the core has. */
import { hash } from 'node:crypto';
import type { CertificateRecord, HolderKey, KnownRevocation } from '@watchword/core/ports';

export const families = { entries: '=entry', certificates: '=certificate', revocations: '=revoked' } as const;

/** A value that stays for good. */
export interface KeyedValue {
  readonly key: string;
  readonly value: Buffer;
}

export const entryValue = (entry: string, text: string): KeyedValue => ({
  key: `${families.entries}:${entry}`,
  value: Buffer.from(text, 'utf8'),
});

/** The record, and its serial number among those of the holder. */
export const certificateValues = (record: CertificateRecord): readonly KeyedValue[] => [
  certificateValue(record),
  { key: keyOfHolder(record), value: Buffer.from(record.serial, 'latin1') },
];

export const certificateValue = (record: CertificateRecord): KeyedValue => ({
  key: `${families.certificates}:${record.serial}`,
  value: encode(record),
});

export const revocationValue = (revocation: KnownRevocation): KeyedValue => ({
  key: `${families.revocations}:${revocation.serial}`,
  value: encode(revocation),
});

/** A family for each holder: capitals in the name of a client make no difference. */
export const familyOfHolder = (holder: HolderKey): string => {
  const key = 'entry' in holder ? `entry ${holder.entry}` : `client ${holder.client.toLowerCase()}`;
  return `=certificates-of-${hash('sha256', key)}`;
};

/** In order of time: digits that sort as their numbers do. */
const keyOfHolder = (record: CertificateRecord): string =>
  `${familyOfHolder(record)}:${String(record.issued).padStart(16, '0')} ${record.serial}`;

const encode = (record: KnownRevocation | CertificateRecord): Buffer => Buffer.from(JSON.stringify(record));
