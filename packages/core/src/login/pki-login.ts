/**
 * Login with a certificate (webservices.md §4, otpPKILogin): the calling system has checked that the user holds its
 * key, we say whose it is. A certificate is known if it stands on the entry of the user that its subject names.
 */

import { X509Certificate } from 'node:crypto';
import { certificateOf } from '../directory/entry/certificate.ts';
import { readExisting } from '../directory/entry/entry.ts';
import { decoyUser } from '../directory/entry/user.ts';
import { isReason, ServiceError } from '../errors/errors.ts';
import { tooManyHalfRight } from '../limits/kept/together.ts';
import { isRevoked } from '../pki/signing.ts';
import type { CertificateRecords } from '../ports/certificate-records.ts';
import type { Dialect } from '../table/dialect.ts';
import { read } from '../table/setting.ts';
import { bytesOf } from '../text/value.ts';
import { type Account, type Found, findAccount, refusalRules } from './account/account.ts';
import { nameOf } from './account/account-name.ts';
import { judgeAttempt } from './attempt.ts';
import type { LoginOutcome, LoginRequest } from './login-request.ts';
import { readVisit, tellIgnored, type Visit } from './login-visit.ts';
import { loginSettings } from './settings.ts';
import { refused, type Verdict } from './verdict.ts';
import type { LoginCall, LoginView } from './view.ts';

export interface CertificateLogin extends Pick<LoginRequest, 'client' | 'source' | 'settings' | 'options'> {
  /** PEM. */
  readonly certificate?: string | undefined;
}

/** What the certificate of a user is judged with. */
interface CertificateView extends Pick<LoginView, 'directory' | 'config' | 'clock'> {
  readonly certificates: Pick<CertificateRecords, 'find'>;
}

export interface CertificateCall extends LoginCall {
  readonly certificates: Pick<CertificateRecords, 'find'>;
  readonly dialect: Pick<Dialect, 'answersOurs'>;
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
  call: CertificateCall,
): Promise<CertificateOutcome> {
  const begun = call.clock.now();
  if (certificate === undefined)
    throw new ServiceError('invalid_params', { detail: 'Missing parameter certificate' });
  const der = readCertificate(certificate);
  const subject = der ? subjectOf(new X509Certificate(der)) : { username: 'nobody' };
  const visit = readVisit({ ...request, ...subject }, call);
  const found = der ? await findAccount(visit, call) : nobody(visit, call);
  tellIgnored(visit, found, call);
  const outcome = await judgeAttempt(
    // It guesses nothing, so it counts as complete under a refusal (concepts.md §7, 5).
    { visit, found, call, begun, alone: { password: false, codes: [] }, together: 'both' },
    {
      judge: async (account, { isInVain }) => {
        if (isInVain) return notGood(tooManyHalfRight);
        return der ? judgeCertificate(der, account, call) : notGood(noCertificate);
      },
      judgeAbsent: async ({ why }) => notGood(why),
    },
  );
  const asNamed = { username: visit.named.name, domain: visit.named.domain?.name ?? '' };
  // As its certificate spells it, as servers in the field answer it.
  const isCanonical = found.account && call.dialect.answersOurs;
  return { outcome, ...(isCanonical ? nameOf(found.account) : asNamed) };
}

/** It costs the place it comes from, and nobody else: whoever shows a certificate guesses nothing. */
const notGood = (why: string): Verdict => refused(why, { costsPlaceOnly: true });

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

const nobody = ({ named, preset }: Visit, core: Pick<LoginView, 'presets'>): Found => ({
  dn: decoyUser(preset.base, named.name),
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

/** On the entry, byte by byte, and within its time. */
async function judgeCertificate(
  der: Uint8Array,
  { dn, settings }: Account,
  view: CertificateView,
): Promise<Verdict> {
  const { certificate_attributes } = view.config.schema;
  const entry = await readExisting(view.directory, dn, certificate_attributes);
  const known = certificate_attributes.flatMap((name) => entry.attributes.get(name.toLowerCase()) ?? []);
  if (!known.some((value) => Buffer.from(bytesOf(value)).equals(der)))
    return notGood('the certificate is not the user’s');
  const certificate = new X509Certificate(der);
  if (await isRevoked(certificate, view)) return notGood('the certificate is revoked');
  const { validFrom, validTo } = certificate;
  const now = view.clock.now();
  if (!(now >= Date.parse(validFrom) && now <= Date.parse(validTo)))
    return notGood('the certificate is out of time');
  const outcome: LoginOutcome = {
    kind: 'granted',
    data: read(settings, loginSettings.ReplyData) ?? '',
    concat: 0,
  };
  return { outcome, counts: { end: 'granted' }, text: 'granted by certificate' };
}
