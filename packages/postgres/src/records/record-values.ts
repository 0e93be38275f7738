/** Keys and values of entry records and certificate records, in families that the core does not use. */
import { hash } from 'node:crypto';
import type { CertificateRecord, KnownRevocation, OwnerKey } from '@watchword/core/ports';

export const families = { entries: '=entry', certificates: '=certificate', revocations: '=revoked' } as const;

/** A value without an end. */
export interface KeyedValue {
  readonly key: string;
  readonly value: Buffer;
}

export const entryValue = (entry: string, text: string): KeyedValue => ({
  key: `${families.entries}:${entry}`,
  value: Buffer.from(text, 'utf8'),
});

/** Returns the record, and its serial number under the owner. */
export const certificateValues = (record: CertificateRecord): readonly KeyedValue[] => [
  certificateValue(record),
  { key: keyOfOwner(record), value: Buffer.from(record.serial, 'latin1') },
];

export const certificateValue = (record: CertificateRecord): KeyedValue => ({
  key: `${families.certificates}:${record.serial}`,
  value: encode(record),
});

export const revocationValue = (revocation: KnownRevocation): KeyedValue => ({
  key: `${families.revocations}:${revocation.serial}`,
  value: encode(revocation),
});

/** Returns the family of an owner. The name of a client is compared without regard to case. */
export const familyOfOwner = (owner: OwnerKey): string => {
  const key = 'entry' in owner ? `entry ${owner.entry}` : `client ${owner.client.toLowerCase()}`;
  return `=certificates-of-${hash('sha256', key)}`;
};

/** Returns a key that sorts by the time of issue. */
const keyOfOwner = (record: CertificateRecord): string =>
  `${familyOfOwner(record)}:${String(record.issued).padStart(16, '0')} ${record.serial}`;

const encode = (record: KnownRevocation | CertificateRecord): Buffer => Buffer.from(JSON.stringify(record));
