/** Login names, numbers, groups and homes that other entries have: a role gives none of them to an entry of its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const outside = `ou=outside,${base}`;
const carol = `uid=carol,${desk}`;
const branch = `ou=branch,${base}`;
const ofAccount = { objectclass: ['inetOrgPerson', 'posixAccount'], cn: 'X', sn: 'X' };
const numbers = { uidnumber: '2001', gidnumber: '2001', homedirectory: '/home/x' };
const role = { methods: ['*'], subtrees: [desk, branch], write: ['*'], create: ['*'] };

const domains = {
  Default: {
    base: people,
    aliases: ['corp.example'],
    login_attributes: ['uid', 'employeeNumber', 'mail'],
  },
  Branch: { base: branch },
};

let fixture: Fixture;
let admin: Person;
let bob: Person;
beforeAll(async () => {
  const roles = { desk: { ...role, members: [`uid=bob,${people}`] } };
  fixture = await openFixture({ config: { domains, roles } });
  ({ admin } = fixture);
  ({ bob } = fixture.users);
  for (const dn of [desk, outside, branch, `ou=sync,${desk}`])
    await make(dn, { objectclass: 'organizationalUnit' });
  const attrs = {
    ...{ objectclass: ['posixAccount'], uidnumber: '7000', gidnumber: '7000', homedirectory: '/home/admin' },
    ...{ employeenumber: 'A 1', mail: ['boss@example.org', 'zed@corp.example'] },
  };
  expect(await call('Set_User_Attrs', { dn: admin.dn, attrs, values: true }, admin)).toBe(1);
  await make(`cn=staff,${people}`, { objectclass: 'posixGroup', gidnumber: '7000' });
  await make(`cn=nobody,${people}`, { objectclass: 'posixGroup', gidnumber: '7100' });
  await make(`cn=mine,${desk}`, { objectclass: 'posixGroup', gidnumber: '6000' });
  await make(`uid=dave,${branch}`, { objectclass: 'inetOrgPerson', cn: 'D', sn: 'D' });
});
afterAll(() => fixture.close());

const call = async (method: string, params: object, as?: Person, isDryRun = false) => {
  const { result, error } = await fixture.call(method, params, { ...(as && { as }), isDryRun });
  return error ? error.reason : result;
};
const make = async (dn: string, attrs: object) =>
  expect(await call('Create_LDAP_Object', { dn, attrs })).toBe(1);
const set = (attrs: object, values = false) => call('Set_User_Attrs', { dn: carol, attrs, values }, bob);

beforeEach(async () => {
  if (await call('Check_LDAP_Object', { dn: carol })) await call('Remove_LDAP_Object', { dn: carol });
  await make(carol, { ...ofAccount, uidnumber: '1999', gidnumber: '1999', homedirectory: '/home/carol' });
});

const person = { objectclass: 'inetOrgPerson', cn: 'X', sn: 'X' };

describe('a login name of another entry', () => {
  it.each<[string, string, object]>([
    ['in its name', 'uid=admin', {}],
    ['in its name by another name of uid', 'userid=admin', {}],
    ['in other letters', 'uid=ADMIN', {}],
    ['with spaces around', 'uid=x', { uid: ['x', '  admin '] }],
    ['in wide letters', 'uid=x', { uid: ['x', 'ａｄｍｉｎ'] }],
    ['by an option', 'uid=x', { 'uid;x-a': 'admin' }],
    ['by the number of uid', 'uid=x', { '0.9.2342.19200300.100.1.1': ['x', 'admin'] }],
    ['in another login attribute', 'uid=x', { employeenumber: 'admin' }],
    ['of another login attribute', 'uid=x', { uid: ['x', 'boss@example.org'] }],
    ['with more spaces', 'uid=x', { employeenumber: 'a  1' }],
    ['that is a user’s', 'uid=alice', {}],
    ['with an alias of the domain', 'uid=x', { mail: 'admin@CORP.example' }],
    ['with the name of the domain', 'uid=x', { mail: 'admin@default' }],
    ['without the alias of the domain', 'uid=zed', {}],
  ])('is refused to a role that makes an entry %s', async (_, rdn, attrs) => {
    const dn = `${rdn},${desk}`;
    const asked = { dn, attrs: { ...person, ...attrs } };
    expect(await call('Create_LDAP_Object', asked, bob, true)).not.toMatchObject({ dryRun: true });
    expect(await call('Create_LDAP_Object', asked, bob)).not.toBe(1);
    expect(await call('Get_User_DN', { username: 'admin', domain: 'Default' })).toBe(admin.dn);
    expect(await call('Check_LDAP_Object', { dn })).toBe(false);
  });

  it('is refused to a role by every method that writes it', async () => {
    expect(await set({ uid: ['carol', 'admin'] })).toBe('permission_denied');
    expect(await set({ uid: ['ADMIN'] }, true)).toBe('permission_denied');
    expect(await set({ mail: 'boss@example.org' })).toBe('permission_denied');
    expect(await call('Rename_LDAP_Object', { dn: carol, name: 'Admin' }, bob)).toBe('permission_denied');
    const copy = { dn: 'uid=admin,dc=elsewhere', attrs: { uid: 'admin', sn: 'A' } };
    const node = await fixture.another({
      config: { roles: { desk: { ...role, subtrees: [desk], members: [bob.dn] } } },
    });
    const { error } = await node.call('Sync_LDAP_Object', copy, { as: bob });
    expect(error?.reason).toBe('permission_denied');
    await node.close();
    expect(await call('Get_User_DN', { username: 'admin', domain: 'Default' })).toBe(admin.dn);
  });

  it('is refused to a role that moves an entry into the domain of that entry', async () => {
    const [there, here] = [`uid=alice,${branch}`, `uid=fay,${branch}`];
    for (const dn of [there, here])
      expect(await call('Create_LDAP_Object', { dn, attrs: person }, bob)).toBe(1);
    expect(await call('Move_LDAP_Object', { dn: there, container: desk }, bob)).toBe('permission_denied');
    expect(await call('Move_LDAP_Object', { dn: here, container: desk }, bob)).toBe(1);
    for (const dn of [there, `uid=fay,${desk}`])
      expect(await call('Remove_LDAP_Object', { dn }, bob)).toBe(1);
  });

  it('is refused to a role that makes a user of an entry with it', async () => {
    const dn = `ou=admin,${desk}`;
    const classes = { objectclass: ['organizationalUnit', 'extensibleObject'], uid: 'admin' };
    await make(dn, classes);
    const attrs = { objectclass: ['inetOrgPerson'], cn: 'X', sn: 'X' };
    expect(await call('Set_User_Attrs', { dn, attrs, values: true }, bob)).toBe('permission_denied');
    expect(await call('Set_User_Attrs', { dn, attrs: { description: 'x', cn: 'x' } }, bob)).toBe(1);
    await call('Remove_LDAP_Object', { dn });
  });

  it('may be one of another domain', async () => {
    const dn = `uid=dave,${desk}`;
    expect(await call('Create_LDAP_Object', { dn, attrs: person }, bob)).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn }, bob)).toBe(1);
  });

  it('is left by a role where it was before, and given by a super administrator', async () => {
    expect(await set({ uid: ['carol', 'carla'] })).toBe(1);
    expect(await call('Set_User_Attrs', { dn: carol, attrs: { uid: ['carol', 'alice'] } })).toBe(1);
    expect(await set({ uid: ['carol', 'ALICE'] })).toBe(1);
    expect(await set({ uid: ['carol', 'alice', 'bob'] })).toBe('permission_denied');
    expect(await call('Rename_LDAP_Object', { dn: carol, name: 'alice' })).toBe(1);
    await call('Remove_LDAP_Object', { dn: `uid=alice,${desk}` });
  });

  it('is named to the role as another entry’s', async () => {
    const params = { dn: carol, attrs: { uid: ['carol', 'admin'] } };
    const { error } = await fixture.call('Set_User_Attrs', params, { as: bob });
    expect(error?.data).toBe(
      `Could not update LDAP object '${carol}' (the login name is another entry’s; choose another name)`,
    );
  });
});

describe('a role', () => {
  it.each<[string, object]>([
    ['the uidNumber of an administrator', { uidnumber: '7000' }],
    ['the uidNumber of another account of its own', { uidnumber: '1999' }],
    ['a uidNumber with zeros before', { uidnumber: '07000' }],
    ['the number of a group out of its reach', { gidnumber: '7000' }],
    ['the number of a group without members out of its reach', { gidnumber: '7100' }],
    ['the home of root', { homedirectory: '/root' }],
    ['the root of the file system as a home', { homedirectory: '/' }],
    ['all homes as a home', { homedirectory: '/home' }],
    ['a home in a directory of the system', { homedirectory: '/etc/cron.d' }],
    ['a home by ..', { homedirectory: '/home/x/../../root' }],
    ['a home by a double slash', { homedirectory: '//root' }],
    ['a home that ends with a slash', { homedirectory: '/home/admin/' }],
    ['a home that is no path', { homedirectory: 'root' }],
    ['the home of an administrator', { homedirectory: '/home/admin' }],
    ['a directory in the home of an administrator', { homedirectory: '/home/admin/x/.ssh' }],
  ])('gives no account %s', async (_, attrs) => {
    const made = { dn: `uid=x,${desk}`, attrs: { ...ofAccount, ...numbers, ...attrs } };
    expect(await call('Create_LDAP_Object', made, bob, true)).toBe('permission_denied');
    expect(await call('Create_LDAP_Object', made, bob)).toBe('permission_denied');
    if (!Object.values(attrs).includes('1999')) expect(await set(attrs)).toBe('permission_denied');
  });

  it('makes no account of an entry with such numbers', async () => {
    const dn = `cn=plain,${desk}`;
    for (const attrs of [{ gidnumber: '7000' }, { homedirectory: '/root' }]) {
      const classes = ['inetOrgPerson', 'extensibleObject'];
      await make(dn, { ...person, ...numbers, uid: 'plain', uidnumber: [], objectclass: classes, ...attrs });
      const more = { dn, attrs: { objectclass: ['posixAccount'], uidnumber: '2001' }, values: true };
      expect(await call('Set_User_Attrs', more, bob)).toBe('permission_denied');
      await call('Remove_LDAP_Object', { dn });
    }
  });

  it('gives no group of its own the number of a group out of its reach', async () => {
    const dn = `cn=other,${desk}`;
    const attrs = (gidnumber: string) => ({ objectclass: 'posixGroup', gidnumber });
    expect(await call('Create_LDAP_Object', { dn, attrs: attrs('7100') }, bob)).toBe('permission_denied');
    expect(await call('Create_LDAP_Object', { dn, attrs: attrs('6001') }, bob)).toBe(1);
    expect(await call('Set_User_Attrs', { dn, attrs: { gidnumber: '7100' } }, bob)).toBe('permission_denied');
    expect(await call('Remove_LDAP_Object', { dn }, bob)).toBe(1);
  });

  it('moves no entry with the uidNumber of another into the domains', async () => {
    const far = `uid=far,${outside}`;
    const roles = { desk: { ...role, subtrees: [desk, outside], members: [bob.dn] } };
    const node = await fixture.another({ config: { domains, roles } });
    await make(far, { ...ofAccount, ...numbers, uidnumber: '7000' });
    const { error } = await node.call('Move_LDAP_Object', { dn: far, container: desk }, { as: bob });
    expect(error?.reason).toBe('permission_denied');
    await call('Remove_LDAP_Object', { dn: far });
    await node.close();
  });

  it('gives accounts numbers, homes and groups of its own', async () => {
    const dn = `uid=x,${desk}`;
    const attrs = { ...ofAccount, ...numbers, gidnumber: '6000', homedirectory: '/var/home/x' };
    expect(await call('Create_LDAP_Object', { dn, attrs }, bob)).toBe(1);
    expect(await call('Set_User_Attrs', { dn, attrs: { uidnumber: '2001', gidnumber: '2001' } }, bob)).toBe(
      1,
    );
    expect(await call('Rename_LDAP_Object', { dn, name: 'y' }, bob)).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn: `uid=y,${desk}` }, bob)).toBe(1);
  });

  it('changes an account beside a number that a super administrator shares', async () => {
    const shared = { uidnumber: '7000', gidnumber: '7000', homedirectory: '/home/admin' };
    expect(await call('Set_User_Attrs', { dn: carol, attrs: shared })).toBe(1);
    expect(await set({ ...shared, mail: 'c@example.org' })).toBe(1);
    expect(await set({ ...shared, uidnumber: '2001' })).toBe(1);
    expect(await set({ ...shared })).toBe('permission_denied');
  });

  it.each<[string, string, object, object]>([
    [
      'an account',
      'uid=x',
      { ...ofAccount, ...numbers, uidnumber: '500', uid: ['x', 'root'] },
      { gecos: 'X' },
    ],
    ['a group', 'cn=x', { objectclass: 'posixGroup', gidnumber: '500' }, { cn: ['x', 'y'] }],
    [
      'an entry that is neither',
      'uid=x',
      { ...person, objectclass: ['inetOrgPerson', 'extensibleObject'], gidnumber: '500' },
      { cn: 'wheel', homedirectory: '/home/admin' },
    ],
  ])('changes %s beside what only a super administrator gives', async (_, rdn, given, attrs) => {
    const dn = `${rdn},${desk}`;
    await make(dn, given);
    expect(await call('Set_User_Attrs', { dn, attrs }, bob)).toBe(1);
    await call('Remove_LDAP_Object', { dn });
  });

  it('gives an account a home in its own, and a person a name of spaces that another has', async () => {
    expect(await set({ homedirectory: '/home/carol/within' })).toBe(1);
    const blank = { ...person, uid: [' '] };
    for (const name of ['x', 'y']) {
      const made = { dn: `cn=${name},${desk}`, attrs: blank };
      expect(await call('Create_LDAP_Object', made, bob)).toBe(1);
    }
    for (const name of ['x', 'y']) await call('Remove_LDAP_Object', { dn: `cn=${name},${desk}` });
  });

  it('takes away a name that only a super administrator gives', async () => {
    expect(await call('Set_User_Attrs', { dn: carol, attrs: { uid: ['carol', 'root'] } })).toBe(1);
    const root = { dn: carol, attrs: { uid: ['root'] }, values: true };
    expect(await call('Remove_User_Attrs', root, bob)).toBe(1);
    expect(await call('Set_User_Attrs', root, bob)).toBe('permission_denied');
  });

  it('makes an account of an entry by what the entry has then', async () => {
    const dn = `cn=plain,${desk}`;
    const classes = ['inetOrgPerson', 'extensibleObject'];
    await make(dn, { ...person, objectclass: classes, uid: 'root' });
    const more = { ...numbers, objectclass: ['posixAccount'], uid: ['plain'] };
    expect(await call('Set_User_Attrs', { dn, attrs: more, values: true }, bob)).toBe('permission_denied');
    const whole = { ...more, objectclass: [...classes, 'posixAccount'] };
    expect(await call('Set_User_Attrs', { dn, attrs: whole }, bob)).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn }, bob)).toBe(1);
  });

  it('gives an account the number of no group that counts out of the domains, and any beside other groups', async () => {
    const [numbered, club] = [`cn=far,ou=groups,${base}`, `cn=club,ou=groups,${base}`];
    await make(numbered, { objectclass: 'posixGroup', gidnumber: '7200' });
    await make(club, { objectclass: 'groupOfNames', member: carol });
    expect(await set({ gidnumber: '7200' })).toBe('permission_denied');
    expect(await set({ gidnumber: '2005' })).toBe(1);
    for (const dn of [numbered, club]) await call('Remove_LDAP_Object', { dn });
  });

  it('moves a group with its own number into the domains', async () => {
    const groups = `ou=groups,${base}`;
    const mover = { ...role, subtrees: [desk, groups], write: [], create: ['posixGroup'], members: [bob.dn] };
    const node = await fixture.another({ config: { domains, roles: { mover } } });
    await make(`cn=moved,${groups}`, { objectclass: 'posixGroup', gidnumber: '7300' });
    const move = { dn: `cn=moved,${groups}`, container: desk };
    expect((await node.call('Move_LDAP_Object', move, { as: bob })).error).toBeUndefined();
    await call('Remove_LDAP_Object', { dn: `cn=moved,${desk}` });
    await node.close();
  });

  it('renames an entry out of the domains beside what only a super administrator gives', async () => {
    const far = `uid=far,${outside}`;
    const roles = { desk: { ...role, subtrees: [outside], members: [bob.dn] } };
    const node = await fixture.another({ config: { domains, roles } });
    await make(far, { ...ofAccount, ...numbers, uidnumber: '500' });
    const { error } = await node.call('Rename_LDAP_Object', { dn: far, name: 'farther' }, { as: bob });
    expect(error).toBeUndefined();
    await call('Remove_LDAP_Object', { dn: `uid=farther,${outside}` });
    await node.close();
  });
});
