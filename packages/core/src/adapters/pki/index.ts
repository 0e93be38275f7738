/** Certificates by pkijs: an authority of our own and the certificates that it issues. */

export { createAuthority, issueServerCertificate, type ServerNames } from './authority.ts';
export type { CertifiedKey } from './certificate.ts';
export { encryptFor } from './encryption.ts';
export type { KeyType } from './keys.ts';
export { openAuthority } from './open-authority.ts';
