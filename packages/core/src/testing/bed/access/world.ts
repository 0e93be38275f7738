/** The entries that the matrix test goes through: in a role's subtree and out of it, ordinary ones and administrators. */
import type { ManagerCalls } from '../../../doors/manager/methods.ts';

const base = 'dc=example,dc=org';
export const people = `ou=people,${base}`;
/** A user with entries below it, as RFC 4512 allows. */
const head = `uid=head,${people}`;
/** The subtree of the roles. */
export const desk = `ou=desk,${head}`;
/** A container in it. */
export const shelf = `ou=shelf,${desk}`;

/** An entry of the test directory. */
export interface WorldEntry {
  readonly name: string;
  /** An activated user or group, with tokens, a list and an emergency password. */
  readonly dn: string;
  /** One beside it that is not activated. */
  readonly idle?: string;
  /** A name beside it that nobody has. */
  readonly fresh?: string;
  /** The login name. Optional; default: it is a group. */
  readonly uid?: string;
}

const user = (uid: string, above: string) => ({
  dn: `uid=${uid},${above}`,
  idle: `uid=idle${uid},${above}`,
  uid,
});

export const places: readonly WorldEntry[] = [
  { name: 'in the subtree', ...user('in', desk), fresh: `uid=new,${desk}` },
  { name: 'out of the subtree', ...user('out', people), fresh: `uid=new,${people}` },
  { name: 'above the subtree', dn: head, uid: 'head' },
  // No entry has the fresh name, but one that had it would be a super administrator.
  { name: 'a super administrator in the subtree', ...user('boss', desk), fresh: `uid=ghost,${desk}` },
  { name: 'a group of super administrators in the subtree', dn: `cn=chiefs,${desk}` },
];

/** Names of `super_admins` besides the usual group. */
export const superAdmins = [
  ...['uid=boss', 'uid=idleboss', 'uid=ghost', 'cn=chiefs'].map((rdn) => `${rdn},${desk}`),
  `cn=administrators,ou=groups,${base}`,
];

/** All super administrators. */
export const supers = [...superAdmins, `uid=admin,${people}`];

export const containers = [base, people, head, desk, `ou=groups,${base}`];

/** Bases of searches. */
export const bases = [base, people, desk, shelf, `uid=in,${desk}`, `uid=boss,${desk}`, `uid=out,${people}`];

/** Everybody with a mail address, in order of creation. */
export const withMail = [
  ...['admin', 'alice', 'bob'].map((uid) => `uid=${uid},${people}`),
  head,
  ...['in', 'idlein', 'boss', 'idleboss'].map((uid) => `uid=${uid},${desk}`),
  ...['out', 'idleout'].map((uid) => `uid=${uid},${people}`),
];

export const secret = Buffer.from('12345678901234567890');

/** Makes the entries that are not there. @param manager a super administrator's */
export async function buildWorld(manager: ManagerCalls): Promise<void> {
  const make = async (dn: string, attrs: Record<string, string | string[]>) => {
    if (!(await manager.Check_LDAP_Object({ dn }))) await manager.Create_LDAP_Object({ dn, attrs });
  };
  const person = async (dn: string) => {
    const uid = /^uid=([a-z]+),/.exec(dn)?.[1] ?? '';
    const names = { cn: uid, sn: uid, mail: `${uid}@example.org`, mobile: '1' };
    await make(dn, { objectclass: ['inetOrgPerson'], ...names, userpassword: hashed });
  };
  await person(head);
  for (const dn of [desk, shelf]) await make(dn, { objectclass: ['organizationalUnit'] });
  for (const { dn, idle, uid } of places) {
    if (uid === undefined) await make(dn, { objectclass: ['groupOfNames'], member: [`uid=admin,${people}`] });
    else await person(dn);
    if (idle !== undefined) await person(idle);
    if (await manager.Activate_LDAP_Object({ dn })) await equip(dn, manager);
  }
}

/** `right`, hashed quickly (`{SSHA}`). */
const hashed = '{SSHA}WjJUAF6CE7gpHwoU3CPEdOGEfbtmaXh0dXJlIQ==';

async function equip(dn: string, { Otp }: ManagerCalls): Promise<void> {
  const key = secret.toString('base64');
  await Otp.HOTP_Register({ dn, key });
  await Otp.Expire_Start({ dn });
  await Otp.TOTP_Register({ dn, key, id: 2 });
  await Otp.List_Register({ dn, size: 5 });
  await Otp.Prefix_Register({ dn, prefix: 'Pin4711' });
  await Otp.Emerg_Register({ dn, otp: 'emergency' });
}
