import type { Attributes, Dn } from '@watchword/core/foundation';
import type { Change, Log, PasswordChange } from '@watchword/core/ports';
import type { Pool } from '../connection/pool.ts';
import type { Dialect } from '../dialect.ts';

/** Updates with passwords on a kind of server. All throw ServiceErrors, and are atomic as far as the protocol allows. */
export interface VendorPasswords {
  add(dn: Dn, attributes: Attributes): Promise<void>;
  modify(dn: Dn, changes: readonly Change[]): Promise<void>;
  set(dn: Dn, password: string, mustChange: boolean): Promise<void>;
  /** Checks that the identity may set the password of an entry. @throws ServiceError `permission_denied` */
  assertSettable(dn: Dn): Promise<void>;
  /** Changes the password of the bound user. */
  change(dn: Dn, passwords: PasswordChange): Promise<void>;
}

export interface VendorContext {
  readonly pool: Pool;
  readonly dialect: Dialect;
  readonly encrypted: boolean;
  readonly log: Log;
}
