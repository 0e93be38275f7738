/** Judges answers to challenges, by the login mode that is in force now, and certificates: logins without a password in the request. */

import { X509Certificate } from 'node:crypto';
import { isRevoked } from '../administration/pki/certificate-status.ts';
import { verifyAssertion } from '../authenticators/ceremony.ts';
import { tryCode } from '../authenticators/code-verification.ts';
import { deviceClaimKey, relyingPartyOf, usableDevices } from '../authenticators/device.ts';
import { readExisting } from '../directory/entry/entry.ts';
import { bytesOf } from '../foundation/text/value.ts';
import type { Account } from './account.ts';
import {
  type AnswerCredentials,
  type CertificateCredentials,
  noCertificate,
  wantedFactors,
} from './credentials.ts';
import type { AdmittedLogin } from './passwords.ts';
import { codeVerdict, failed, noCode, rightWithout, sourceOnly, type Verdict } from './verdict.ts';
import type { UserCertificateView } from './view.ts';

/** Judges the answer to a challenge: the assertion of a device, where one is there, else the code. */
export async function proveAnswer(answer: AnswerCredentials, admitted: AdmittedLogin): Promise<Verdict> {
  const { otp, assertion, session, challenge } = answer;
  const { account, loginContext } = admitted;
  if (otp === undefined && assertion === undefined) return noCode;
  const wanted = wantedFactors(account, loginContext);
  const isWanted = assertion === undefined ? wanted?.code : wanted?.device;
  if (!isWanted || (wanted?.password && !challenge.afterPassword))
    return failed('the login mode wants another factor by now');
  if (assertion !== undefined) return proveAssertion(assertion, answer, admitted);
  const terms = { account, afterPassword: challenge.afterPassword, concat: 0, session };
  return codeVerdict(tryCode(otp ?? '', challenge.afterPassword, admitted), terms);
}

/** Proves an assertion. A wrong one is a partial success, also after a link that stands in for the password: no text is guessed by it. */
async function proveAssertion(
  assertion: string,
  { session, challenge: { devices: challenge, afterPassword } }: AnswerCredentials,
  { account, view, known }: AdmittedLogin,
): Promise<Verdict> {
  if (challenge === undefined) return failed('no security key was asked for', { isPartialSuccess: true });
  const party = relyingPartyOf(view);
  const judged = await verifyAssertion(assertion, usableDevices(account.data), {
    ...{ challenge, party },
    claimed: (key) => known.claimed(key),
  });
  if (!judged.device)
    return failed(`${afterPassword ? 'password right, ' : ''}${judged.why}`, { isPartialSuccess: true });
  const { device, counter } = judged;
  const name = `security key ${device.slot}`;
  const of = { kind: 'FIDO2', key: deviceClaimKey(device), name, device } as const;
  const code = { kind: 'device', of, counter } as const;
  const first = afterPassword ? 'password' : undefined;
  return { ...rightWithout(account, first), code, session };
}

/**
 * Judges a certificate: the entry of the user that its subject names holds it, byte by byte, and it is within its time and not
 * revoked. The calling system has checked that the user holds its key (`otpPKILogin`).
 */
export async function proveCertificate(
  { der }: CertificateCredentials,
  account: Account,
  view: UserCertificateView,
): Promise<Verdict> {
  const why = der ? await whyNotGood(der, account, view) : noCertificate;
  return why === undefined ? rightWithout(account, 'certificate') : sourceOnly(why);
}

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
