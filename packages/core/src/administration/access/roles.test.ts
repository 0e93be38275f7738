/** Roles and option sets, as an administrator meets them. The whole table goes through `matrix.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const helpers = `cn=helpers,ou=groups,${base}`;

let fixture: Fixture;
let bob: Person;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      manager_session: 300,
      roles: {
        helpdesk: {
          members: [helpers],
          methods: ['Get_*', 'Search_*', 'Set_User_*', 'Rename_*', 'Remove_LDAP_Object', 'Otp.*', 'Create_*'],
          subtrees: [people],
          write: ['mail', 'uid', 'userPassword', 'webadmData', 'sn', 'cn'],
          create: ['inetOrgPerson', 'webadmaccount'],
        },
        readers: { members: [`uid=alice,${people}`], methods: ['Get_*'], subtrees: [base], read: ['mail'] },
      },
    },
  });
  ({ bob } = fixture.users);
  const { service } = fixture.directory;
  await service.add(
    Dn.parse(carol),
    new Map([
      ['objectclass', ['inetOrgPerson']],
      ['cn', ['Carol']],
      ['sn', ['Cook']],
      ['mail', ['carol@example.org']],
    ]),
  );
  await service.add(
    Dn.parse(helpers),
    new Map([
      ['objectclass', ['groupOfNames']],
      ['member', [bob.dn]],
    ]),
  );
});
afterAll(() => fixture.close());

const outcome = async (method: string, params: object, as: Person = bob) => {
  const { result, error } = await fixture.call(method, params, { as });
  return error ? `${error.reason}: ${error.data}` : result;
};
/** The only one here who administers nothing. */
const carol = `uid=carol,${people}`;

describe('a role', () => {
  it('opens its methods and no others', async () => {
    expect(await outcome('Set_User_Attrs', { dn: carol, attrs: { mail: 'carol@example.org' } })).toBe(1);
    expect(await outcome('set_user_attrs', { dn: carol, attrs: { mail: 'carol@example.org' } })).toBe(1);
    expect(await outcome('Move_LDAP_Object', { dn: carol, container: base })).toBe(
      'permission_denied: none of your roles has this method',
    );
  });

  it('refuses mail and signing to a tenant, in the words of the interface', async () => {
    const row = { members: [bob.dn], methods: ['*'], subtrees: [people], write: ['*'] };
    const config = { manager_session: 300, roles: { all: row, branch: { ...row, tenant: true } } };
    const nodes = [
      [await fixture.another({ config }), -32003],
      [await fixture.another({ config: { ...config, dialect: 'deployed' } }), -32603],
    ] as const;
    for (const [node, code] of nodes) {
      const asked = async (method: string, params: object) =>
        (await node.call(method, params, { as: bob })).error;
      const mail = { to: 'a@example.org', subject: 's', body: 'b' };
      const sending = 'Send email not allowed for tenants';
      const signing = 'Certificate signing not allowed for tenants';
      expect(await asked('Send_Mail', mail)).toMatchObject({ code, data: sending });
      expect(await asked('send_mail', {})).toMatchObject({ code, data: sending });
      expect(await asked('Sign_Certificate_Request', { request: 'x' })).toMatchObject({
        code,
        data: signing,
      });
      expect(await asked('Get_User_Attrs', { dn: carol })).toBeUndefined();
      const { result } = await node.call('What_May_I', {}, { as: bob });
      expect(Object(result).methods).toContain('Send_SMS');
      expect(Object(result).methods).not.toContain('Send_Mail');
      expect((await node.call('Send_Mail', mail)).error?.reason).toBe('unavailable');
      await node.close();
    }
  });

  it('opens its attributes and no others', async () => {
    expect(await outcome('Get_User_Attrs', { dn: carol, attrs: ['mail'] })).toEqual({
      mail: ['carol@example.org'],
    });
    expect(await outcome('Set_User_Attrs', { dn: carol, attrs: { mobile: '1' } })).toBe(
      `permission_denied: Could not update LDAP object '${carol}' (you may not write mobile there)`,
    );
  });

  it('opens its subtrees and no others', async () => {
    expect(await outcome('Get_User_Attrs', { dn: base })).toBe(
      `permission_denied: Could not read LDAP object '${base}' (the object is out of your reach)`,
    );
    expect(Object.keys(Object(await outcome('Search_LDAP_Objects', { basedn: base })))).toContain(carol);
    expect(Object.keys(Object(await outcome('Search_LDAP_Objects', { basedn: base })))).not.toContain(
      helpers,
    );
  });

  it('does not show passwords by a name for all', async () => {
    for (const attrs of [undefined, ['*'], ['*', '+']]) {
      const read = Object(
        await outcome(
          'Get_User_Attrs',
          { dn: fixture.admin.dn, ...(attrs && { attrs }) },
          fixture.users.alice,
        ),
      );
      expect(Object.keys(read)).not.toContain('userpassword');
    }
  });

  it('reaches nobody who may do more', async () => {
    const { admin } = fixture;
    const refused = (dn: string) =>
      `permission_denied: Could not update LDAP object '${dn}' (the object is an administrator’s who may do more than you)`;
    expect(await outcome('Set_User_Password', { dn: admin.dn, password: 'mine-Now-1' })).toBe(
      refused(admin.dn),
    );
    expect(await outcome('Otp.Block_Start', { dn: admin.dn })).toBe(refused(admin.dn));
    expect(
      await outcome('Otp.TOTP_Register', { dn: fixture.users.alice.dn, key: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' }),
    ).toBe(refused(fixture.users.alice.dn));
    expect(await outcome('Set_User_Attrs', { dn: bob.dn, attrs: { mail: 'bob@example.org' } })).toBe(1);
  });

  it('is gone at the next request when its member is', async () => {
    const change = (operation: 'add' | 'delete', value: string) =>
      fixture.directory.service.modify(Dn.parse(helpers), [
        { operation, attribute: 'member', values: [value] },
      ]);
    await change('add', fixture.admin.dn);
    await change('delete', bob.dn);
    expect(await outcome('Get_User_Attrs', { dn: carol })).toContain('credentials_refused');
    await change('add', bob.dn);
    expect(await outcome('Get_User_Attrs', { dn: carol, attrs: ['mail'] })).toEqual({
      mail: ['carol@example.org'],
    });
  });

  it('is given by no login name of an entry, which its user may write', async () => {
    const named = `cn=named,ou=groups,${base}`;
    const group = { objectclass: ['posixGroup'], gidnumber: ['4711'], memberuid: ['carla'] };
    const { service } = fixture.directory;
    await service.add(Dn.parse(named), new Map(Object.entries(group)));
    const change = (operation: 'add' | 'delete') =>
      service.modify(Dn.parse(bob.dn), [{ operation, attribute: 'uid', values: ['carla'] }]);
    await change('add');
    const row = { members: [named], methods: ['*'], subtrees: [base], read: ['*'] };
    const node = await fixture.another({ config: { roles: { row } } });
    expect((await node.call('Who_Am_I', {}, { as: bob })).error?.reason).toBe('credentials_refused');
    await change('delete');
    await node.close();
  });

  it('is told to whoever has it', async () => {
    expect(await outcome('Who_Am_I', {})).toMatchObject({
      dn: bob.dn,
      super_admin: false,
      roles: { helpdesk: { subtrees: [people] } },
    });
  });

  it.each([
    ['standard', {}],
    ['deployed', []],
  ] as const)('is none for a super administrator, in the %s dialect %j', async (dialect, none) => {
    const node = await fixture.another({ config: { dialect } });
    const { super_admin, roles, option_sets } = Object((await node.call('Who_Am_I', {})).result);
    expect([super_admin, roles, option_sets]).toEqual([true, none, none]);
    await node.close();
  });
});

describe('what it costs', () => {
  const asked = async (method: string, params: object, as: Person) => {
    const { headers } = await fixture.answer({ as });
    const cookie = /SVCMANAG=([^;]+)/.exec(headers['set-cookie'] ?? '')?.[1] ?? '';
    fixture.directory.takeAsked();
    await fixture.call(method, params, { as: null, cookie });
    return fixture.directory.takeAsked().filter((name) => name !== 'capabilities');
  };
  const change = { dn: carol, attrs: { mail: 'carol@example.org' } };

  it('is nothing for a super administrator', async () => {
    // Those of the session: has the entry changed, is it a member still?
    const session = ['revision', 'service.search'];
    expect(await asked('Get_User_Attrs', { dn: carol, attrs: ['mail'] }, fixture.admin)).toEqual([
      ...session,
      'read',
    ]);
    expect(await asked('Set_User_Attrs', change, fixture.admin)).toEqual([...session, 'modify']);
    expect(await asked('Rename_LDAP_Object', { dn: carol, name: 'carol' }, fixture.admin)).toEqual([
      ...session,
      'rename',
    ]);
  });

  it('is, for a member, a look for each group and member that the configuration names, and for its groups', async () => {
    // `super_admins` names a group, the roles another one and Alice. Bob is in the latter group, which is in none.
    const search = 'service.search';
    const own = [search, 'service.read', search, search, search];
    const other = own;
    expect(await asked('Get_User_Attrs', { dn: carol, attrs: ['mail'] }, bob)).toEqual([
      'revision',
      ...own,
      'read',
    ]);
    expect(await asked('Set_User_Attrs', change, bob)).toEqual([
      'revision',
      ...own,
      'service.read',
      ...other,
      'modify',
    ]);
  });
});
