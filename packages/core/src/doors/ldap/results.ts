/** Errors of ours as results of LDAP. */

import { isTurnedAway, type Reason, type ServiceError } from '../../foundation/errors/errors.ts';
import type { LdapResult } from '../../ports/directory/served-directory.ts';

const codes: Partial<Record<Reason, LdapResult['code']>> = {
  not_found: 'noSuchObject',
  permission_denied: 'insufficientAccessRights',
  invalid_dn: 'invalidDNSyntax',
  credentials_refused: 'invalidCredentials',
  too_many_attempts: 'invalidCredentials',
  too_large: 'sizeLimitExceeded',
  unavailable: 'unavailable',
};

/** @param error without what callers must not see */
export const resultOf = (error: ServiceError): LdapResult => ({
  code: isTurnedAway(error) ? 'busy' : (codes[error.reason] ?? 'other'),
  message: error.message,
});

export const refusedWith = (code: LdapResult['code'], message?: string): LdapResult => ({ code, message });
