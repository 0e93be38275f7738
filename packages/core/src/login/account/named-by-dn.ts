/** A login that names its user by a DN. */
import type { Domains } from '../../directory/domain.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { LoginRequest } from '../login-request.ts';

/** In the default domain where that holds the entry, else in the narrowest that does. @throws ServiceError `invalid_dn` */
export function byDn(
  name: string,
  { domains }: { readonly domains: Domains },
): Pick<LoginRequest, 'username' | 'domain'> & { readonly options?: 'LDAPDN' } {
  const holding = domains.containing(Dn.parse(name));
  const [narrowest] = holding.toSorted((a, b) => b.base.rdns.length - a.base.rdns.length);
  const domain = narrowest && !holding.includes(domains.preset) ? narrowest.name : undefined;
  return { username: name, options: 'LDAPDN', ...(domain !== undefined && { domain }) };
}
