/**
 * Signatures over content: CMS SignedData (RFC 5652), which openssl verifies, or PDF (PAdES). The key exists for one signature only. Its
 * certificate, of this authority, names the signer.
 */
import type { CertificateAuthority, SignatureForm, SubjectField } from '../../ports/authority.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CertificateOwner, CertificateRecords } from '../../ports/store/certificate-records.ts';
import { statusAddresses } from './status-addresses.ts';
import { subjectText } from './subject.ts';

export interface ContentSigningView {
  readonly authority: Pick<CertificateAuthority, 'sign'>;
  readonly certificates: Pick<CertificateRecords, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly config: { readonly manager_url: string };
}

export interface Signatory {
  readonly subject: readonly SubjectField[];
  /** The form of the signature. */
  readonly form: SignatureForm;
  readonly owner: CertificateOwner;
}

export interface SignedFile {
  /** DER of a ContentInfo; or the PDF. */
  readonly file: Uint8Array;
  /** DER. */
  readonly certificate: Uint8Array;
}

/** The validity in days. */
const validity = 365;

/** The certificate is on record before anybody has the signature. @throws ServiceError `unavailable` */
export async function signContent(
  content: Uint8Array,
  { subject, form, owner }: Signatory,
  { authority, certificates, clock, config }: ContentSigningView,
): Promise<SignedFile> {
  const terms = { subject, form, days: validity, ...statusAddresses(config.manager_url) };
  const { signed, der, serial, notAfter } = await authority.sign(content, terms);
  await certificates.add({ serial, subject: subjectText(subject), notAfter, issued: clock.now(), ...owner });
  return { file: signed, certificate: der };
}
