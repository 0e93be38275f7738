/** Bulk actions on users: the calls for each user, and the fields that they need for each user and for all. */
import type { BatchPlan, Manager, PlannedCall } from '../../api/manager.ts';
import type { Rights } from '../../api/rights.ts';
import { nameBelow } from '../directory/names.ts';

/** A line of a table by the names of fields. */
export type Values = Readonly<Partial<Record<Field, string>>>;

export const fields = ['user', 'cn', 'sn', 'mail', 'mobile', 'password'] as const;
export type Field = (typeof fields)[number];

export interface ManyAct {
  /** The method that the administrator needs. */
  readonly method: string;
  readonly needs: readonly Field[];
  readonly may: readonly Field[];
  /** The field that all lines share: a DN. */
  readonly common?: 'group' | 'container';
  /** Whether the action is confirmed first: it cannot be undone. */
  readonly isGrave?: boolean;
  readonly plan: (m: BatchPlan, target: Target) => readonly PlannedCall<unknown>[];
}

export interface Target {
  readonly dn: string;
  readonly values: Values;
  readonly common: string;
}

const onlyUser = { needs: ['user'], may: [] } as const;

export const acts = {
  create: {
    method: 'Create_LDAP_Object',
    needs: ['user', 'cn', 'sn'],
    may: ['mail', 'mobile', 'password'],
    common: 'container',
    plan: (m, { dn, values: { cn = '', sn = '', mail = '', mobile = '', password = '' } }) => [
      m.Create_LDAP_Object({
        dn,
        attrs: {
          objectClass: ['inetOrgPerson'],
          ...{ cn, sn },
          ...(mail !== '' && { mail }),
          ...(mobile !== '' && { mobile }),
        },
      }),
      ...(password === '' ? [] : [m.Set_User_Password({ dn, password })]),
    ],
  },
  activate: {
    method: 'Activate_LDAP_Object',
    ...onlyUser,
    plan: (m, { dn }) => [m.Activate_LDAP_Object({ dn })],
  },
  deactivate: {
    method: 'Deactivate_LDAP_Object',
    ...onlyUser,
    isGrave: true,
    plan: (m, { dn }) => [m.Deactivate_LDAP_Object({ dn })],
  },
  setPassword: {
    method: 'Set_User_Password',
    needs: ['user', 'password'],
    may: [],
    isGrave: true,
    plan: (m, { dn, values: { password = '' } }) => [m.Set_User_Password({ dn, password, change: true })],
  },
  addToGroup: {
    method: 'Set_User_Attrs',
    ...onlyUser,
    common: 'group',
    plan: (m, { dn, common }) => [m.Set_User_Attrs({ dn: common, attrs: { member: [dn] }, values: true })],
  },
  emergency: {
    method: 'Otp.Emerg_Register',
    ...onlyUser,
    plan: (m, { dn }) => [m.Otp.Emerg_Register({ dn })],
  },
  unblock: { method: 'Otp.Block_Reset', ...onlyUser, plan: (m, { dn }) => [m.Otp.Block_Reset({ dn })] },
} as const satisfies Readonly<Record<string, ManyAct>>;

export type ActName = keyof typeof acts;

export const actNames = Object.keys(acts).filter((name): name is ActName => name in acts);

export const actOf = (name: ActName): ManyAct => acts[name];

/** Returns whether the administrator may do it for anyone. */
export function isOffered(name: ActName, rights: Rights): boolean {
  if (!rights.may(actOf(name).method)) return false;
  if (name === 'create') return rights.mayMakePeople;
  return name !== 'addToGroup' || rights.mayWriteMembers;
}

/** The DN of who is meant, where that is known without asking. */
export function namedDn(act: ActName, user: string, common: string): string | undefined {
  if (act === 'create') return nameBelow('uid', user, common);
  return user.includes('=') ? user : undefined;
}

/** Finds the users with exactly this login name. @throws CallError */
export async function findDns(
  manager: Manager,
  logins: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (logins.length === 0) return new Map();
  const found = await manager.batchSettled((m) => logins.map((text) => m.Find_Users({ text, max: 5 })));
  const pairs = logins.flatMap((login, index) => {
    const people = found[index]?.ok ? found[index].value : [];
    const own = people.filter(({ logins: all }) =>
      all.some((one) => one.toLowerCase() === login.toLowerCase()),
    );
    return own.length === 1 && own[0] ? [[login, own[0].dn] as const] : [];
  });
  return new Map(pairs);
}
