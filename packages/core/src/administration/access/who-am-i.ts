/** The method Who_Am_I: the rights of the calling administrator, in the words of the configuration. */
import type { ManagerAuth, OptionSetConfig, RoleConfig, ServiceConfig } from '../../config/config.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { EffectiveRights } from './effective-rights.ts';

export interface Access {
  readonly dn: string;
  readonly login: ManagerAuth;
  readonly super_admin: boolean;
  readonly roles: Readonly<Record<string, Omit<RoleConfig, 'members' | 'interfaces'>>>;
  readonly option_sets: Readonly<Record<string, OptionSetConfig>>;
}

/** The caller, its rights, and their configuration. */
export interface OwnAccess {
  readonly administrator: Dn;
  readonly rights: EffectiveRights;
  readonly config: Pick<ServiceConfig, 'option_sets' | 'manager_auth'>;
}

export function accessOf(call: OwnAccess): Access {
  const { config } = call;
  const roles = call.rights.roles.map(({ name, row }) => [name, row] as const);
  const sets = Object.entries(config.option_sets).filter(([name]) => call.rights.optionSets.includes(name));
  return {
    dn: call.administrator.format(),
    login: config.manager_auth,
    super_admin: call.rights.isSuperAdmin,
    // Who else has a role is nobody's business.
    roles: Object.fromEntries(roles.map(([name, { members: _, interfaces: __, ...role }]) => [name, role])),
    option_sets: Object.fromEntries(sets),
  };
}
