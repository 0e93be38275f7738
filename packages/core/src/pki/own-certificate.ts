/**
 * Certificates that log somebody in. Anybody can make one with an administrator's subject, and an authority that was
 * brought along may have signed others elsewhere; so one of ours is one that our authority signed, that is on record,
 * and that is good now. Whether whoever shows it holds its key is for TLS to say, or for whoever passes it on.
 */
import type { Core } from '../core.ts';
import type { CertificateRecord } from '../ports/certificate-records.ts';
import { type Fields, fieldsOf } from './subject.ts';

/** Whom a certificate is for: its `description` (specification §2.8). */
export type CertificateKind = 'USER' | 'ADMIN' | 'CLIENT';

/** `owner` is the DN at the time when it was signed; `entry` finds it wherever it stands now. */
export interface OwnCertificate extends Pick<CertificateRecord, 'serial' | 'owner' | 'entry'> {
  readonly kind: CertificateKind;
  /** The CN: `<domain>\<username>` of a user, the DN of an administrator. */
  readonly name: string;
  /** SHA-256 of all of it, hexadecimal, lower case. */
  readonly fingerprint: string;
}

/** `why` goes to the log, behind "the certificate"; whoever shows it learns nothing. */
export type CertificateJudgement =
  | { readonly good: true; readonly certificate: OwnCertificate }
  | { readonly good: false; readonly why: string };

const bad = (why: string): CertificateJudgement => ({ good: false, why });

/**
 * @param pem as it was shown, by anybody
 * @throws ServiceError `unavailable` if the records are
 */
export async function judgeOwnCertificate(
  pem: string,
  { authority, certificates, clock }: Pick<Core, 'authority' | 'certificates' | 'clock'>,
): Promise<CertificateJudgement> {
  const signed = authority.recognise(pem);
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
  const holder = holderOf(read.fields);
  if (!holder) return bad('says neither USER, ADMIN nor CLIENT, or names nobody');
  return {
    good: true,
    certificate: { ...holder, serial, fingerprint, owner: record.owner, entry: record.entry },
  };
}

function holderOf(fields: Fields): Pick<OwnCertificate, 'kind' | 'name'> | undefined {
  const [kind, name] = [fields.get('description'), fields.get('CN')];
  if (name === undefined || !(kind === 'USER' || kind === 'ADMIN' || kind === 'CLIENT')) return undefined;
  return { kind, name };
}
