/** What the signed-in administrator may do, so that no button stands there that would be refused. The server judges anew. */
import type { Manager } from './manager.ts';

export type WhoAmI = Awaited<ReturnType<Manager['Who_Am_I']>>;

export interface Rights {
  readonly isSuper: boolean;
  /** True if a role names the method, and, where an entry is given, may reach it. */
  may(method: string, dn?: string): boolean;
  /** True if an attribute may be read somewhere: else it can be looked for nowhere. */
  mayRead(attribute: string): boolean;
  /** True if an attribute of the entry may be written. */
  mayWrite(attribute: string, dn?: string): boolean;
  /** True if entries of the class may be made and removed. */
  mayCreate(objectClass: string, dn?: string): boolean;
}

interface Grant {
  readonly methods?: readonly string[];
  readonly subtrees?: readonly string[];
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly create?: readonly string[];
}

export const noRights: Rights = {
  isSuper: false,
  may: () => false,
  mayRead: () => false,
  mayWrite: () => false,
  mayCreate: () => false,
};

export function rightsOf(who: WhoAmI): Rights {
  const roles: readonly Grant[] = Object.values(who.roles ?? {});
  const some = (dn: string | undefined, has: (role: Grant) => boolean): boolean =>
    who.super_admin || roles.some((role) => has(role) && reaches(role, dn));
  return {
    isSuper: who.super_admin,
    may: (method, dn) => some(dn, ({ methods = [] }) => methods.some((pattern) => matches(pattern, method))),
    mayRead: (attribute) => some(undefined, ({ read = [] }) => read.some((name) => matches(name, attribute))),
    mayWrite: (attribute, dn) => some(dn, ({ write = [] }) => write.some((name) => matches(name, attribute))),
    mayCreate: (name, dn) => some(dn, ({ create = [] }) => create.some((each) => matches(each, name))),
  };
}

/** `*` is any part of a name; names of LDAP know no case. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(name);
}

function reaches({ subtrees = [] }: Grant, dn: string | undefined): boolean {
  if (dn === undefined) return true;
  const name = plain(dn);
  return subtrees.some((subtree) => name === plain(subtree) || name.endsWith(`,${plain(subtree)}`));
}

const plain = (dn: string): string => dn.toLowerCase().replace(/\s*([,=])\s*/g, '$1');
