/** Maps service errors to LDAP result codes (RFC 4511 §4.1.9), for the LDAP door. */

import { isOverloaded, type Reason, type ServiceError } from '../../foundation/errors/errors.ts';
import type { LdapResult } from '../../ports/directory/served-directory.ts';

const codes: Partial<Record<Reason, LdapResult['code']>> = {
  not_found: 'noSuchObject',
  permission_denied: 'insufficientAccessRights',
  invalid_dn: 'invalidDNSyntax',
  credentials_refused: 'invalidCredentials',
  // LDAP has no code for a lockout. With 49, programs take it for a refused login, as for a locked account; the message says why.
  too_many_attempts: 'invalidCredentials',
  too_large: 'sizeLimitExceeded',
  unavailable: 'unavailable',
};

/** Returns the LDAP result for an error. @param error an error already stripped of internal details */
export const resultOf = (error: ServiceError): LdapResult => ({
  code: isOverloaded(error) ? 'busy' : (codes[error.reason] ?? 'other'),
  message: error.message,
});

/** Makes a result that is not a success. */
export const refusedWith = (code: LdapResult['code'], message?: string): LdapResult => ({ code, message });
