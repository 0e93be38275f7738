/** What a page asks of whoever wants to sign in: the fields of `POST /admin/session`, by `admin_auth`. */
import type { PortalAuth, ServiceConfig } from '../../config/config.ts';
import type { AdministratorDoor } from '../identity/door.ts';

export interface WantedFields {
  readonly mode: PortalAuth;
  readonly fields: readonly ('username' | 'domain' | 'password' | 'otp')[];
}

export function wantedFields({
  config: { admin_auth: mode },
  door: { auth },
}: {
  readonly config: Pick<ServiceConfig, 'admin_auth'>;
  readonly door: Pick<AdministratorDoor, 'auth'>;
}): WantedFields {
  const named = { PKI: [], DN: ['username'], UID: ['username', 'domain'] } as const;
  const isCoded = mode === 'OTP' || mode === 'MFA';
  return { mode, fields: [...named[auth], 'password', ...(isCoded ? (['otp'] as const) : [])] };
}
