/**
 * Brings new colleagues into a directory: an account and a password for each, all of them in one group.
 * It runs against any Manager; the test has one in front of a real OpenLDAP.
 */
import { type Manager, safe } from '@watchword/client';

export interface Colleague {
  readonly login: string;
  readonly first: string;
  readonly last: string;
  readonly password: string;
}

export interface Place {
  /** DN of the container that people go to. */
  readonly people: string;
  /** DN of the group that they join; it is made with the first of them. */
  readonly group: string;
}

/** @returns the DNs of those who are new; who has an account already only joins the group */
export async function onboard(
  manager: Manager,
  colleagues: readonly Colleague[],
  place: Place,
): Promise<string[]> {
  const added: string[] = [];
  for (const colleague of colleagues) {
    const dn = `uid=${colleague.login},${place.people}`;
    if (await create(manager, dn, colleague)) added.push(dn);
    await join(manager, dn, place.group);
  }
  return added;
}

async function create(manager: Manager, dn: string, { first, last, password }: Colleague): Promise<boolean> {
  const attrs = {
    objectclass: ['inetOrgPerson', 'webadmaccount'],
    cn: `${first} ${last}`,
    givenname: first,
    sn: last,
    userpassword: password,
  };
  const created = await safe(manager.Create_LDAP_Object({ dn, attrs }));
  if (created.ok) return true;
  if (created.error.reason === 'already_exists') return false;
  throw created.error;
}

async function join(manager: Manager, dn: string, group: string): Promise<void> {
  if (await manager.Check_LDAP_Object({ dn: group })) {
    await manager.Set_User_Attrs({ dn: group, attrs: { member: [dn] }, values: true });
  } else {
    await manager.Create_LDAP_Object({ dn: group, attrs: { objectclass: ['groupOfNames'], member: [dn] } });
  }
}
