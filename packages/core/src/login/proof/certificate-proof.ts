/**
 * What a certificate proves: it stands on the entry of the user that its subject names, byte by byte, is within its time
 * and not revoked. That whoever shows it holds its key, the calling system has checked (webservices.md §4, otpPKILogin).
 */
import { X509Certificate } from 'node:crypto';
import { isRevoked } from '../../administration/pki/certificate-status.ts';
import { readExisting } from '../../directory/entry/entry.ts';
import { bytesOf } from '../../foundation/text/value.ts';
import { tooManyHalfRight } from '../../limits/admission-rules.ts';
import type { Account } from '../account.ts';
import type { CertificateCredentials } from '../credentials.ts';
import type { UserCertificateView } from '../view.ts';
import type { AdmittedLogin } from './passwords.ts';
import { type Failed, failed, type LoginProof } from './proof.ts';

/** For the log. */
export const noCertificate = 'the text is no certificate';

export async function proveCertificate(
  { der }: CertificateCredentials,
  { account, admission }: Pick<AdmittedLogin, 'account' | 'admission'>,
  view: UserCertificateView,
): Promise<LoginProof> {
  if (admission.isInVain) return notGood(tooManyHalfRight);
  const why = der ? await whyNotGood(der, account, view) : noCertificate;
  if (why !== undefined) return notGood(why);
  return { kind: 'right', account, first: 'certificate', concat: 0, passedOn: 0, otherwise: {} };
}

/** It costs the place it comes from, and nobody else: whoever shows a certificate guesses nothing. */
export const notGood = (why: string): Failed => failed(why, { costsPlaceOnly: true });

async function whyNotGood(
  der: Uint8Array,
  { dn }: Account,
  view: UserCertificateView,
): Promise<string | undefined> {
  const { certificate_attributes } = view.config.schema;
  const entry = await readExisting(view.directory, dn, certificate_attributes);
  const known = certificate_attributes.flatMap((name) => entry.attributes.get(name.toLowerCase()) ?? []);
  if (!known.some((value) => Buffer.from(bytesOf(value)).equals(der)))
    return 'the certificate is not the user’s';
  const certificate = new X509Certificate(der);
  if (await isRevoked(certificate, view)) return 'the certificate is revoked';
  const { validFrom, validTo } = certificate;
  const now = view.clock.now();
  const isInTime = now >= Date.parse(validFrom) && now <= Date.parse(validTo);
  return isInTime ? undefined : 'the certificate is out of time';
}
