/**
 * The certificate authority of an installation and the certificates that it issues, by pkijs. Each function loads pkijs on first use,
 * as it takes 4 MB of memory and most servers never need it.
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

/** Checks that the certificate of an authority can be read for signing. @throws StartError if it cannot be read */
export async function assertReadable(certificate: string): Promise<void> {
  (await import('./certificate.ts')).readCertificate(certificate);
}

/** Loads the modules that an authority signs with ahead of their first use. */
export async function loadSigning(): Promise<void> {
  await import('./signing-authority.ts');
}
