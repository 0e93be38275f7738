/** Groups that count on a Samba Active Directory: direct, primary and nested ones, at every door that decides by groups. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLdapDirectory } from '../../../../ldap/src/index.ts';
import { systemClock } from '../../../../node/src/machine/index.ts';
import { claimsOf } from '../../applications/sso/openid/claims.ts';
import type { ServiceConfigInput } from '../../config/config.ts';
import type { ManagerCalls } from '../../doors/manager/methods.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import { type Samba, startSamba } from '../../testing/bed/engines/samba.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { refusalOf } from '../../testing/bed/stage.ts';
import { KeptLog } from '../../testing/kept-log.ts';

const password = 'C0rrect-Horse.42';
/** Universal and distribution: in no `tokenGroups`. */
const distribution = '8';
const domainLocal = '-2147483644';

let samba: Samba;
let directory: DirectoryServer;
let fixture: Fixture;
let manager: ManagerCalls;
let close: () => Promise<void>;
/** The base of the domain; groups stand elsewhere. */
let people: string;
const dnOf = (name: string): string => `CN=${name},${people}`;
const groupOf = (name: string): string => `CN=${name},${samba.users}`;

beforeAll(async () => {
  samba = await startSamba();
  const bind = { bind_dn: samba.adminDn, bind_password: samba.adminPassword };
  directory = openLdapDirectory(
    { urls: [samba.ldapsUrl], ca: samba.ca, base: samba.base, ...bind },
    { clock: systemClock, log: new KeptLog() },
  );
  people = `OU=people,${samba.base}`;
  fixture = await openFixture({ config: configOf({}), ports: () => ({ directory }) });
  const login = { username: samba.adminDn, password: samba.adminPassword };
  ({ manager, close } = await fixture.service.manager.login(login));
  await manager.Create_LDAP_Object({ dn: people, attrs: { objectclass: 'organizationalUnit' } });
  for (const name of ['ann', 'eve', 'bob']) await user(name);
  // Ann: staff (direct) in list (a distribution group) in everyone (domain local).
  await group('staff', [dnOf('ann')]);
  await group('list', [groupOf('staff')], distribution);
  await group('everyone', [groupOf('list')], domainLocal);
  // Eve: contractors (primary) in suppliers.
  await group('contractors', [dnOf('eve')]);
  await group('suppliers', [groupOf('contractors')], domainLocal);
  const { primarygrouptoken: token = [] } = await manager.Get_User_Attrs({
    dn: groupOf('contractors'),
    attrs: ['primaryGroupToken'],
  });
  await manager.Set_User_Attrs({ dn: dnOf('eve'), attrs: { primarygroupid: token } });
  const member = { dn: groupOf('Domain Users'), attrs: { member: [dnOf('eve')] } };
  await manager.Remove_User_Attrs({ ...member, values: true });
});
afterAll(async () => {
  await close();
  await fixture.close();
  await samba.stop();
});

function configOf(more: Partial<ServiceConfigInput>, domain: object = {}): Partial<ServiceConfigInput> {
  return {
    manager_auth: 'DN' as const,
    super_admins: [samba.adminDn],
    settings: { 'Otp.LoginMode': 'LDAP' },
    ...more,
    domains: { Default: { base: people, ...domain } },
  };
}

async function user(name: string): Promise<void> {
  const attrs = { objectclass: ['user', 'webadmAccount'], samaccountname: name, userpassword: password };
  await manager.Create_LDAP_Object({ dn: dnOf(name), attrs });
}

async function group(name: string, member: string[], grouptype?: string): Promise<void> {
  const type = grouptype === undefined ? {} : { grouptype };
  const attrs = { objectclass: 'group', samaccountname: name, member, ...type };
  await manager.Create_LDAP_Object({ dn: groupOf(name), attrs });
}

const nodeWith = (more: Partial<ServiceConfigInput>, domain: object = {}): Promise<Fixture> =>
  fixture.another({ config: configOf(more, domain), ports: () => ({ directory }) });

const logIn = async ({ service }: Fixture, username: string): Promise<number> =>
  (await service.web.otp.normalLogin({ username, ldapPassword: password })).code;

/** Who of the three logs in. */
async function admitted(node: Fixture): Promise<readonly string[]> {
  const names = ['ann', 'bob', 'eve'];
  const codes = await Promise.all(names.map((name) => logIn(node, name)));
  return names.filter((_, at) => codes[at] === 1);
}

describe('the groups of a domain', () => {
  it.each([
    ['excluded: the primary group', 'excluded_groups', 'contractors', ['ann', 'bob']],
    ['excluded: a group above the primary one', 'excluded_groups', 'suppliers', ['ann', 'bob']],
    ['excluded: a direct group', 'excluded_groups', 'staff', ['bob', 'eve']],
    ['excluded: a distribution group above', 'excluded_groups', 'list', ['bob', 'eve']],
    ['excluded: a group above that', 'excluded_groups', 'everyone', ['bob', 'eve']],
    ['excluded: the primary group of most', 'excluded_groups', 'Domain Users', ['eve']],
    ['allowed: the primary group of most', 'allowed_groups', 'Domain Users', ['ann', 'bob']],
    ['allowed: the primary group of one', 'allowed_groups', 'contractors', ['eve']],
    ['allowed: a group above groups', 'allowed_groups', 'everyone', ['ann']],
  ])('%s decides', async (_, key, name, expected) => {
    const node = await nodeWith({}, { [key]: [groupOf(name)] });
    expect(await admitted(node)).toEqual(expected);
    const found = await Promise.all(
      ['ann', 'bob', 'eve'].map(async (username) => {
        const call = node.call('Get_User_DN', { username, domain: 'Default' }, { as: administrator() });
        return (await call).result === undefined ? [] : [username];
      }),
    );
    expect(found.flat()).toEqual(expected);
  });

  it('decide outside of groups_base, too, but settings there have no effect', async () => {
    const groups_base = `CN=Builtin,${samba.base}`;
    const node = await nodeWith({}, { groups_base, excluded_groups: [groupOf('contractors')] });
    expect(await admitted(node)).toEqual(['ann', 'bob']);
  });

  it('admit no excluded user by DN, nor as a super administrator', async () => {
    const excluded = { excluded_groups: [groupOf('contractors')] };
    const node = await nodeWith({ manager_auth: 'UID', super_admins: [dnOf('eve')] }, excluded);
    const login = { username: 'eve', password };
    expect((await refusalOf(node.service.manager.login(login))).reason).toBe('credentials_refused');
    const named = { username: dnOf('eve'), ldapPassword: password, options: 'LDAPDN' };
    expect((await node.service.web.otp.normalLogin(named)).code).toBe(0);
    const open = await nodeWith({ manager_auth: 'UID', super_admins: [dnOf('eve')] });
    await (await open.service.manager.login(login)).close();
  });
});

const administrator = () => ({ username: samba.adminDn, password: samba.adminPassword });

describe('the groups of a client', () => {
  it.each([
    ['allowed_groups', 'suppliers', ['eve']],
    ['excluded_groups', 'contractors', ['ann', 'bob']],
    ['excluded_groups', 'everyone', ['bob', 'eve']],
  ])('%s: %s decides', async (key, name, expected) => {
    const addresses = ['0.0.0.0/0', '::/0'];
    const node = await nodeWith({ clients: { vpn: { addresses, [key]: [groupOf(name)] } } });
    const names = ['ann', 'bob', 'eve'];
    const codes = await Promise.all(
      names.map(async (username) => {
        const asked = { username, ldapPassword: password, client: 'vpn' };
        return (await node.service.web.otp.normalLogin(asked)).code;
      }),
    );
    expect(names.filter((_, at) => codes[at] === 1)).toEqual(expected);
  });
});

describe('settings of groups', () => {
  const set = async (name: string, settings: Record<string, string | null>) => {
    await manager.Activate_LDAP_Object({ dn: groupOf(name) });
    await manager.Set_User_Settings({ dn: groupOf(name), settings });
  };
  const tries = async (name: string) => {
    const settings = ['Otp.MaxTries'] as const;
    return (await manager.Get_User_Settings({ dn: dnOf(name), settings }))['Otp.MaxTries'];
  };

  it.each([
    ['contractors', ['eve']],
    ['suppliers', ['eve']],
    ['everyone', ['ann']],
    ['list', ['ann']],
    ['Domain Users', ['ann', 'bob']],
  ])('of %s are in force for its primary and nested members', async (name, members) => {
    const before = await tries('bob');
    await set(name, { 'Otp.MaxTries': '9' });
    const found = ['ann', 'bob', 'eve'].map(async (one) => ((await tries(one)) === '9' ? [one] : []));
    expect((await Promise.all(found)).flat()).toEqual(members);
    await set(name, { 'Otp.MaxTries': null });
    expect(await tries('ann')).toBe(before);
  });

  it('of a direct group have precedence over those of a group above it', async () => {
    await set('everyone', { 'Otp.MaxTries': '8' });
    await set('staff', { 'Otp.MaxTries': '7' });
    expect(await tries('ann')).toBe('7');
    for (const name of ['everyone', 'staff']) await set(name, { 'Otp.MaxTries': null });
  });

  it('close a login by the primary group', async () => {
    await set('contractors', { 'Otp.EnableLogin': 'No' });
    expect(await admitted(fixture)).toEqual(['ann', 'bob']);
    await set('contractors', { 'Otp.EnableLogin': null });
    expect(await admitted(fixture)).toEqual(['ann', 'bob', 'eve']);
  });
});

it('returns direct groups and the primary one, also outside of the domain’s base (Get_User_Groups)', async () => {
  const groupsOf = async (name: string) =>
    [...(await manager.Get_User_Groups({ dn: dnOf(name), domain: 'Default' }))].sort();
  expect(await groupsOf('ann')).toEqual([groupOf('Domain Users'), groupOf('staff')]);
  expect(await groupsOf('eve')).toEqual([groupOf('contractors')]);
});

describe('administrators', () => {
  it.each([
    ['the primary group', 'contractors', 'eve'],
    ['a group above the primary one', 'suppliers', 'eve'],
    ['a group above groups', 'everyone', 'ann'],
  ])('are named by %s', async (_, name, who) => {
    const as = { username: dnOf(who), password };
    const superAdmins = await nodeWith({ super_admins: [groupOf(name)] });
    expect((await superAdmins.call('Who_Am_I', {}, { as })).result).toMatchObject({ super_admin: true });
    const roles = { desk: { members: [groupOf(name)], methods: ['*'], subtrees: [people] } };
    const byRole = await nodeWith({ roles });
    expect((await byRole.call('Who_Am_I', {}, { as })).result).toMatchObject({ roles: { desk: {} } });
    const bob = { username: dnOf('bob'), password };
    for (const node of [superAdmins, byRole])
      expect((await node.call('Who_Am_I', {}, { as: bob })).error).toBeDefined();
  });

  it('by their primary group are changed by no administrator with fewer rights', async () => {
    const row = { methods: ['*'], subtrees: [samba.base], read: ['*'], write: ['*'], create: ['*'] };
    const node = await nodeWith({
      super_admins: [samba.adminDn, groupOf('suppliers')],
      roles: { desk: { ...row, members: [dnOf('bob')] } },
    });
    const as = { username: dnOf('bob'), password };
    // The directory’s own rights refuse them too, in other words.
    const refusal = async (method: string, params: object) =>
      JSON.stringify((await node.call(method, params, { as })).error);
    const superior = 'the object is an administrator’s who may do more than you';
    const attrs = { description: 'x' };
    expect(await refusal('Set_User_Attrs', { dn: dnOf('eve'), attrs })).toContain(superior);
    // The group is one of super administrators; its settings would be those of its members.
    expect(await refusal('Set_User_Attrs', { dn: groupOf('contractors'), attrs })).toContain(superior);
    // Bob becomes no member by an attribute of his own entry.
    const { primarygroupid } = await manager.Get_User_Attrs({ dn: dnOf('eve'), attrs: ['primaryGroupID'] });
    const joining = { dn: dnOf('ann'), attrs: { primarygroupid } };
    expect(await refusal('Set_User_Attrs', joining)).toContain('would join or leave a group');
    // By herself, Eve is a super administrator; the settings of her primary group would be hers.
    const byName = await nodeWith({
      super_admins: [samba.adminDn, dnOf('eve')],
      roles: { desk: { ...row, members: [dnOf('bob')] } },
    });
    const settings = { 'Otp.EnableLogin': 'No' };
    const setting = byName.call('Set_User_Settings', { dn: groupOf('contractors'), settings }, { as });
    expect(JSON.stringify((await setting).error)).toContain('the group has a member');
  });
});

it('names all effective groups in the claim, by DN or by name', async () => {
  const { core } = fixture;
  const session = { dn: Dn.parse(dnOf('eve')), id: 'x', name: { username: 'eve', domain: 'Default' } };
  const view = { ...core, directory: core.server.service };
  const byDn = (await claimsOf(session, 'dn', view))?.groups as string[];
  expect([...byDn].sort()).toEqual([groupOf('contractors'), groupOf('suppliers')]);
  const byName = (await claimsOf(session, 'name', view))?.groups as string[];
  expect([...byName].sort()).toEqual(['contractors', 'suppliers']);
});

describe('the requests of a login', () => {
  const asked = async (node: Fixture, username: string) => {
    node.directory.takeAsked();
    expect(await logIn(node, username)).toBe(1);
    return node.directory.takeAsked().filter((name) => name !== 'capabilities');
  };

  it('are four at most, and two when the groups of the user were searched within a second', async () => {
    const excluded = ['staff', 'list', 'everyone'].map(groupOf);
    const node = await nodeWith({}, { excluded_groups: excluded, allowed_groups: [groupOf('suppliers')] });
    expect(await asked(node, 'eve')).toHaveLength(4);
    expect(await asked(node, 'eve')).toHaveLength(2);
    node.clock.advance(1_000);
    expect(await asked(node, 'eve')).toHaveLength(4);
  });
});
