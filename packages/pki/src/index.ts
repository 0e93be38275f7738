/**
 * Certificates by pkijs: an authority of our own and the certificates that it issues. pkijs, 4 MB in memory, is loaded with the
 * first of them: most servers rest without it.
 */
import type * as authority from './authority.ts';
import type * as encryption from './encryption.ts';

export type { ServerNames } from './authority.ts';
export type { CertifiedKey, KeyType } from './keys.ts';
export { openAuthority } from './open-authority.ts';

export const createAuthority: typeof authority.createAuthority = async (...given) =>
  (await import('./authority.ts')).createAuthority(...given);

export const issueServerCertificate: typeof authority.issueServerCertificate = async (...given) =>
  (await import('./authority.ts')).issueServerCertificate(...given);

export const encryptFor: typeof encryption.encryptFor = async (...given) =>
  (await import('./encryption.ts')).encryptFor(...given);

/** Has the certificate of an authority read by what signs with it. @throws StartError if it cannot be read */
export async function assertReadable(certificate: string): Promise<void> {
  (await import('./certificate.ts')).readCertificate(certificate);
}

/** Loads what an authority signs and reads with, where it is wanted soon. */
export async function loadSigning(): Promise<void> {
  await import('./signing-authority.ts');
}
