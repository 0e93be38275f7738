/**
 * Login with a certificate (webservices.md §4, otpPKILogin): the calling system has checked that the user holds its
 * key, we say whose it is. A certificate is known if it stands on the entry of the user that its subject names.
 */

import { X509Certificate } from 'node:crypto';
import { certificateOf } from '../../directory/entry/certificate.ts';
import { decoyUser } from '../../directory/entry/user.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { type Found, findAccount } from '../account/account.ts';
import { refusalRules } from '../account/refusal-rules.ts';
import type { LoginRequest } from '../login-request.ts';
import { noCertificate } from '../proof/certificate-proof.ts';
import type { LoginCall, LoginView } from '../view.ts';
import type { LoginAttempt } from './evidence.ts';
import { readVisit, tellIgnored, type Visit } from './login-visit.ts';

export interface CertificateLogin extends Pick<LoginRequest, 'client' | 'source' | 'settings' | 'options'> {
  /** PEM. */
  readonly certificate?: string | undefined;
}

/** @throws ServiceError `invalid_params` if there is no certificate; `unavailable` */
export async function attemptWithCertificate(
  { certificate, ...request }: CertificateLogin,
  call: LoginCall,
): Promise<LoginAttempt> {
  const begun = call.clock.now();
  if (certificate === undefined)
    throw new ServiceError('invalid_params', { detail: 'Missing parameter certificate' });
  const der = readCertificate(certificate);
  const subject = der ? subjectOf(new X509Certificate(der)) : { username: 'nobody' };
  const visit = readVisit({ ...request, ...subject }, call);
  const found = der ? await findAccount(visit, call) : nobody(visit, call);
  tellIgnored(visit, found, call);
  return { visit, found, evidence: { kind: 'certificate', der }, begun };
}

/** Undefined: it is no certificate, which is as unknown as one that is (catalogue.md §7, 6). */
function readCertificate(text: string): Uint8Array | undefined {
  try {
    return certificateOf(text, 'certificate');
  } catch (error) {
    if (isReason(error, 'invalid_params')) return undefined;
    throw error;
  }
}

const nobody = ({ named, preset }: Visit, core: Pick<LoginView, 'presets'>): Found => ({
  dn: decoyUser(preset.base, named.short ?? named.name),
  isNobody: true,
  why: noCertificate,
  rules: refusalRules(core.presets),
});

/**
 * Specification §2.8: CN is `<domain>\<username>`, UID and DC say the same. Who is named twice, or by a part that is
 * missing, is nobody; an administrator's certificate names a DN, which is no login name of anybody.
 */
function subjectOf(certificate: X509Certificate): { username: string; domain?: string } {
  const { CN, UID, DC } = certificate.toLegacyObject().subject as Readonly<Record<string, unknown>>;
  if (typeof UID === 'string' && typeof DC === 'string' && CN === `${DC}\\${UID}`)
    return { username: UID, domain: DC };
  return { username: typeof CN === 'string' && CN !== '' ? `no certificate of a user: ${CN}` : 'nobody' };
}
