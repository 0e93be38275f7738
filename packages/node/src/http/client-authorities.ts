/**
 * The authorities that client certificates come from, for a certificate that TLS of ours has not checked, or could not
 * trace to a root. What is asked of it is what TLS asks (RFC 5280 §6.1): an issuer among them, its signature, the time,
 * that it is for clients, and that it says nothing which we do not understand. A header brings one certificate and no
 * chain, so the issuer itself has to be among them.
 */
import { X509Certificate } from 'node:crypto';
import type { Clock } from '@watchword/core/ports';
import { type CertificateParts, readParts } from './certificate-parts.ts';

const clientAuthentication = '1.3.6.1.5.5.7.3.2';

export class ClientAuthorities {
  readonly #authorities: readonly X509Certificate[];
  readonly #clock: Clock;

  /** @param pem their certificates, one behind the other; undefined: there are none, and nobody is vouched for */
  constructor(pem: string | undefined, clock: Clock) {
    const blocks = pem?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    this.#authorities = blocks.map((block) => new X509Certificate(block)).filter(isAuthority);
    this.#clock = clock;
  }

  vouchFor(certificate: X509Certificate): boolean {
    if (!isForClients(certificate) || !this.#isCurrent(certificate)) return false;
    return this.#authorities.some(
      (authority) =>
        this.#isCurrent(authority) &&
        !authority.raw.equals(certificate.raw) && // a root vouches for itself, and is no client
        certificate.checkIssued(authority) &&
        certificate.verify(authority.publicKey),
    );
  }

  #isCurrent({ validFrom, validTo }: X509Certificate): boolean {
    const now = this.#clock.now();
    return now >= Date.parse(validFrom) && now <= Date.parse(validTo);
  }
}

/** Whether it signs for certificates is for `checkIssued`. */
function isAuthority(certificate: X509Certificate): boolean {
  const parts = readParts(certificate);
  return certificate.ca && parts !== undefined && isUnderstood(parts) && authenticatesClients(certificate);
}

function isForClients(certificate: X509Certificate): boolean {
  const parts = readParts(certificate);
  if (!parts || !isUnderstood(parts) || weakSignatures.has(parts.signatureAlgorithm)) return false;
  return authenticatesClients(certificate) && signsDigitally(parts);
}

/** `keyUsage` is what Node calls the extended one; without it a certificate is good for everything (§4.2.1.12). */
const authenticatesClients = ({ keyUsage }: X509Certificate): boolean =>
  (keyUsage as readonly string[] | undefined)?.includes(clientAuthentication) ?? true;

/** RFC 5280 §4.2, `id-ce`. */
const extension = {
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  nameConstraints: '551d1e',
  extendedKeyUsage: '551d25',
} as const;

const understood: ReadonlySet<string> = new Set([
  extension.keyUsage,
  extension.subjectAltName,
  extension.basicConstraints,
  extension.extendedKeyUsage,
]);

/** An authority for certain names only vouches for nobody: which names a certificate has we do not judge. */
function isUnderstood({ extensions }: CertificateParts): boolean {
  if (extensions.has(extension.nameConstraints)) return false;
  return [...extensions].every(([identifier, { critical }]) => !critical || understood.has(identifier));
}

/** The first bit, §4.2.1.3, behind tag, length and the count of unused bits. */
function signsDigitally({ extensions }: CertificateParts): boolean {
  const usage = extensions.get(extension.keyUsage);
  return usage === undefined || ((usage.value[3] ?? 0) & 0b1000_0000) !== 0;
}

/** RSA with MD2, MD5 and SHA-1, ECDSA and DSA with SHA-1: others may have made a certificate of the same digest. */
const weakSignatures: ReadonlySet<string | undefined> = new Set([
  '2a864886f70d010102',
  '2a864886f70d010104',
  '2a864886f70d010105',
  '2a8648ce3d0401',
  '2a8648ce380403',
]);
