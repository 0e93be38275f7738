/**
 * Verifies certificates that log users in. Anyone can make a certificate with an administrator's subject, and a foreign authority may sign
 * one. So it must be signed by our authority, be on record, and be valid now. TLS, or the caller that passes it on, checks that its holder
 * has the key.
 */
import type { Ports } from '../../ports/ports.ts';
import type { CertificateRecord, ClientOwner, EntryOwner } from '../../ports/store/certificate-records.ts';
import { type CertificateKind, fieldsOf, kindOf, type SubjectFields } from './subject.ts';

export type OwnCertificate = Signed & NamedOwner;

interface Signed {
  /** Hexadecimal, lower case. */
  readonly serial: string;
  /** SHA-256 of all of it, hexadecimal, lower case. */
  readonly fingerprint: string;
}

/** The owner: a user or administrator, or a system that calls the web services. */
type NamedOwner = {
  /** The CN: `<domain>\<username>` of a user, the DN of an administrator, what a system calls itself. */
  readonly name: string;
} & (
  | ({ readonly kind: Exclude<CertificateKind, 'CLIENT'> } & EntryOwner)
  | ({ readonly kind: 'CLIENT' } & ClientOwner)
);

/** The verdict on a certificate. `why` is for the log, after "the certificate", and never for the owner. */
export type CertificateVerdict =
  | { readonly good: true; readonly certificate: OwnCertificate }
  | { readonly good: false; readonly why: string };

const bad = (why: string): CertificateVerdict => ({ good: false, why });

/**
 * @param pem as it was shown, by anybody
 * @throws ServiceError `unavailable` if the records are
 */
export async function verifyOwnCertificate(
  pem: string,
  { authority, certificates, clock }: Pick<Ports, 'authority' | 'certificates' | 'clock'>,
): Promise<CertificateVerdict> {
  const signed = await authority.recognise(pem);
  if (!signed) return bad('is not of this certificate authority');
  const { serial, fingerprint, notBefore, notAfter } = signed;
  const now = clock.now();
  if (!(now >= notBefore && now <= notAfter)) return bad('is out of time');
  if (!signed.isForClients) return bad('is not for TLS clients');
  const record = await certificates.find(serial);
  if (!record) return bad('was not signed for anybody here');
  if (record.revoked !== undefined) return bad('is revoked');
  if (!signed.subject) return bad('names nobody for sure');
  const read = fieldsOf(signed.subject);
  if ('problem' in read) return bad(read.problem);
  const owner = certificateOwner(read.fields, record);
  if (!owner) return bad('is not of the kind that it was signed for, or names nobody');
  return { good: true, certificate: { ...owner, serial, fingerprint } };
}

/** The subject says whose it is, the record for whom it was signed: one kind. */
function certificateOwner(fields: SubjectFields, record: CertificateRecord): NamedOwner | undefined {
  const [kind, name] = [kindOf(fields), fields.get('CN')];
  if (name === undefined) return undefined;
  if ('client' in record) return kind === 'CLIENT' ? { kind, name, client: record.client } : undefined;
  const { owner, entry } = record;
  return kind === 'USER' || kind === 'ADMIN' ? { kind, name, owner, entry } : undefined;
}
