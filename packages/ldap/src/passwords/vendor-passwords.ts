/** How a kind of server takes passwords: what of adding and modifying depends on it. */

import type { Attributes, Dn } from '@watchword/core/foundation';
import type { Change, Log, PasswordChange } from '@watchword/core/ports';
import type { Pool } from '../connection/pool.ts';
import type { Dialect } from '../dialect.ts';

/** All of them throw ServiceErrors; each happens as a whole or not at all, as far as the protocol allows. */
export interface VendorPasswords {
  add(dn: Dn, attributes: Attributes): Promise<void>;
  modify(dn: Dn, changes: readonly Change[]): Promise<void>;
  set(dn: Dn, password: string, mustChange: boolean): Promise<void>;
  /** Judges whether the identity may set the password of an entry, and sets none. @throws ServiceError `permission_denied` */
  assertSettable(dn: Dn): Promise<void>;
  /** By the user itself, who is bound. */
  change(dn: Dn, passwords: PasswordChange): Promise<void>;
}

export interface VendorContext {
  readonly pool: Pool;
  readonly dialect: Dialect;
  /** Whether what is sent is encrypted on its way. */
  readonly encrypted: boolean;
  readonly log: Log;
}
