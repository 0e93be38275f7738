/** The effective rights of an administrator: which of its roles count at a door, and which option sets restrict it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoleInterface } from '../../config/config.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';
import type { EffectiveRights } from './effective-rights.ts';
import type { RoleFacts } from './role-facts.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const bob = `uid=bob,${people}`;
const alice = `uid=alice,${people}`;
const shelf = `ou=shelf,${desk}`;
const jail = `ou=jail,${base}`;
const [sam, sue] = [`uid=sam,${jail}`, `uid=sue,${jail}`];
const outside = `ou=outside,${base}`;
const carol = `uid=carol,${desk}`;
const ops = `cn=ops,ou=groups,${base}`;
const bosses = `cn=bosses,${desk}`;

const set = { restricts: ['entries' as const], write: [] };
const role = {
  ...{ members: [bob], methods: ['*'], subtrees: [desk], create: ['*'] },
  write: ['mail', 'uid', 'gidNumber'],
};
const config = {
  super_admins: [`cn=administrators,ou=groups,${base}`, ops, bosses, sam],
  roles: {
    desk: { ...role, interfaces: ['Manager' as const] },
    shelf: { ...role, subtrees: [shelf], methods: ['Get_*'], interfaces: ['Manager' as const] },
    portal: { ...role, members: [bob, alice], subtrees: [base], interfaces: ['Portal' as const] },
  },
  option_sets: {
    around: { ...set, subtree: people, write: ['*'] },
    within: { ...set, subtree: shelf, read: ['webadmData'] },
    own: { ...set, subtree: bob },
    far: { ...set, subtree: `ou=groups,${base}` },
    everywhere: { ...set, subtree: bob, restricts: ['administrators' as const], write: role.write },
    jail: {
      ...set,
      subtree: jail,
      restricts: ['administrators' as const],
      write: ['*'],
      methods: ['Set_*', 'Rename_*'],
    },
  },
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ config });
  const make = (dn: string, attributes: Readonly<Record<string, string[]>>) =>
    fixture.directory.service.add(Dn.parse(dn), new Map(Object.entries(attributes)));
  for (const dn of [desk, shelf, jail, outside]) await make(dn, { objectclass: ['organizationalUnit'] });
  const person = { objectclass: ['inetOrgPerson'], cn: ['X'], sn: ['X'] };
  for (const dn of [sam, sue]) await make(dn, person);
  const account = { uidnumber: ['5000'], gidnumber: ['5000'], homedirectory: ['/home/carol'] };
  await make(carol, { ...person, ...account, objectclass: ['inetOrgPerson', 'posixAccount'] });
  const deciding = ['posixGroup', 'webadmGroup'];
  await make(ops, { objectclass: ['posixGroup'], gidnumber: ['6001'], memberuid: ['drew'] });
  await make(bosses, { objectclass: ['posixGroup'], gidnumber: ['6002'] });
  await make(`cn=open,ou=groups,${base}`, {
    ...{ objectclass: ['posixGroup'], gidnumber: ['6003'], memberuid: ['dora'] },
  });
  await make(`cn=named,ou=groups,${base}`, {
    objectclass: deciding,
    gidnumber: ['6004'],
    memberuid: ['nora'],
  });
  await make(`cn=ours,${desk}`, { objectclass: deciding, gidnumber: ['6005'], memberuid: ['duke'] });
});
afterAll(() => fixture.close());

const rightsAt = async (door: RoleInterface, dn = bob) => {
  const rights = await fixture.core.roles.rights(Dn.parse(dn), door);
  if (!rights) throw new Error('no administrator');
  return rights;
};

it('counts the roles that open the door', async () => {
  const [manager, portal] = [await rightsAt('Manager'), await rightsAt('Portal')];
  expect([manager, portal].map(({ roles }) => roles.map(({ name }) => name))).toEqual([
    ['desk', 'shelf'],
    ['portal'],
  ]);
  const writes = [manager, portal].map((rights) =>
    rights.permissionCheck('Set_User_Attrs').writes(Dn.parse(alice), 'mail'),
  );
  expect(writes).toEqual([false, true]);
  expect(await fixture.core.roles.rights(Dn.parse(alice), 'Manager')).toBeUndefined();
});

it('is restricted by the option sets of entries that it meets, and of its own entry', async () => {
  expect((await rightsAt('Manager')).optionSets).toEqual(['around', 'within', 'everywhere']);
  expect((await rightsAt('Manager', fixture.admin.dn)).optionSets).toEqual([
    'around',
    'within',
    'own',
    'far',
  ]);
});

it('is restricted at other entries by no option set of entries that holds its own', async () => {
  const check = (await rightsAt('Manager')).permissionCheck('Set_User_Attrs');
  expect(check.writes(Dn.parse(carol), 'mail')).toBe(true);
});

const call = async (method: string, params: object, as: Person = fixture.users.bob, node = fixture) => {
  const { result, error } = await node.call(method, params, { as });
  return error ? error.reason : result;
};

it.each([
  ['named as super administrators', 'drew', 'permission_denied'],
  ['that decides, out of reach', 'nora', 'permission_denied'],
  ['that decides, whose members it may not write', 'duke', 'permission_denied'],
  ['that decides nothing, out of reach', 'dora', 1],
])('lets an entry join a group %s by the name %s: %s', async (_, uid, answer) => {
  const join = { dn: carol, attrs: { uid: [uid] }, values: true };
  expect(await call('Set_User_Attrs', join)).toBe(answer);
});

it('gives no entry the number of a group of super administrators where systems read groups', async () => {
  const domains = { Default: { base, groups_base: `ou=groups,${base}` } };
  const desk = { ...config.roles.desk, write: ['gidNumber', 'memberUid'] };
  const node = await fixture.another({ config: { ...config, domains, roles: { desk } } });
  const join = { dn: carol, attrs: { gidnumber: ['6002'] } };
  expect(await call('Set_User_Attrs', join, fixture.users.bob, node)).toBe('permission_denied');
  await node.close();
});

describe('a super administrator whom nothing restricts but entries', () => {
  it('makes any account, and leads it into any group', async () => {
    const dn = `uid=root,${desk}`;
    const account = { uidnumber: '0', gidnumber: '0', homedirectory: '/root', cn: 'R', sn: 'R' };
    const attrs = { ...account, objectclass: ['inetOrgPerson', 'posixAccount'], uid: ['root', 'nora'] };
    expect(await call('Create_LDAP_Object', { dn, attrs }, fixture.admin)).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn }, fixture.admin)).toBe(1);
  });

  it('may change a group with members out of its reach', async () => {
    const node = await fixture.another({
      config: { ...config, option_sets: { shut: { ...set, subtree: shelf, methods: [] } } },
    });
    const rights = await node.core.roles.rights(Dn.parse(fixture.admin.dn), 'Manager');
    if (!rights) throw new Error('no administrator');
    const dn = Dn.parse(`cn=shut,${desk}`);
    const attributes = { objectclass: ['groupOfNames', 'webadmGroup'], member: [`uid=x,${shelf}`] };
    await fixture.directory.service.add(dn, new Map(Object.entries(attributes)));
    const mayDecide = rights.decidesBy(dn, node.directory.service);
    expect(await mayDecide(rights.permissionCheck('Set_User_Settings'))).toBe(true);
    const join = { dn: dn.format(), attrs: { member: [`uid=y,${shelf}`] }, values: true };
    expect(await call('Set_User_Attrs', join, fixture.admin, node)).toBe(1);
    await node.close();
  });

  it('renames no entry that an option set goes by', async () => {
    expect(await call('Rename_LDAP_Object', { dn: jail, name: 'gaol' }, fixture.admin)).toBe(
      'permission_denied',
    );
  });

  it('carries entries along with a container where no option set holds', async () => {
    const box = (above: string) => `ou=box,${above}`;
    const service = fixture.directory.service;
    const make = (dn: string) =>
      service.add(Dn.parse(dn), new Map([['objectclass', ['organizationalUnit']]]));
    for (const above of [desk, outside]) for (const dn of [box(above), `ou=in,${box(above)}`]) await make(dn);
    await make(`ou=other,${outside}`);
    const move = (from: string, container: string) =>
      call('Move_LDAP_Object', { dn: box(from), container }, fixture.admin);
    expect(await move(desk, outside)).toBe('permission_denied');
    expect(await move(outside, people)).toBe('permission_denied');
    expect(await move(outside, `ou=other,${outside}`)).toBe(1);
  });
});

it('restricted, changes others in the same subtree, and no group there whose members it may not', async () => {
  const rights = await rightsAt('Manager', sam);
  const ring = `cn=ring,${jail}`;
  const attributes = { objectclass: ['groupOfNames'], member: [sue] };
  await fixture.directory.service.add(Dn.parse(ring), new Map(Object.entries(attributes)));
  const administrators = Dn.parse(fixture.administrators);
  const join = { operation: 'add', attribute: 'member', values: [ring, sue] } as const;
  await fixture.directory.service.modify(administrators, [join]);
  expect(await rights.isSuperior(Dn.parse(sue))).toBe(false);
  expect(await rights.isSuperior(Dn.parse(ring))).toBe(true);
  expect(await rights.isSuperior(Dn.parse(fixture.admin.dn))).toBe(true);
  const all = { all: { ...config.option_sets.jail, subtree: base } };
  const node = await fixture.another({ config: { ...config, option_sets: all } });
  const alike = await node.core.roles.rights(Dn.parse(sam), 'Manager');
  expect(await alike?.isSuperior(Dn.parse(ring))).toBe(false);
  await node.close();
  await fixture.directory.service.modify(administrators, [{ ...join, operation: 'delete' }]);
});

it('renames an entry beside a role that is for another place', async () => {
  const rename = (from: string, name: string) => call('Rename_LDAP_Object', { dn: from, name });
  expect(await rename(carol, 'carla')).toBe(1);
  expect(await rename(`uid=carla,${desk}`, 'carol')).toBe(1);
});

it('admits what each option set leaves that restricts it wherever it works', async () => {
  const rights = await rightsAt('Manager', sam);
  expect(['Set_User_Attrs', 'Get_User_Attrs'].map((method) => rights.admits(method))).toEqual([true, false]);
});

it('reads secrets of user data as a super administrator, and by a role that names them', async () => {
  const reads = async (dn: string) => {
    const { directory } = fixture.core;
    const { readsSecret } = (await rightsAt('Manager', dn)).over(directory, 'Get_User_Data', directory);
    return readsSecret(Dn.parse(`uid=x,${shelf}`), 'Otp.TokenKey');
  };
  expect([await reads(fixture.admin.dn), await reads(bob)]).toEqual([true, false]);
});

it('administers what is in reach by the name that the caller writes and by that of the directory', async () => {
  const { roles, directory } = fixture.core;
  const rights = await rightsAt('Manager');
  const away = Dn.parse(`uid=away,${outside}`);
  const facts = new Proxy<RoleFacts>(roles, {
    get: (of, name) => {
      const fact = Reflect.get(of, name);
      return name === 'place' ? async () => away : fact.bind(of);
    },
  });
  const administers = (by: EffectiveRights, dn: Dn) =>
    by.over(directory, 'Set_User_Attrs', directory).assertAdministers(dn);
  const refused = { reason: 'permission_denied' };
  await expect(administers(rights.among(facts), Dn.parse(carol))).rejects.toMatchObject(refused);
  fixture.directory.takeAsked();
  await expect(administers(rights, away)).rejects.toMatchObject(refused);
  expect(fixture.directory.takeAsked()).toEqual([]);
  expect((await administers(rights, Dn.parse(carol.toUpperCase()))).format()).toBe(carol);
});

it('renames an administrator within the option set that restricts the caller, and not out of it', async () => {
  const { service } = fixture.directory;
  const { directory } = (await rightsAt('Manager', sam)).over(service, 'Rename_LDAP_Object', service);
  const member = { attribute: 'member', values: [sue] };
  await service.modify(Dn.parse(fixture.administrators), [{ ...member, operation: 'add' }]);
  const rename = (parent: string) =>
    directory.rename(Dn.parse(sue), { rdn: Dn.parse(sue).rdn, parent: Dn.parse(parent) });
  await expect(rename(outside)).rejects.toMatchObject({ reason: 'permission_denied' });
  await rename(jail);
  await service.modify(Dn.parse(fixture.administrators), [{ ...member, operation: 'delete' }]);
});
