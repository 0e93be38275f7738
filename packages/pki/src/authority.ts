/**
 * Makes a certificate authority, or reads an existing one, and issues server certificates from it, PEM in and out. The default is ECDSA
 * P-256 with SHA-256, which TLS clients of the last ten years support. Profile: RFC 5280 §4.
 */
import { certify, commonName, type IssuePorts, newKeys, pemOfKey, readCertificate } from './certificate.ts';
import {
  authorityConstraints,
  authorityKeyIdentifier,
  authorityKeyUsage,
  serverAuthentication,
  serverKeyUsage,
  subjectAltName,
  subjectKeyIdentifier,
} from './extensions.ts';
import { authorityKey, type CertifiedKey, type KeyType } from './keys.ts';

/** The names of a server certificate. */
export interface ServerNames {
  /** DNS names; the first becomes the common name. */
  readonly names: readonly string[];
  /** IPv4 and IPv6 addresses. */
  readonly addresses: readonly string[];
  /** The validity in days. */
  readonly days: number;
}

/** A new authority: a self-signed certificate that may issue certificates, but no further authorities. */
export async function createAuthority(
  authority: { readonly commonName: string; readonly days: number; readonly keyType?: KeyType },
  ports: IssuePorts,
): Promise<CertifiedKey> {
  const { publicKey, privateKey } = await newKeys(authority.keyType);
  const certificate = await certify(
    {
      subject: commonName(authority.commonName),
      days: authority.days,
      publicKey,
      signWith: privateKey,
      extensions: [authorityConstraints(), authorityKeyUsage(), subjectKeyIdentifier(publicKey)],
    },
    ports,
  );
  return { certificate: certificate.toString(), key: pemOfKey(privateKey) };
}

/**
 * Issues a server certificate under a new key; clients trust the authority's certificate.
 * @throws StartError if the authority's certificate and key do not belong together or cannot be read
 */
export async function issueServerCertificate(
  authority: CertifiedKey,
  { names, addresses, days }: ServerNames,
  ports: IssuePorts,
): Promise<CertifiedKey> {
  const issuer = readCertificate(authority.certificate);
  const { publicKey, privateKey } = await newKeys();
  const certificate = await certify(
    {
      subject: commonName(names[0] ?? addresses[0] ?? 'server'),
      days,
      publicKey,
      signWith: await authorityKey(authority),
      issuer,
      extensions: [
        serverKeyUsage(),
        serverAuthentication(),
        subjectAltName(names, addresses),
        subjectKeyIdentifier(publicKey),
        authorityKeyIdentifier(issuer),
      ],
    },
    ports,
  );
  return { certificate: certificate.toString(), key: pemOfKey(privateKey) };
}
