/** What an administrator may do, in the words of the configuration. */
import type { ManagerAuth, OptionSetConfig, RoleConfig } from '../config/config.ts';
import type { Call } from '../table/method.ts';

export interface Access {
  readonly dn: string;
  readonly login: ManagerAuth;
  readonly super_admin: boolean;
  readonly roles: Readonly<Record<string, Omit<RoleConfig, 'members' | 'interfaces'>>>;
  readonly option_sets: Readonly<Record<string, OptionSetConfig>>;
}

export function accessOf(call: Call): Access {
  const { config } = call;
  const own = new Set(call.reach.mandate.roles.map(({ name }) => name));
  const roles = Object.entries(config.roles).filter(([name]) => own.has(name));
  const sets = Object.entries(config.option_sets).filter(([name]) => call.reach.optionSets.includes(name));
  return {
    dn: call.administrator.format(),
    login: config.manager_auth,
    super_admin: call.reach.isSuperAdmin,
    // Who else has a role is nobody's business.
    roles: Object.fromEntries(roles.map(([name, { members: _, interfaces: __, ...role }]) => [name, role])),
    option_sets: Object.fromEntries(sets),
  };
}
