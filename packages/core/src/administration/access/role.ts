/** A role or option set of the configuration, parsed. */
import type { RoleConfig, RoleInterface } from '../../config/config.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Permissions } from './permissions.ts';

export interface Role {
  readonly name: string;
  /** The role as it is written. */
  readonly row: RoleConfig;
  /** The doors that it opens. */
  readonly interfaces: readonly RoleInterface[];
  /** Users, and groups whose members have it. */
  readonly members: readonly Dn[];
  readonly subtrees: readonly Dn[];
  readonly permissions: Permissions;
}

export interface OptionSet {
  readonly name: string;
  readonly subtree: Dn;
  /** Whether the subtree contains all domains. */
  readonly isEverywhere: boolean;
  /** Whom it restricts: who does something with entries of the subtree, and whose own entry is there. */
  readonly restricts: { readonly entries: boolean; readonly administrators: boolean };
  readonly permissions: Permissions;
}
