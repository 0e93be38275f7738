/** Attributes and classes that an administrator may see beforehand; of attributes and classes; of methods, the matrix compares it with the calls. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const people = 'ou=people,dc=example,dc=org';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      super_admins: ['cn=administrators,ou=groups,dc=example,dc=org'],
      roles: {
        desk: {
          ...{
            members: [`uid=bob,${people}`],
            subtrees: [people],
            methods: ['Set_User_Attrs', 'Otp.Token_*'],
          },
          ...{ write: ['mail', 'MOBILE'], create: [] },
        },
        maker: {
          ...{
            members: [`uid=bob,${people}`],
            subtrees: [`ou=new,${people}`],
            methods: ['Create_LDAP_Object'],
          },
          ...{ write: ['uid', 'cn', 'sn'], create: ['inetOrgPerson'] },
        },
      },
      option_sets: { calm: { subtree: `uid=alice,${people}`, restricts: ['entries'], write: ['mail'] } },
    },
  });
});
afterAll(() => fixture.close());

async function allowed(params: object, as = fixture.users.bob) {
  const { result, error } = await fixture.call('What_May_I', params, { as });
  if (error) throw new Error(error.reason);
  const { methods, ...rest } = Object(result);
  return { ...rest, calls: (name: string): boolean => methods.includes(name) };
}

const attributes = ['mail', 'mobile', 'sn', 'userPassword'];
const classes = ['inetOrgPerson', 'groupOfNames'];

it('names what may be written and made there, by the method that is to do it, however the name is spelled', async () => {
  const dn = `UID=Bob , OU=People,dc=example,DC=org`;
  expect(await allowed({ dn, attributes, classes })).toMatchObject({ write: ['mail', 'mobile'], create: [] });
  const below = { dn: `ou=new,${people}`, attributes, classes, method: 'Create_LDAP_Object' };
  expect(await allowed(below)).toMatchObject({
    read: attributes.slice(0, 3),
    write: ['sn'],
    create: ['inetOrgPerson'],
  });
});

it('leaves out what an option set does not leave, and what stands out of reach', async () => {
  const of = { attributes, classes };
  expect(await allowed({ dn: `uid=alice,${people}`, ...of })).toMatchObject({ write: ['mail'], create: [] });
  expect(await allowed({ dn: 'ou=groups,dc=example,dc=org', ...of })).toMatchObject({
    write: [],
    create: [],
  });
  expect(await allowed({ dn: `uid=alice,${people}`, ...of }, fixture.admin)).toMatchObject({
    write: ['mail'],
  });
});

it('names no method that lacks what it needs beside, on any entry', async () => {
  const { calls } = await allowed({});
  expect(calls('Set_User_Attrs')).toBe(true);
  expect(calls('Otp.Token_Disable')).toBe(false);
  expect((await allowed({}, fixture.admin)).calls('Otp.Token_Disable')).toBe(true);
  expect(calls('Who_Am_I')).toBe(true);
  expect(calls('Get_User_Attrs')).toBe(false);
});

it('leaves out what changes a group with a member of whom the caller may not decide', async () => {
  const role = { members: [fixture.users.bob.dn], subtrees: [`ou=teams,${people}`] };
  const grants = { methods: ['*'], write: ['*'], create: ['*'] };
  const node = await fixture.another({ config: { roles: { teams: { ...role, ...grants } } } });
  const make = async (dn: string, attrs: object) =>
    expect((await node.call('Create_LDAP_Object', { dn, attrs })).error).toBeUndefined();
  await make(`ou=teams,${people}`, { objectclass: 'organizationalUnit' });
  const [ours, theirs] = [`cn=ours,ou=teams,${people}`, `cn=theirs,ou=teams,${people}`];
  await make(ours, { objectclass: 'groupOfNames', member: [`ou=teams,${people}`] });
  await make(theirs, { objectclass: 'groupOfNames', member: [fixture.admin.dn] });
  const asked = { attributes: ['description', 'webadmSettings', 'gidNumber'], classes: ['webadmGroup'] };
  const about = async (dn: string) => {
    const { result } = await node.call('What_May_I', { dn, ...asked }, { as: fixture.users.bob });
    const { methods, write, create } = Object(result);
    const calls = ['Set_User_Settings', 'Remove_LDAP_Object', 'Rename_LDAP_Object', 'Activate_LDAP_Object'];
    return { write, create, calls: calls.filter((name) => methods.includes(name)) };
  };
  expect(await about(ours)).toMatchObject({ write: asked.attributes, create: asked.classes });
  expect((await about(ours)).calls).toHaveLength(4);
  expect(await about(theirs)).toEqual({ write: ['description'], create: [], calls: [] });
  const refused = { dn: theirs, attrs: { webadmsettings: 'Otp.MaxTries=3' } };
  const { error } = await node.call('Set_User_Attrs', refused, { as: fixture.users.bob });
  expect(error?.reason).toBe('permission_denied');
  await node.close();
});

it('names the attribute of data for methods that write data, not for values of a role', async () => {
  const grants = { subtrees: [people], methods: ['*'], write: ['*'], create: [] };
  const node = await fixture.another({
    config: { roles: { all: { ...grants, members: [fixture.users.bob.dn] } } },
  });
  const about = async (method: string) => {
    const asked = { dn: `uid=alice,${people}`, attributes: ['webadmData'], method };
    return Object((await node.call('What_May_I', asked, { as: fixture.users.bob })).result).write;
  };
  expect(await about('Set_User_Attrs')).toEqual([]);
  expect(await about('Set_User_Data')).toEqual(['webadmData']);
  await node.close();
});

describe('What_May_I about one entry', () => {
  const boss = `uid=boss,ou=team,${people}`;
  const gone = `uid=gone,ou=team,${people}`;
  const group = `cn=theirs,ou=team,${people}`;
  const reading = ['Get_User_Attrs', 'Get_User_DN'];
  const [moving, changing] = ['Move_LDAP_Object', ['Set_User_Attrs', 'Revoke_Certificate']];
  const named = [...reading, moving, ...changing, 'Send_Mail', 'List_Roles'];
  let node: Fixture;
  beforeAll(async () => {
    const grants = { methods: ['*'], write: ['*'], create: ['*'] };
    node = await fixture.another({
      config: {
        super_admins: [boss, fixture.administrators],
        roles: { team: { members: [fixture.users.bob.dn], subtrees: [`ou=team,${people}`], ...grants } },
        option_sets: {
          quiet: { subtree: `ou=groups,dc=example,dc=org`, restricts: ['entries'], methods: ['Get_*'] },
        },
      },
    });
    const person = { objectclass: 'inetOrgPerson', cn: 'X', sn: 'X' };
    for (const [dn, attrs] of [
      [`ou=team,${people}`, { objectclass: 'organizationalUnit' }],
      [boss, person],
      [`uid=ann,ou=team,${people}`, person],
      [group, { objectclass: 'groupOfNames', member: boss }],
    ] as const)
      expect((await node.call('Create_LDAP_Object', { dn, attrs })).error).toBeUndefined();
  });
  afterAll(() => node.close());

  const offered = async (params: object, as = fixture.users.bob) => {
    const { methods } = Object((await node.call('What_May_I', params, { as })).result);
    return named.filter((name) => methods.includes(name));
  };

  it.each<[string, string, readonly string[]]>([
    ['an entry', `uid=ann,ou=team,${people}`, []],
    ['an administrator who may do more', boss, [moving, ...changing]],
    ['a group with a member who may do more', group, [moving]],
    ['an entry that is not there', gone, [moving]],
    ['an entry out of reach', `uid=alice,${people}`, [...reading, moving, ...changing]],
  ])('leaves out what would be refused to a role about %s', async (_, dn, refused) => {
    const left = named.filter((name) => name !== 'List_Roles' && !refused.includes(name));
    expect(await offered({ dn })).toEqual(left);
  });

  it('leaves out what an option set does not leave to a super administrator', async () => {
    expect(await offered({ dn: boss }, fixture.admin)).toEqual(named);
    const left = named.filter((name) => name !== moving && !changing.includes(name));
    expect(await offered({ dn: 'ou=groups,dc=example,dc=org' }, fixture.admin)).toEqual(left);
  });
});

it('names all methods to a super administrator whom nothing restricts, the entry there or not', async () => {
  const node = await fixture.another();
  for (const dn of [`uid=bob,${people}`, `uid=gone,${people}`]) {
    const { methods } = Object((await node.call('What_May_I', { dn })).result);
    expect(methods).toEqual(expect.arrayContaining(['Move_LDAP_Object', 'Remove_LDAP_Object', 'Set_Role']));
  }
  await node.close();
});

it('names the attribute of data to a super administrator for any method', async () => {
  const asked = { dn: `uid=bob,${people}`, attributes: ['webadmData'] };
  expect(await allowed(asked, fixture.admin)).toMatchObject({ write: ['webadmData'] });
});
