/** Rights of the signed-in administrator, as the server reports them (`What_May_I`): pages offer nothing that would be refused. */
import type { Manager } from './manager.ts';

export type Allowed = Awaited<ReturnType<Manager['What_May_I']>>;

/** About some entry, whichever. */
export interface Rights {
  readonly isSuper: boolean;
  may(method: string): boolean;
  /** True for an attribute of names that may be read somewhere: others can be looked for nowhere. */
  mayRead(attribute: string): boolean;
  /** True if some group may be given members. */
  readonly mayWriteMembers: boolean;
  /** True if people may be made somewhere. */
  readonly mayMakePeople: boolean;
}

/** About one entry. */
export interface EntryRights {
  may(method: string): boolean;
  /** True for an attribute that was asked about, if it may be written. */
  mayWrite(attribute: string): boolean;
  /** True for a class that was asked about, if entries of it may be made there. */
  mayCreate(objectClass: string): boolean;
}

/** Attributes that pages search, and show of found users. */
const named = ['uid', 'cn', 'ou', 'sn', 'mail', 'displayName', 'sAMAccountName'];
const member = 'member';
const person = 'inetOrgPerson';

/** @throws CallError */
export async function readRights(manager: Manager): Promise<Rights> {
  const [who, allowed, made, ...read] = await manager.batch((m) => [
    m.Who_Am_I({}),
    m.What_May_I({ attributes: [member] }),
    m.What_May_I({ classes: [person], method: 'Create_LDAP_Object' }),
    m.What_May_I({ attributes: named, method: 'Search_LDAP_Objects' }),
    m.What_May_I({ attributes: named, method: 'List_LDAP_Children' }),
  ]);
  const { may, mayWrite } = entryRightsOf(allowed);
  return {
    isSuper: who.super_admin,
    may,
    mayRead: (attribute) => read.some((one) => one.read.includes(attribute)),
    mayWriteMembers: mayWrite(member),
    mayMakePeople: entryRightsOf(made).mayCreate(person),
  };
}

export function entryRightsOf({ methods, write, create }: Allowed): EntryRights {
  const named = new Set(methods);
  return {
    may: (method) => named.has(method),
    mayWrite: (attribute) => write.includes(attribute),
    mayCreate: (objectClass) => create.includes(objectClass),
  };
}

export const noEntryRights: EntryRights = { may: () => false, mayWrite: () => false, mayCreate: () => false };
