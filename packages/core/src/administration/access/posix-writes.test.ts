/** What a role may not make of accounts and groups: those that a system would take for its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';
import { isAccount, isGroup } from './posix-writes.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const carol = `uid=carol,${desk}`;
const plain = `uid=plain,${desk}`;
const group = `cn=builders,${desk}`;
const numbers = { uidnumber: '2000', gidnumber: '2000', homedirectory: '/home/x' };
const ofAccount = { objectclass: ['inetOrgPerson', 'posixAccount'], cn: 'X', sn: 'X' };
const ofGroup = { objectclass: 'posixGroup', gidnumber: '3001' };
/** Takes a number as Active Directory does, where accounts have no class. */
const withoutClass = ['inetOrgPerson', 'extensibleObject'];
const role = { methods: ['*'], subtrees: [desk], write: ['*'], create: ['*'] };

let fixture: Fixture;
let bob: Person;
beforeAll(async () => {
  fixture = await openFixture({ config: { roles: { desk: { ...role, members: [`uid=bob,${people}`] } } } });
  ({ bob } = fixture.users);
  for (const dn of [desk, `ou=sync,${desk}`]) await make(dn, { objectclass: 'organizationalUnit' });
});
afterAll(() => fixture.close());

const call = async (method: string, params: object, as?: Person) => {
  const { result, error } = await fixture.call(method, params, as && { as });
  return error ? error.reason : result;
};
const make = async (dn: string, attrs: object) =>
  expect(await call('Create_LDAP_Object', { dn, attrs })).toBe(1);

beforeEach(async () => {
  for (const dn of [carol, plain, group])
    if (await call('Check_LDAP_Object', { dn })) await call('Remove_LDAP_Object', { dn });
  await make(carol, { ...ofAccount, uidnumber: '1999', gidnumber: '2000', homedirectory: '/home/carol' });
  await make(plain, { objectclass: 'inetOrgPerson', cn: 'root', sn: 'X' });
  await make(group, { objectclass: 'posixGroup', gidnumber: '3000' });
});

describe('a role', () => {
  it.each<[string, string, object]>([
    ['uid 0', 'uid=x', { ...ofAccount, ...numbers, uidnumber: '0' }],
    ['uid 0 as a number', 'uid=x', { ...ofAccount, ...numbers, uidnumber: 0 }],
    ['uid 0 in more digits', 'uid=x', { ...ofAccount, ...numbers, uidnumber: '0000' }],
    ['uid 0 by a sign', 'uid=x', { ...ofAccount, ...numbers, uidnumber: '-0' }],
    ['a number that wraps to 0', 'uid=x', { ...ofAccount, ...numbers, uidnumber: '4294967296' }],
    ['the number that is no change', 'uid=x', { ...ofAccount, ...numbers, uidnumber: '4294967295' }],
    ['uid 0 in its name', 'uid=x+uidNumber=0', { ...ofAccount, ...numbers, uidnumber: [] }],
    ['uid 0 by an option', 'uid=x', { ...ofAccount, ...numbers, 'uidNumber;x-a': '0' }],
    ['gid 0', 'uid=x', { ...ofAccount, ...numbers, gidnumber: '0' }],
    ['the name root', 'uid=root', { ...ofAccount, ...numbers }],
    ['the name ROOT', 'uid=ROOT', { ...ofAccount, ...numbers }],
    ['the name root in wide letters', 'uid=ｒｏｏｔ', { ...ofAccount, ...numbers }],
    ['the name root with a hidden character', 'uid=ro\u00adot', { ...ofAccount, ...numbers }],
    ['a second name root', 'uid=x', { ...ofAccount, ...numbers, uid: ['x', 'root'] }],
    ['a name with a colon', 'uid=a:b', { ...ofAccount, ...numbers }],
    ['a name that is a number', 'uid=4711', { ...ofAccount, ...numbers }],
    ['a name that sudoers takes for a group', 'uid=%wheel', { ...ofAccount, ...numbers }],
    ['a gecos of two fields', 'uid=x', { ...ofAccount, ...numbers, gecos: 'X:/root:/bin/sh' }],
    ['a gecos of two lines', 'uid=x', { ...ofAccount, ...numbers, gecos: 'X\nroot2:x:0:0::/root:/bin/sh' }],
    ['a shell with a colon', 'uid=x', { ...ofAccount, ...numbers, loginshell: '/bin/sh:x' }],
    ['a group with two members in one', 'cn=x', { ...ofGroup, memberuid: 'a,root' }],
    ['a group with a member of two lines', 'cn=x', { ...ofGroup, memberuid: 'a\nwheel:x:10:eve' }],
    ['a group with a member root', 'cn=x', { ...ofGroup, memberuid: 'root' }],
    ['a home of two fields', 'uid=x', { ...ofAccount, ...numbers, homedirectory: '/home/x:/bin/sh' }],
    ['a group wheel', 'cn=wheel', { objectclass: 'posixGroup', gidnumber: '3001' }],
    ['the name root by another name of uid', 'cn=x', { ...ofAccount, ...numbers, userid: 'root' }],
    ['the name root by another name of uid in its name', 'userid=root', { ...ofAccount, ...numbers }],
    ['a group wheel by another name of cn', 'gidNumber=3001', { ...ofGroup, commonname: 'wheel' }],
    ['a group wheel by another name of cn in its name', 'commonName=wheel', ofGroup],
    ['a group wheel by the OID of its class', 'cn=wheel', { ...ofGroup, objectclass: '1.3.6.1.1.1.2.2' }],
    ['a group with gid 0', 'cn=x', { objectclass: 'posixGroup', gidnumber: '0' }],
  ])('makes no account with %s', async (_, rdn, attrs) => {
    const dn = `${rdn},${desk}`;
    expect(await call('Create_LDAP_Object', { dn, attrs }, bob)).toBe('permission_denied');
    expect(await call('Check_LDAP_Object', { dn })).toBe(false);
  });

  it.each<[string, string, string, object]>([
    ['uid 0', 'Set_User_Attrs', carol, { attrs: { uidnumber: '0' } }],
    ['uid 0 as a further value', 'Set_User_Attrs', carol, { attrs: { uidnumber: '0' }, values: true }],
    ['gid 0', 'Set_User_Attrs', carol, { attrs: { gidnumber: ['0'] } }],
    ['gid 0', 'Set_User_Attrs', group, { attrs: { gidnumber: ['0'] } }],
    ['the name root', 'Rename_LDAP_Object', carol, { name: 'root' }],
    ['the name wheel', 'Rename_LDAP_Object', group, { name: 'Wheel' }],
    ['a second name root', 'Set_User_Attrs', carol, { attrs: { userid: ['root'] }, values: true }],
    ['a second name wheel', 'Set_User_Attrs', group, { attrs: { commonname: ['wheel'] }, values: true }],
    ['a second name root', 'Set_User_Attrs', carol, { attrs: { uid: ['root'] }, values: true }],
    ['a member of two words', 'Set_User_Attrs', group, { attrs: { memberuid: 'a:b' }, values: true }],
    ['a gecos of two fields', 'Set_User_Attrs', carol, { attrs: { gecos: 'X:/root' } }],
    ['a shell of two lines', 'Set_User_Attrs', carol, { attrs: { loginshell: '/bin/sh\nx' } }],
  ])('gives %s by %s to no account', async (_, method, dn, params) => {
    expect(await call(method, { dn, ...params }, bob)).toBe('permission_denied');
  });

  it('makes no account of an entry that has such a name already', async () => {
    expect(await call('Rename_LDAP_Object', { dn: plain, name: 'root' }, bob)).toBe(1);
    const dn = `uid=root,${desk}`;
    const attrs = { objectclass: ['posixAccount'], ...numbers };
    expect(await call('Set_User_Attrs', { dn, attrs, values: true }, bob)).toBe('permission_denied');
    expect(await call('Remove_LDAP_Object', { dn }, bob)).toBe(1);
  });

  it('makes no group of an entry that has such a name already', async () => {
    const dn = `cn=wheel,${desk}`;
    await make(dn, { objectclass: ['groupOfNames'], member: carol });
    const attrs = { objectclass: ['posixGroup'], gidnumber: '3001' };
    expect(await call('Set_User_Attrs', { dn, attrs, values: true }, bob)).toBe('permission_denied');
    expect(await call('Rename_LDAP_Object', { dn, name: 'x' }, bob)).toBe(1);
    const renamed = { dn: `cn=x,${desk}`, attrs, values: true };
    expect(await call('Set_User_Attrs', renamed, bob)).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn: renamed.dn }, bob)).toBe(1);
  });

  it('gives an entry no number when the entry has such a name already', async () => {
    const dn = `uid=root,${desk}`;
    await make(dn, { objectclass: withoutClass, cn: 'X', sn: 'X' });
    expect(await call('Set_User_Attrs', { dn, attrs: { uidnumber: '5000' } }, bob)).toBe('permission_denied');
    expect(await call('Set_User_Attrs', { dn, attrs: { mail: 'r@d.example' } }, bob)).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn }, bob)).toBe(1);
  });

  it('gives no such name to an entry that has a number without the class', async () => {
    const dn = `uid=numbered,${desk}`;
    await make(dn, { objectclass: withoutClass, cn: 'X', sn: 'X', uidnumber: '5000' });
    const second = { dn, attrs: { uid: ['root'] }, values: true };
    expect(await call('Set_User_Attrs', second, bob)).toBe('permission_denied');
    expect(await call('Rename_LDAP_Object', { dn, name: 'root' }, bob)).toBe('permission_denied');
    expect(await call('Set_User_Attrs', { ...second, attrs: { uid: ['other'] } }, bob)).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn }, bob)).toBe(1);
  });

  it('replaces a number that a super administrator set below the least', async () => {
    const set = { dn: carol, attrs: { uidnumber: '500' } };
    expect(await call('Set_User_Attrs', set)).toBe(1);
    expect(await call('Set_User_Attrs', { ...set, attrs: { uidnumber: '2000' } }, bob)).toBe(1);
  });

  it('renames no account to a name with another name of uid', async () => {
    const dn = `userid=erin,${desk}`;
    await make(dn, { ...ofAccount, ...numbers });
    expect(await call('Rename_LDAP_Object', { dn, name: 'root' }, bob)).toBe('permission_denied');
    expect(await call('Rename_LDAP_Object', { dn, name: 'rooty' }, bob)).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn: `uid=rooty,${desk}` }, bob)).toBe(1);
  });

  it('makes none by a copy of another directory', async () => {
    const copy = (attrs: object) => ({ dn: 'uid=x,dc=branch', attrs: { uid: 'x', ...numbers, ...attrs } });
    expect(await call('Sync_LDAP_Object', copy({ uidnumber: '0' }), bob)).toBe('permission_denied');
    expect(await call('Sync_LDAP_Object', copy({}), bob)).toBe(1);
    expect(await call('Sync_LDAP_Object', copy({ uidnumber: '0' }), bob)).toBe('permission_denied');
    expect(await call('Remove_LDAP_Object', { dn: `uid=x,ou=sync,${desk}` })).toBe(1);
  });

  it('names no account by steps of one batch that is a dry run', async () => {
    const body = [
      ['Create_LDAP_Object', { dn: `uid=x,${desk}`, attrs: { ...ofAccount, ...numbers } }],
      ['Set_User_Attrs', { dn: `uid=x,${desk}`, attrs: { uid: ['root'] }, values: true }],
    ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const { body: answers } = await fixture.answer({ as: bob, body, isDryRun: true });
    if (!Array.isArray(answers)) throw new Error('no batch');
    expect(answers.map(({ error }) => error?.reason)).toEqual([undefined, 'permission_denied']);
  });

  it('is told what is wrong, and which setting says so', async () => {
    const attrs = { ...ofAccount, ...numbers, uidnumber: '0' };
    const { error } = await fixture.call('Create_LDAP_Object', { dn: `uid=x,${desk}`, attrs }, { as: bob });
    expect(error?.data).toBe(
      `Could not create LDAP object 'uid=x,${desk}' (the number 0 is below 1000, the least (SshKey.MinUID))`,
    );
    const { error: named } = await fixture.call(
      'Rename_LDAP_Object',
      { dn: carol, name: 'root' },
      { as: bob },
    );
    expect(named?.data).toBe(
      `Could not rename LDAP object '${carol}' (the name root belongs to systems themselves (SshKey.ReservedNames))`,
    );
  });

  it('makes accounts and groups of others', async () => {
    const attrs = { ...ofAccount, ...numbers, uidnumber: '%AUTOINC%' };
    for (const uid of ['eve', 'mailer', 'x4711']) {
      expect(await call('Create_LDAP_Object', { dn: `uid=${uid},${desk}`, attrs }, bob)).toBe(1);
      expect(await call('Remove_LDAP_Object', { dn: `uid=${uid},${desk}` }, bob)).toBe(1);
    }
    expect(
      await call('Set_User_Attrs', { dn: carol, attrs: { uidnumber: '1000', mail: 'c@d.example' } }, bob),
    ).toBe(1);
    expect(await call('Set_User_Attrs', { dn: group, attrs: { gidnumber: '1000' } }, bob)).toBe(1);
    expect(await call('Set_User_Attrs', { dn: plain, attrs: { uid: ['mail'] }, values: true }, bob)).toBe(1);
    expect(await call('Set_User_Attrs', { dn: plain, attrs: { cn: ['wheel'] } }, bob)).toBe(1);
  });

  it('gives an entry without the class a home of Windows, of one field', async () => {
    const dn = `uid=windows,${desk}`;
    await make(dn, { objectclass: withoutClass, cn: 'X', sn: 'X' });
    const set = (homedirectory: string) => call('Set_User_Attrs', { dn, attrs: { homedirectory } }, bob);
    expect(await set('\\\\server\\homes')).toBe(1);
    expect(await set('x:/root:/bin/sh')).toBe('permission_denied');
    expect(await call('Remove_LDAP_Object', { dn }, bob)).toBe(1);
  });

  it('applies the settings of the installation', async () => {
    const settings = { 'SshKey.ReservedNames': 'root', 'SshKey.MinUID': '100' };
    const node = await fixture.another({
      config: { settings, roles: { desk: { ...role, members: [bob.dn] } } },
    });
    const set = async (attrs: object) =>
      (await node.call('Set_User_Attrs', { dn: carol, attrs }, { as: bob })).error?.reason;
    expect(await set({ uidnumber: '100' })).toBeUndefined();
    expect(await set({ uidnumber: '99' })).toBe('permission_denied');
    expect(await set({ uid: ['carol', 'wheel'] })).toBeUndefined();
    await node.close();
  });
});

it('lets a super administrator make an account of any name and number', async () => {
  await make(`uid=root,${desk}`, { ...ofAccount, ...numbers, uidnumber: '0' });
  expect(await call('Remove_LDAP_Object', { dn: `uid=root,${desk}` })).toBe(1);
});

it('knows an account by its class or its number, and a group by its class', () => {
  const entry = (objectclass: string, more: [string, string[]][] = []) =>
    new Map([['objectclass', [objectclass]], ...more]);
  const number: [string, string[]] = ['uidnumber', ['5000']];
  expect([entry('POSIXACCOUNT'), entry('user', [number]), entry('user')].map(isAccount)).toEqual([
    ...[true, true, false],
  ]);
  expect([entry('posixGroup'), entry('user')].map(isGroup)).toEqual([true, false]);
});
