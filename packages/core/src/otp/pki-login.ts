/**
 * Login with a certificate (webservices.md §4, otpPKILogin): the calling system has checked that the user holds its
 * key, we say whose it is. A certificate is known if it stands on the entry of the user that its subject names.
 */
import { X509Certificate } from 'node:crypto';
import { certificateOf } from '../directory/certificate.ts';
import { readExisting } from '../directory/entry.ts';
import { decoyUser } from '../directory/user.ts';
import { bytesOf } from '../directory/value.ts';
import { isReason, ServiceError } from '../errors.ts';
import type { View } from '../method.ts';
import type { OperationCall } from '../operation.ts';
import { isRevoked } from '../pki/signing.ts';
import { read } from '../setting.ts';
import { type Account, type Found, findAccount } from './account.ts';
import { judgeAttempt, refused, type Verdict } from './attempt.ts';
import type { LoginOutcome, LoginRequest } from './login-request.ts';
import { otpSettings } from './settings.ts';
import { receiveVisit, type Visit } from './visit.ts';

export interface CertificateLogin extends Pick<LoginRequest, 'client' | 'source' | 'settings' | 'options'> {
  /** PEM. */
  readonly certificate?: string | undefined;
}

/** Who it is, where it is granted. */
export interface CertificateOutcome {
  readonly outcome: LoginOutcome;
  readonly username: string;
  readonly domain: string;
}

/** @throws ServiceError `invalid_params` if there is no certificate; `unavailable` */
export async function loginWithCertificate(
  { certificate, ...request }: CertificateLogin,
  call: OperationCall,
): Promise<CertificateOutcome> {
  const begun = call.core.clock.now();
  if (certificate === undefined)
    throw new ServiceError('invalid_params', { detail: 'Missing parameter certificate' });
  const der = readCertificate(certificate);
  const subject = der ? subjectOf(new X509Certificate(der)) : { username: 'nobody' };
  const visit = receiveVisit({ ...request, ...subject }, call);
  const view: View = { core: call.core, directory: call.core.directory.service };
  const found = der ? await findAccount(visit, view) : nobody(visit);
  const outcome = await judgeAttempt(
    { visit, found, call, begun },
    {
      judge: async (account) => (der ? judgeCertificate(der, account, view) : refused(noCertificate)),
      judgeAbsent: async ({ why }) => refused(why, 'address', 'user'),
    },
  );
  return { outcome, username: visit.named.name, domain: visit.named.domain?.name ?? '' };
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

const noCertificate = 'the text is no certificate';

const nobody = ({ named, preset }: Visit): Found => ({
  dn: decoyUser(preset.base, named.name),
  why: noCertificate,
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

/** On the entry, byte by byte, and within its time. */
async function judgeCertificate(
  der: Uint8Array,
  { dn, settings }: Account,
  { core, directory }: View,
): Promise<Verdict> {
  const { certificate_attributes } = core.config.schema;
  const entry = await readExisting(directory, dn, certificate_attributes);
  const known = certificate_attributes.flatMap((name) => entry.attributes.get(name.toLowerCase()) ?? []);
  if (!known.some((value) => Buffer.from(bytesOf(value)).equals(der)))
    return refused('the certificate is not the user’s', 'address');
  const certificate = new X509Certificate(der);
  if (await isRevoked(certificate, core)) return refused('the certificate is revoked', 'address');
  const { validFrom, validTo } = certificate;
  const now = core.clock.now();
  if (!(now >= Date.parse(validFrom) && now <= Date.parse(validTo)))
    return refused('the certificate is out of time', 'address');
  const outcome: LoginOutcome = {
    kind: 'granted',
    data: read(settings, otpSettings.ReplyData) ?? '',
    concat: 0,
  };
  return { outcome, blamed: [], text: 'granted by certificate' };
}
