/** The list of revoked certificates, RFC 5280 §5. */
import { Integer } from 'asn1js';
import { type Certificate, CertificateRevocationList, Extensions, RevokedCertificate } from 'pkijs';
import type { Revocation } from '../../ports/authority.ts';
import { leewayMilliseconds, timeAt } from './certificate.ts';
import { authorityKeyIdentifier, revocationListNumber } from './extensions.ts';

/** Who keeps a list for longer than a day does not hear of a revocation. */
const dayMilliseconds = 86_400_000;

export interface Issuer {
  readonly certificate: Certificate;
  readonly key: CryptoKey;
}

/** @param now milliseconds since 1970; the number of the list as well, so that a later one has a higher number */
export async function signList(
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
  await list.sign(key, 'SHA-256');
  return new Uint8Array(list.toSchema(true).toBER());
}

const entryOf = ({ serial, revoked }: Revocation): RevokedCertificate =>
  new RevokedCertificate({
    userCertificate: new Integer({ valueHex: Uint8Array.from(Buffer.from(serial, 'hex')).buffer }),
    revocationDate: timeAt(revoked),
  });
