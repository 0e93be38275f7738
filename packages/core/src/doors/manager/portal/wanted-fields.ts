/** The fields of the sign-in form of the Admin Portal: those of `POST /admin/session`, by `admin_auth`. */
import type { PortalAuth, ServiceConfig } from '../../../config/config.ts';
import type { Domains } from '../../../directory/domain.ts';
import type { AdministratorDoor } from '../identity/door.ts';

export interface WantedFields {
  readonly mode: PortalAuth;
  /** The fields in their order. The domain is last: after the name people expect the password. */
  readonly fields: readonly ('username' | 'password' | 'otp' | 'domain')[];
}

export function wantedFields({
  config: { admin_auth: mode },
  domains,
  door: { auth },
}: {
  readonly config: Pick<ServiceConfig, 'admin_auth'>;
  readonly domains: Pick<Domains, 'all'>;
  readonly door: Pick<AdministratorDoor, 'auth'>;
}): WantedFields {
  const isCoded = mode === 'OTP' || mode === 'MFA';
  const isDomainOpen = auth === 'UID' && domains.all.length > 1;
  return {
    mode,
    fields: [
      ...(auth === 'PKI' ? [] : (['username'] as const)),
      'password',
      ...(isCoded ? (['otp'] as const) : []),
      ...(isDomainOpen ? (['domain'] as const) : []),
    ],
  };
}
