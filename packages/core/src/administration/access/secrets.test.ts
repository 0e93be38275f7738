/** Secrets of user data, as a role may read them: those that its `read` names, asked for by name, and no others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, type ServiceConfigInput } from '../../config/config.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { readServiceConfig } from '../../index.ts';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const alice = `uid=alice,${people}`;
const carol = `uid=carol,${people}`;
const secret = Buffer.from('12345678901234567890').toString('base64');
const serial = Buffer.from('4711').toString('base64');
const role = { members: [`uid=bob,${people}`], methods: ['*'], subtrees: [people], write: ['webadmData'] };

let fixture: Fixture;
let admin: Person;
let bob: Person;
beforeAll(async () => {
  fixture = await openFixture({ config: { roles: { desk: role } } });
  ({ admin } = fixture);
  ({ bob } = fixture.users);
  const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'Carol', sn: 'Cook' };
  for (const [method, params] of [
    ['Create_LDAP_Object', { dn: carol, attrs }],
    ['Activate_LDAP_Object', { dn: alice }],
    ['Otp.TOTP_Register', { dn: alice, key: secret }],
    ['Set_User_Data', { dn: alice, data: { 'Otp.TokenSerial': serial } }],
    ['Otp.List_Register', { dn: alice, size: 5 }],
    ['Otp.AppKey_Register', { dn: alice }],
    ['Otp.Emerg_Register', { dn: alice }],
  ] as const)
    expect((await fixture.call(method, params)).error).toBeUndefined();
  // As other programs keep them.
  const plain = [`Otp.TokenType=VE9UUA==,Otp.TokenKey=${secret},Otp.TokenSerial=${serial}`];
  await fixture.directory.service.modify(Dn.parse(carol), [
    { operation: 'replace', attribute: 'webadmData', values: plain },
  ]);
});
afterAll(() => fixture.close());

/** A node on the same data whose role reads this. */
async function reading(read: string[], work: (node: Fixture) => Promise<void>, names = {}) {
  const node = await fixture.another({ config: { names, roles: { desk: { ...role, read } } } });
  await work(node);
  await node.close();
}

async function ask(method: string, params: object, as = bob, node = fixture): Promise<unknown> {
  const { result, error } = await node.call(method, params, { as });
  return error ? error.reason : result;
}

describe('Get_User_Data by a role', () => {
  it('answers no secret where the role names none', async () => {
    const found = await ask('Get_User_Data', { dn: alice });
    expect(found).toMatchObject({ 'Otp.TokenType': expect.any(String), 'Otp.TokenSerial': serial });
    const names = Object.keys(Object(found));
    for (const name of ['TokenKey', 'ListKey', 'AppKey', 'EmergOTP'])
      expect(names).not.toContain(`Otp.${name}`);
  });

  it.each(['Otp.TokenKey', 'Otp.Token2Key', 'Otp.ListKey', 'Otp.AppKey', 'Otp.EmergOTP', 'Otp.Prefix'])(
    'refuses %s that the call names and the role does not, whether it is there or not',
    async (name) => {
      expect(await ask('Get_User_Data', { dn: alice, data: ['Otp.TokenType', name] })).toBe(
        'permission_denied',
      );
    },
  );

  it.each([['webadmData'], ['*', 'webadmData'], ['*', 'Otp.ListKey'], ['*', 'userPassword']])(
    'refuses a secret that a role does not name that reads %s, %s',
    async (...read) => {
      await reading(read, async (node) => {
        expect(await ask('Get_User_Data', { dn: alice, data: ['Otp.TokenKey'] }, bob, node)).toBe(
          'permission_denied',
        );
      });
    },
  );

  it('answers a secret that the call and the role name, and no other', async () => {
    await reading(['*', 'Otp.TokenKey'], async (node) => {
      const asked = { dn: alice, data: ['Otp.TokenKey'] };
      expect(await ask('Get_User_Data', asked, bob, node)).toEqual({ 'Otp.TokenKey': secret });
      expect(Object.keys(Object(await ask('Get_User_Data', { dn: alice }, bob, node)))).not.toContain(
        'Otp.TokenKey',
      );
      const other = { dn: alice, data: ['Otp.TokenKey', 'Otp.ListKey'] };
      expect(await ask('Get_User_Data', other, bob, node)).toBe('permission_denied');
      const superior = { dn: admin.dn, data: ['Otp.TokenKey'] };
      expect(await ask('Get_User_Data', superior, bob, node)).toBe('permission_denied');
    });
  });

  it('knows a secret by the word of the installation, too', async () => {
    const names = { Otp: 'Tokens' };
    for (const named of ['Tokens.TokenKey', 'Otp.TokenKey'])
      await reading(
        ['*', named],
        async (node) => {
          const asked = { dn: alice, data: ['Tokens.TokenKey'] };
          expect(await ask('Get_User_Data', asked, bob, node)).toEqual({ 'Tokens.TokenKey': secret });
        },
        names,
      );
  });

  it('takes a secret from no role that has not the method', async () => {
    const roles = {
      reads: { ...role, methods: ['Get_User_Attrs'], read: ['*', 'Otp.TokenKey'] },
      calls: { ...role, methods: ['Get_User_Data'] },
    };
    const node = await fixture.another({ config: { roles } });
    const asked = { dn: alice, data: ['Otp.TokenKey'] };
    expect(await ask('Get_User_Data', asked, bob, node)).toBe('permission_denied');
    await node.close();
  });
});

describe('a super administrator', () => {
  it('is answered every secret, named or not', async () => {
    const all = Object(await ask('Get_User_Data', { dn: alice }, admin));
    expect(all).toMatchObject({ 'Otp.TokenKey': secret, 'Otp.AppKey': expect.any(String) });
    const asked = { dn: alice, data: ['Otp.TokenKey'] };
    expect(await ask('Get_User_Data', asked, admin)).toEqual({ 'Otp.TokenKey': secret });
    expect(await ask('Get_User_Attrs', { dn: carol, attrs: ['webadmData'] }, admin)).toEqual({
      webadmdata: [expect.stringContaining(secret)],
    });
  });
});

describe('secrets that stand on an entry in clear', () => {
  const ways: readonly (readonly [string, object])[] = [
    ['Get_User_Data', { dn: carol }],
    ['Get_User_Attrs', { dn: carol }],
    ['Get_User_Attrs', { dn: carol, attrs: ['webadmData'] }],
    ['Search_LDAP_Objects', { basedn: carol }],
    ['Search_LDAP_Objects', { basedn: people, attrs: ['webadmData'] }],
    ['Export_LDAP_Objects', { basedn: people }],
    ['Otp.User_Tokens', { dn: carol }],
    ['Otp.User_Report', { dn: carol, token: true, u2f: true }],
    ['Otp.Domain_Report', { domain: 'Default', token: true, u2f: true }],
    ['Export_Event_Logs', { dn: carol }],
  ];

  it.each(ways)('are not shown by %s %o', async (method, params) => {
    const answer = JSON.stringify(await ask(method, params));
    expect(answer).not.toMatch(/denied|invalid/);
    expect(answer).not.toContain(secret);
    expect(answer).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20));
  });

  it('leave the rest of the attribute to be read', async () => {
    const { webadmdata } = Object(await ask('Get_User_Attrs', { dn: carol, attrs: ['webadmData'] }));
    expect(webadmdata).toEqual([`Otp.TokenType=VE9UUA==,Otp.TokenSerial=${serial}`]);
  });

  it('still log their user in', async () => {
    expect(await ask('Otp.User_Tokens', { dn: carol })).toMatchObject([{ id: 1, type: 'TOTP' }]);
  });
});

describe('secrets that are sealed on an entry', () => {
  const value = async (as: Person) =>
    Object(await ask('Get_User_Attrs', { dn: alice, attrs: ['webadmData'] }, as)).webadmdata;

  it('are shown with the attribute to super administrators and to no role that does not name them', async () => {
    expect(await value(admin)).toEqual([expect.stringContaining('{wcrypt}')]);
    expect(await value(bob)).toEqual([expect.stringContaining(`Otp.TokenSerial=${serial}`)]);
    for (const [method, params] of [
      ['Get_User_Attrs', { dn: alice }],
      ['Search_LDAP_Objects', { basedn: alice, attrs: ['*'] }],
      ['Export_LDAP_Objects', { basedn: people }],
    ] as const)
      expect(JSON.stringify(await ask(method, params))).not.toMatch(/wcrypt|denied/);
  });

  it('are named with entry and attribute where they were copied from another entry', async () => {
    const dn = `uid=dora,${people}`;
    const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'Dora', sn: 'D' };
    await ask('Create_LDAP_Object', { dn, attrs: { ...attrs, webadmdata: await value(admin) } }, admin);
    const before = fixture.log.lines.length;
    const { error } = await fixture.call('Get_User_Data', { dn, data: ['Otp.TokenKey'] });
    const why = 'a stored secret does not belong where it was found';
    const detail = `Otp.TokenKey in webadmData of LDAP object '${dn}': ${why}`;
    expect(error).toMatchObject({ reason: 'data_unreadable', data: detail });
    const lines = fixture.log.lines.slice(before).filter(({ fields }) => !fields.audit);
    expect(lines).toMatchObject([
      { level: 'error', message: 'stored data cannot be opened', fields: { detail } },
    ]);
    expect(lines[0]?.fields).not.toHaveProperty('error');
    await ask('Remove_LDAP_Object', { dn }, admin);
  });

  it('are named where they are no base64', async () => {
    await fixture.directory.service.modify(Dn.parse(alice), [
      { operation: 'replace', attribute: 'webadmData', values: ['Otp.TokenType=%%%'] },
    ]);
    const { error } = await fixture.call('Get_User_Data', { dn: alice });
    expect(error?.data).toBe(`Otp.TokenType in webadmData of LDAP object '${alice}': it is not base64`);
  });
});

describe('a role in the configuration', () => {
  const faultsOf = (raw: Partial<ServiceConfigInput>): string => {
    try {
      readServiceConfig({ domains: { Default: { base } }, ...raw });
      return '';
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  };

  it('names secrets of applications that there are', async () => {
    expect(faultsOf({ roles: { desk: { ...role, read: ['*', 'Otp.TokenKey'] } } })).toBe('');
    expect(faultsOf({ roles: { desk: { ...role, read: ['*', 'Opt.TokenKey'] } } })).toMatch(
      /^roles\.desk\.read\[1\] is user data of no application; begin it with an application: /,
    );
    expect(faultsOf({ roles: { desk: { ...role, write: ['Otp.TokenKey'] } } })).toContain(
      'roles.desk.write[0]',
    );
    const made = { name: 'made', ...role, read: ['Opt.TokenKey'] };
    expect(await ask('Set_Role', made, admin)).toBe('invalid_params');
  });
});
