/**
 * Authorities of client certificates, for certificates that our TLS has not checked, or without a root. The checks are those of TLS (RFC 5280
 * §6.1): issuer, signature, validity, purpose and critical extensions. A header contains no chain, so the issuer itself must be listed.
 */
import { X509Certificate } from 'node:crypto';
import type { Clock } from '@watchword/core/ports';
import { type CertificateParts, readParts } from './certificate-parts.ts';

const clientAuthentication = '1.3.6.1.5.5.7.3.2';

export class ClientAuthorities {
  readonly #authorities: readonly X509Certificate[];
  readonly #clock: Clock;

  /** @param pem concatenated certificates; undefined: no certificate is trusted */
  constructor(pem: string | undefined, clock: Clock) {
    const blocks = pem?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    this.#authorities = blocks.map((block) => new X509Certificate(block)).filter(isAuthority);
    this.#clock = clock;
  }

  trusts(certificate: X509Certificate): boolean {
    if (!isForClients(certificate) || !this.#isCurrent(certificate)) return false;
    return this.#authorities.some(
      (authority) =>
        this.#isCurrent(authority) &&
        !authority.raw.equals(certificate.raw) && // a root is issued by itself, and is no client
        certificate.checkIssued(authority) &&
        certificate.verify(authority.publicKey),
    );
  }

  #isCurrent({ validFrom, validTo }: X509Certificate): boolean {
    const now = this.#clock.now();
    return now >= Date.parse(validFrom) && now <= Date.parse(validTo);
  }
}

/** Returns whether a certificate is an authority; `checkIssued` checks its key usage. */
function isAuthority(certificate: X509Certificate): boolean {
  const parts = readParts(certificate);
  return (
    certificate.ca && parts !== undefined && hasKnownExtensions(parts) && authenticatesClients(certificate)
  );
}

function isForClients(certificate: X509Certificate): boolean {
  const parts = readParts(certificate);
  if (!parts || !hasKnownExtensions(parts) || weakSignatures.has(parts.signatureAlgorithm)) return false;
  return authenticatesClients(certificate) && signsDigitally(parts);
}

/** Returns whether the extended key usage, Node's `keyUsage`, allows clients; without it all purposes are allowed (§4.2.1.12). */
const authenticatesClients = ({ keyUsage }: X509Certificate): boolean =>
  (keyUsage as readonly string[] | undefined)?.includes(clientAuthentication) ?? true;

/** OIDs of extensions, RFC 5280 §4.2, `id-ce`. */
const extension = {
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  nameConstraints: '551d1e',
  extendedKeyUsage: '551d25',
} as const;

const knownExtensions: ReadonlySet<string> = new Set([
  extension.keyUsage,
  extension.subjectAltName,
  extension.basicConstraints,
  extension.extendedKeyUsage,
]);

/** Returns whether all critical extensions are known. Name constraints are refused, as names are not checked here. */
function hasKnownExtensions({ extensions }: CertificateParts): boolean {
  if (extensions.has(extension.nameConstraints)) return false;
  return [...extensions].every(([identifier, { critical }]) => !critical || knownExtensions.has(identifier));
}

/** Returns whether the first bit of the key usage is set (§4.2.1.3), after tag, length and count of unused bits. */
function signsDigitally({ extensions }: CertificateParts): boolean {
  const usage = extensions.get(extension.keyUsage);
  return usage === undefined || ((usage.value[3] ?? 0) & 0b1000_0000) !== 0;
}

/** RSA with MD2, MD5 and SHA-1, ECDSA and DSA with SHA-1, whose digests collide. */
const weakSignatures: ReadonlySet<string | undefined> = new Set([
  '2a864886f70d010102',
  '2a864886f70d010104',
  '2a864886f70d010105',
  '2a8648ce3d0401',
  '2a8648ce380403',
]);
