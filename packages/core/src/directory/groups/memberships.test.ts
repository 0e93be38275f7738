/** Groups that count: nested ones, primary ones of POSIX, and groups outside of the domain's base. On OpenLDAP and embedded. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceConfigInput } from '../../config/config.ts';
import { webRequest } from '../../testing/bed/children/echo.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';

const password = 'Pa55-of-them';
const posix = {
  objectclass: ['inetOrgPerson', 'posixAccount', 'webadmAccount'],
  ...{ uidnumber: '2000', homedirectory: '/home/x' },
};

/** What administrators of roles may is for the roles alone to say. */
const access = `access to attrs=userPassword by anonymous auth by users write
access to * by users write by anonymous auth`;

describe.each(engines)('groups that count: %s', (engine) => {
  let stage: Stage;
  /** The base of the domain, and where groups stand, beside it. */
  let people: string;
  let groups: string;
  let ann: string;
  let eve: string;
  beforeAll(async () => {
    stage = await openStage(engine, { access });
    people = await stage.container();
    groups = await stage.container();
    const own = { userpassword: password, webadmsettings: ['Otp.LoginMode=LDAP'] };
    ann = await stage.person(people, 'ann', own);
    eve = await stage.person(people, 'eve', { ...own, ...posix, gidnumber: '5000' });
    await stage.person(people, 'bob', own);
  });
  afterAll(() => stage.close());
  // A caller who was refused before may try again.
  beforeEach(() => stage.fixture.clock.advance(86_400_000));

  const made: string[] = [];
  afterEach(async () => {
    for (const dn of made.splice(0).reverse()) await stage.manager.Remove_LDAP_Object({ dn });
  });
  const group = async (name: string, attrs: object, manager = stage.manager): Promise<string> => {
    const dn = `cn=${name},${groups}`;
    await manager.Create_LDAP_Object({ dn, attrs: { ...attrs } });
    made.push(dn);
    return dn;
  };
  const holding = (name: string, ...member: string[]): Promise<string> =>
    group(name, { objectclass: ['groupOfNames', 'webadmGroup'], member });
  const numbered = (name: string, gidnumber: string, more = {}): Promise<string> =>
    group(name, { objectclass: ['posixGroup', 'webadmGroup'], gidnumber, ...more });

  const nodeWith = (domain: object = {}, more: Partial<ServiceConfigInput> = {}): Promise<Fixture> =>
    stage.node({ config: { ...more, domains: { Default: { base: people, ...domain } } } });
  const answerOf = async ({ service }: Fixture, username: string) => {
    const body = JSON.stringify({ username, ldapPassword: password });
    const response = await service.web.answer(webRequest('/otp/json/otpNormalLogin/', { body }));
    return JSON.parse(String(response.body));
  };
  const admitted = async (node: Fixture): Promise<readonly string[]> => {
    const names = ['ann', 'bob', 'eve'];
    const answers = await Promise.all(names.map((name) => answerOf(node, name)));
    return names.filter((_, at) => answers[at].code === 1);
  };

  it('admit and exclude by nested groups, deep and circular', async () => {
    const inner = await holding('inner', ann);
    const middle = await holding('middle', inner);
    const outer = await holding('outer', middle);
    await stage.manager.Set_User_Attrs({ dn: inner, attrs: { member: [outer] }, values: true });
    for (const dn of [inner, middle, outer]) {
      expect(await admitted(await nodeWith({ excluded_groups: [dn] }))).toEqual(['bob', 'eve']);
      expect(await admitted(await nodeWith({ allowed_groups: [dn] }))).toEqual(['ann']);
    }
    await stage.manager.Set_User_Attrs({ dn: inner, attrs: { member: [ann] } });
  });

  it('admit and exclude by the number and the name of a posix group, and by a group above it', async () => {
    const staff = await numbered('staff', '5000');
    const named = await numbered('named', '5009', { memberuid: 'ann' });
    const all = await holding('all', staff);
    expect(await admitted(await nodeWith({ excluded_groups: [staff] }))).toEqual(['ann', 'bob']);
    expect(await admitted(await nodeWith({ excluded_groups: [all] }))).toEqual(['ann', 'bob']);
    expect(await admitted(await nodeWith({ allowed_groups: [all, named] }))).toEqual(['ann', 'eve']);
  });

  it('exclude when both lists name a group', async () => {
    const [inner, allowed] = [await holding('inner', ann), await holding('allowed', ann, eve)];
    const excluded = await holding('excluded', inner);
    const node = await nodeWith({ allowed_groups: [allowed], excluded_groups: [excluded] });
    expect(await admitted(node)).toEqual(['eve']);
  });

  it('exclude by a name in a spelling that only the directory knows', async () => {
    const staff = `gidNumber=5000,${groups}`;
    await stage.manager.Create_LDAP_Object({
      dn: staff,
      attrs: { objectclass: 'posixGroup', cn: 'staff', gidnumber: '5000' },
    });
    made.push(staff);
    const node = await nodeWith({ excluded_groups: [`1.3.6.1.1.1.1.1=5000,${groups}`] });
    // The embedded directory knows the names that we know: there is no such group.
    expect(await admitted(node)).toEqual(engine === 'embedded' ? ['ann', 'bob', 'eve'] : ['ann', 'bob']);
  });

  it('refuse a user whose groups are nested beyond the bounds, excluded or not', async () => {
    let above = await holding('level 0', ann);
    for (let level = 1; level <= 33; level += 1) above = await holding(`level ${level}`, above);
    const node = await nodeWith({ excluded_groups: [above] });
    expect(await answerOf(node, 'ann')).toMatchObject({ error: 'ServerError' });
    expect(await admitted(node)).toEqual(['bob', 'eve']);
    const call = node.call('Get_User_DN', { username: 'ann', domain: 'Default' }, { as: stage.credentials });
    expect((await call).error).toMatchObject({ reason: 'unavailable' });
  });

  it('refuse all users when the search base of groups is missing', async () => {
    const inner = await holding('inner', ann);
    const missing = { groups_base: `ou=gone,${stage.base}`, excluded_groups: [inner] };
    expect(await answerOf(await nodeWith(missing), 'bob')).toMatchObject({ error: 'ServerError' });
  });

  it('are searched in the whole directory, or below groups_base, and count elsewhere when they are named', async () => {
    const inner = await holding('inner', ann);
    await stage.manager.Set_User_Settings({ dn: inner, settings: { 'Otp.EnableLogin': false } });
    expect(await admitted(await nodeWith())).toEqual(['bob', 'eve']);
    expect(await admitted(await nodeWith({ groups_base: groups }))).toEqual(['bob', 'eve']);
    const elsewhere = await nodeWith({ groups_base: people });
    // An entry that names its groups itself needs no search for them.
    expect(await admitted(elsewhere)).toEqual(['bob', 'eve']);
    const staff = await numbered('staff', '5000', { webadmsettings: ['Otp.EnableLogin=No'] });
    expect(await admitted(await nodeWith())).toEqual(['bob']);
    expect(await admitted(elsewhere)).toEqual(['bob', 'eve']);
    const named = await nodeWith({ groups_base: people, excluded_groups: [staff] });
    expect(await admitted(named)).toEqual(['bob']);
  });

  it('give settings through nested groups, and a nearer group has precedence', async () => {
    const inner = await holding('inner', ann);
    const outer = await holding('outer', inner);
    const settings = ['Otp.MaxTries'] as const;
    const manager = await stage.enter({ config: { domains: { Default: { base: people } } } });
    await manager.Set_User_Settings({ dn: outer, settings: { 'Otp.MaxTries': '8' } });
    expect(await manager.Get_User_Settings({ dn: ann, settings })).toEqual({ 'Otp.MaxTries': '8' });
    await manager.Set_User_Settings({ dn: inner, settings: { 'Otp.MaxTries': '7' } });
    expect(await manager.Get_User_Settings({ dn: ann, settings })).toEqual({ 'Otp.MaxTries': '7' });
    const explained = await manager.Explain_User_Settings({ dn: ann, settings });
    expect(explained['Otp.MaxTries']).toMatchObject({
      from: inner,
      overridden: [{ from: outer }, { from: null }],
    });
  });

  it('change with writes of this node at once, and of others within a second', async () => {
    const inner = await holding('inner', ann);
    const outer = await holding('outer', eve);
    const node = await nodeWith({ excluded_groups: [outer] });
    const join = { dn: outer, attrs: { member: [inner] }, values: true };
    expect(await admitted(node)).toEqual(['ann', 'bob']);
    await node.call('Set_User_Attrs', join, { as: stage.credentials });
    expect(await admitted(node)).toEqual(['bob']);
    await node.call('Remove_User_Attrs', join, { as: stage.credentials });
    expect(await admitted(node)).toEqual(['ann', 'bob']);
    await stage.manager.Set_User_Attrs(join);
    node.clock.advance(1_000);
    expect(await admitted(node)).toEqual(['bob']);
  });

  it('are returned by Get_User_Groups when they hold the user directly, anywhere', async () => {
    const inner = await holding('inner', eve);
    await holding('outer', inner);
    const staff = await numbered('staff', '5000');
    const manager = await stage.enter({ config: { domains: { Default: { base: people } } } });
    const found = await manager.Get_User_Groups({ dn: eve, domain: 'Default' });
    expect([...found].sort()).toEqual([inner, staff].sort());
  });

  it('make administrators by nested groups, also by a role, who may write', async () => {
    const outer = await holding('outer', await holding('inner', ann));
    const as = { username: 'ann', password };
    const scope = { methods: ['*'], subtrees: [people], read: ['*'], write: ['*'], create: ['*'] };
    const shared = { manager_auth: 'UID' } as const;
    const supers = await nodeWith({}, { ...shared, super_admins: [outer] });
    expect((await supers.call('Who_Am_I', {}, { as })).result).toMatchObject({ super_admin: true });
    const roles = { desk: { ...scope, members: [outer] } };
    const byRole = await nodeWith({}, { ...shared, super_admins: [stage.credentials.username], roles });
    expect((await byRole.call('Who_Am_I', {}, { as })).result).toMatchObject({ roles: { desk: {} } });
    const change = { dn: ann, attrs: { description: 'by ann' } };
    expect((await byRole.call('Set_User_Attrs', change, { as })).result).toBe(1);
  });

  // Others of another domain have the same names, and users may write them where the directory lets them.
  it.each([
    ['the number of a posix group', 'eve'],
    ['a login name in a posix group', 'bob'],
  ])('make no administrator by %s', async (_, username) => {
    const staff = await numbered('staff', '5000');
    const named = await numbered('named', '5009', { memberuid: 'bob' });
    const outer = await holding('outer', staff, named);
    const as = { username, password };
    const shared = { manager_auth: 'UID' } as const;
    for (const listed of [staff, named, outer]) {
      const supers = await nodeWith({}, { ...shared, super_admins: [stage.credentials.username, listed] });
      expect((await supers.call('Who_Am_I', {}, { as })).error).toMatchObject({
        reason: 'credentials_refused',
      });
    }
  });

  describe('a role that writes attributes of users', () => {
    const mallory = { username: 'mallory', password };
    let dn: string;
    let victim: string;
    beforeAll(async () => {
      const own = { userpassword: password, ...posix, uidnumber: '2001', gidnumber: '7000' };
      dn = await stage.person(people, 'mallory', own);
      victim = await stage.person(people, 'victim', { ...posix, uidnumber: '2002', gidnumber: '7000' });
    });
    const node = (more: Partial<ServiceConfigInput> = {}, domain = {}) => {
      const row = { methods: ['*'], subtrees: [people], read: ['*'], write: ['*'], create: ['*'] };
      const roles = { desk: { ...row, members: [dn] } };
      return nodeWith(domain, { manager_auth: 'UID', roles, ...more });
    };
    const reasonOf = async (on: Fixture, method: string, params: object) => {
      const { error } = await on.call(method, params, { as: mallory, isDryRun: true });
      return error && JSON.stringify(error);
    };
    const joins = expect.stringMatching(/would join or leave a group|whose members you may not change/);

    it('adds no user to a group of super administrators, nor to one above', async () => {
      const chiefs = await numbered('chiefs', '7777', { memberuid: 'boss' });
      const above = await holding('above', chiefs);
      for (const superAdmins of [[chiefs], [above]]) {
        const on = await node({ super_admins: [stage.credentials.username, ...superAdmins] });
        const write = (attrs: object) => reasonOf(on, 'Set_User_Attrs', { dn: victim, attrs });
        expect(await write({ gidnumber: '7777' })).toEqual(joins);
        expect(await write({ uid: ['victim', 'boss'] })).toEqual(joins);
        expect(await write({ 'uid;binary': [Buffer.from('boss').toString('base64')] })).not.toBeUndefined();
        expect(await reasonOf(on, 'Rename_LDAP_Object', { dn: victim, name: 'boss' })).toEqual(joins);
        const attrs = { ...posix, cn: 'x', sn: 'x', gidnumber: '7777', uidnumber: '3000' };
        const create = (uid: string, more = {}) =>
          reasonOf(on, 'Create_LDAP_Object', {
            dn: `uid=${uid},${people}`,
            attrs: { ...attrs, homedirectory: `/home/${uid}`, ...more },
          });
        expect(await create('new')).toEqual(joins);
        expect(await create('boss', { gidnumber: '7000' })).toEqual(joins);
        expect(await create('new', { gidnumber: '7000' })).toBeUndefined();
        expect(await write({ gidnumber: '7000', description: 'x' })).toBeUndefined();
      }
    });

    it('gives no user the name of a removed member, nor the number of a group elsewhere', async () => {
      const gone = `uid=gone,${people}`;
      const vpn = await holding('vpn', gone, dn);
      await group('dba', { objectclass: 'posixGroup', gidnumber: '7500' });
      const on = await node({}, { allowed_groups: [vpn], groups_base: stage.base });
      const attrs = {
        ...posix,
        cn: 'x',
        sn: 'x',
        gidnumber: '7000',
        uidnumber: '3001',
        homedirectory: '/home/gone',
      };
      expect(await reasonOf(on, 'Rename_LDAP_Object', { dn: victim, name: 'gone' })).toEqual(joins);
      expect(await reasonOf(on, 'Create_LDAP_Object', { dn: gone, attrs })).toEqual(joins);
      expect(await reasonOf(on, 'Rename_LDAP_Object', { dn: victim, name: 'other' })).toBeUndefined();
      const write = { dn: victim, attrs: { gidnumber: '7500' } };
      expect(await reasonOf(on, 'Set_User_Attrs', write)).toEqual(
        expect.stringContaining('a group whose members you may not change'),
      );
    });

    it('adds and removes no member of a deciding group whose members it may not write', async () => {
      const plain = await group('plain', { objectclass: 'posixGroup', gidnumber: '7100' });
      await numbered('active', '7200');
      const own = await group('own', { objectclass: 'posixGroup', gidnumber: '7000' });
      const write = async (gidnumber: string, on: Fixture) =>
        reasonOf(on, 'Set_User_Attrs', { dn: victim, attrs: { gidnumber } });
      expect(await write('7100', await node())).toEqual(joins);
      expect(await write('7400', await node())).toBeUndefined();
      expect(await write('7200', await node())).toEqual(joins);
      expect(await write('7100', await node({}, { allowed_groups: [plain, own] }))).toEqual(joins);
      expect(await write('7300', await node({}, { excluded_groups: [own] }))).not.toBeUndefined();
    });
  });
});

describe('the requests of a login to OpenLDAP', () => {
  let stage: Stage;
  let people: string;
  let groups: string;
  beforeAll(async () => {
    stage = await openStage('OpenLDAP');
    people = await stage.container();
    groups = await stage.container();
    const own = { userpassword: password, webadmsettings: ['Otp.LoginMode=LDAP'] };
    await stage.person(people, 'ann', own);
    await stage.person(people, 'eve', { ...own, ...posix, gidnumber: '5000' });
  });
  afterAll(() => stage.close());

  const asked = async (node: Fixture, username = 'ann') => {
    node.directory.takeAsked();
    const body = JSON.stringify({ username, ldapPassword: password });
    const response = await node.service.web.answer(webRequest('/otp/json/otpNormalLogin/', { body }));
    expect(JSON.parse(String(response.body)).code).toBe(1);
    return node.directory.takeAsked().filter((name) => name !== 'capabilities');
  };

  it('are four at most, and two when the groups of the user were searched within a second', async () => {
    const names = ['inner', 'other'];
    for (const name of names) {
      const attrs = { objectclass: 'groupOfNames', member: [`uid=ann,${people}`] };
      await stage.manager.Create_LDAP_Object({ dn: `cn=${name},${groups}`, attrs });
    }
    // Of a posix group, no entry tells that it is a member.
    const staff = { objectclass: 'posixGroup', gidnumber: '5000' };
    await stage.manager.Create_LDAP_Object({ dn: `cn=staff,${groups}`, attrs: staff });
    const allowed_groups = ['inner', 'staff'].map((name) => `cn=${name},${groups}`);
    const excluded_groups = [`cn=gone,${groups}`];
    const domains = { Default: { base: people, allowed_groups, excluded_groups } };
    const node = await stage.node({ config: { domains } });
    expect(await asked(node)).toHaveLength(4);
    expect(await asked(node)).toHaveLength(2);
    node.clock.advance(1_000);
    expect(await asked(node)).toHaveLength(4);
    expect(await asked(node, 'eve')).toHaveLength(4);
    expect(await asked(node, 'eve')).toHaveLength(2);
    // Where no group decides: eve's are not looked for, once it is known that none carries settings.
    const open = await stage.node({ config: { domains: { Default: { base: people } } } });
    expect(await asked(open, 'eve')).toHaveLength(3);
    expect(await asked(open, 'eve')).toHaveLength(2);
  });

  it('are one more when a group lowers the login, for any number of groups and administrators', async () => {
    const lower = `cn=lower,${groups}`;
    const attrs = { objectclass: ['groupOfNames', 'webadmGroup'], member: [`uid=ann,${people}`] };
    await stage.manager.Create_LDAP_Object({ dn: lower, attrs });
    await stage.manager.Set_User_Settings({ dn: lower, settings: { 'Otp.LoginMode': 'LDAP' } });
    const members = ['a', 'b', 'c', 'd'].map((name) => `cn=${name},${groups}`);
    const roles = { helpdesk: { members, methods: ['*'], subtrees: [people], write: ['mail'] } };
    const node = await stage.node({
      config: { domains: { Default: { base: people } }, super_admins: [`cn=root,${groups}`], roles },
    });
    expect((await asked(node)).length).toBeLessThanOrEqual(5);
    expect(await asked(node)).toHaveLength(2);
  });
});
