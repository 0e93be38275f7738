/**
 * The certificate authority of an installation and the certificates that it issues, by pkijs. Each function loads pkijs on first use,
 * as it takes 4 MB of memory and most servers never need it.
 */
import type * as authority from './authority.ts';
import type * as encryption from './encryption.ts';

export type { ServerNames } from './authority.ts';
export type { CertifiedKey, KeyType } from './keys.ts';
export { openAuthority } from './open-authority.ts';

/**
 * Creates an authority: a self-signed certificate that may issue certificates, but no further authorities.
 * @param authority its name, its validity in days, and the kind of its key; `P-256` if left out
 * @param ports the clock and the random numbers
 * @returns certificate and key, PEM
 * @see RFC 5280 §4.2.1.9
 * @see docs/concepts/factors-and-login-modes.md#certificate
 * @example
 * ```ts
 * import { systemClock, systemRandom } from '@watchword/node';
 * import { createAuthority } from '@watchword/pki';
 *
 * const ports = { clock: systemClock, random: systemRandom };
 * const { certificate } = await createAuthority({ commonName: 'Example CA', days: 3650 }, ports);
 * console.log(certificate.startsWith('-----BEGIN CERTIFICATE-----')); // true
 * ```
 */
export const createAuthority: typeof authority.createAuthority = async (...given) =>
  (await import('./authority.ts')).createAuthority(...given);

/**
 * Issues a server certificate under a new key; clients trust the authority's certificate.
 * @param authority certificate and key of the authority, PEM
 * @param names DNS names, of which the first becomes the common name, IP addresses, and the validity in days
 * @param ports the clock and the random numbers
 * @returns certificate and key, PEM
 * @throws StartError if the authority's certificate and key do not belong together or cannot be read
 * @see RFC 5280 §4.2.1.6
 * @example
 * ```ts
 * import { X509Certificate } from 'node:crypto';
 * import { systemClock, systemRandom } from '@watchword/node';
 * import { createAuthority, issueServerCertificate } from '@watchword/pki';
 *
 * const ports = { clock: systemClock, random: systemRandom };
 * const authority = await createAuthority({ commonName: 'Example CA', days: 30 }, ports);
 * const names = { names: ['login.example.org'], addresses: [], days: 7 };
 * const { certificate } = await issueServerCertificate(authority, names, ports);
 * console.log(new X509Certificate(certificate).checkHost('login.example.org')); // login.example.org
 * ```
 */
export const issueServerCertificate: typeof authority.issueServerCertificate = async (...given) =>
  (await import('./authority.ts')).issueServerCertificate(...given);

/**
 * Encrypts a content for the key of a certificate, as S/MIME mails have it: AES-256 in CBC mode.
 * @param certificate DER
 * @param content the bytes to encrypt
 * @param padding `pkcs1`, which every mail program reads, or `oaep`; for RSA keys
 * @returns a ContentInfo with EnvelopedData, DER
 * @throws ServiceError `invalid_params` where nothing can be encrypted for the key
 * @see RFC 5652 §6, RFC 8551
 * @example
 * ```ts
 * import { X509Certificate } from 'node:crypto';
 * import { systemClock, systemRandom } from '@watchword/node';
 * import { createAuthority, encryptFor } from '@watchword/pki';
 *
 * const ports = { clock: systemClock, random: systemRandom };
 * const authority = await createAuthority({ commonName: 'Example CA', days: 30 }, ports);
 * const { raw } = new X509Certificate(authority.certificate);
 * console.log((await encryptFor(raw, Buffer.from('a secret'))).length > 100); // true
 * ```
 */
export const encryptFor: typeof encryption.encryptFor = async (...given) =>
  (await import('./encryption.ts')).encryptFor(...given);

/** Checks that the certificate of an authority can be read for signing. @throws StartError if it cannot be read */
export async function assertReadable(certificate: string): Promise<void> {
  (await import('./certificate.ts')).readCertificate(certificate);
}

/** Loads the modules that an authority signs with ahead of their first use. */
export async function loadSigning(): Promise<void> {
  await import('./signing-authority.ts');
}
