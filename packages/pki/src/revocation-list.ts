/** The list of revoked certificates, RFC 5280 §5. */

import { ServiceError } from '@watchword/core/foundation';
import type { Revocation, RevocationList } from '@watchword/core/ports';
import { Integer } from 'asn1js';
import { type Certificate, CertificateRevocationList, Extensions, RevokedCertificate } from 'pkijs';
import { leewayMilliseconds, timeAt } from './certificate.ts';
import { authorityKeyIdentifier, revocationListNumber } from './extensions.ts';
import { signWith } from './signature.ts';

/** The validity of a list: a client with an older one may miss a revocation. */
const dayMilliseconds = 86_400_000;

/** A list serves for this long, if nothing else is revoked: nobody gets one that is nearly over. */
const servesMilliseconds = 3_600_000;

export interface Issuer {
  readonly certificate: Certificate;
  readonly key: CryptoKey;
}

/**
 * Lists as they are asked for, by anybody and without a login: signed again only when what the records say has changed,
 * by a revocation on another node as well, or when the last one has served its time.
 */
export function revocationLists(
  issuer: Issuer,
): (revoked: readonly Revocation[], now: number) => Promise<Uint8Array> {
  let last: { says: string; signed: number; list: Promise<Uint8Array> } | undefined;
  return (revoked, now) => {
    const says = JSON.stringify(revoked.map(({ serial, revoked: at }) => [serial, at]));
    const serves = last?.says === says && now >= last.signed && now < last.signed + servesMilliseconds;
    if (!last || !serves) last = { says, signed: now, list: signList(revoked, issuer, now) };
    return last.list;
  };
}

/** @param now milliseconds since 1970; the number of the list as well, so that a later one has a higher number */
async function signList(
  revoked: readonly Revocation[],
  { certificate, key }: Issuer,
  now: number,
): Promise<Uint8Array> {
  const list = new CertificateRevocationList({ version: 1 }); // 1 is v2
  list.issuer = certificate.subject;
  list.thisUpdate = timeAt(now - leewayMilliseconds);
  list.nextUpdate = timeAt(now + dayMilliseconds);
  if (revoked.length > 0) list.revokedCertificates = revoked.map(entryOf); // never an empty list, §5.1.2.6
  list.crlExtensions = new Extensions({
    extensions: [authorityKeyIdentifier(certificate), revocationListNumber(BigInt(Math.trunc(now)))],
  });
  await signWith(key, list);
  return new Uint8Array(list.toSchema(true).toBER());
}

const entryOf = ({ serial, revoked }: Revocation): RevokedCertificate =>
  new RevokedCertificate({
    userCertificate: new Integer({ valueHex: Uint8Array.from(Buffer.from(serial, 'hex')).buffer }),
    revocationDate: timeAt(revoked),
  });

/** @throws ServiceError `invalid_params` */
export async function readList(bytes: Uint8Array, { certificate }: Issuer): Promise<RevocationList> {
  const list = parseList(bytes);
  if (!(await isSignedBy(certificate, list)))
    throw new ServiceError('invalid_params', {
      detail: 'it is not signed by the certificate authority of this installation',
    });
  const revoked = (list.revokedCertificates ?? []).map(({ userCertificate, revocationDate }) => ({
    // DER puts an octet of zeros before a number whose first bit is set.
    serial: Buffer.from(userCertificate.valueBlock.valueHexView)
      .toString('hex')
      .replace(/^00(?=.)/, ''),
    revoked: revocationDate.value.getTime(),
  }));
  return { revoked, signed: list.thisUpdate.value.getTime() + leewayMilliseconds };
}

/** DER, or PEM as openssl writes it. */
function parseList(bytes: Uint8Array): CertificateRevocationList {
  const [, pem] =
    /-----BEGIN X509 CRL-----([^-]+)-----END X509 CRL-----/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  try {
    return CertificateRevocationList.fromBER(
      pem === undefined ? Buffer.from(bytes) : Buffer.from(pem, 'base64'),
    );
  } catch (cause) {
    throw new ServiceError('invalid_params', { detail: 'it is not a certificate revocation list', cause });
  }
}

async function isSignedBy(issuerCertificate: Certificate, list: CertificateRevocationList): Promise<boolean> {
  try {
    return await list.verify({ issuerCertificate });
  } catch {
    return false; // a kind of signature that nothing here makes
  }
}
