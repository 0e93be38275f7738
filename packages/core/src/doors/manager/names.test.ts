/** The installation's words for ours (docs/concepts/dialects-and-names.md#installation-names): understood on input, written on output. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { application } from '../../table/application.ts';
import { Names } from '../../table/dialect.ts';
import { method } from '../../table/method.ts';
import { dn, success } from '../../table/schema/index.ts';
import { flagSetting, settingsOf } from '../../table/setting-row.ts';
import { basic, type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { Answers } from './answers.ts';
import { ManagerDoor } from './door.ts';
import { MethodTable } from './methods.ts';

let fixture: Fixture;
let alice: string;
beforeAll(async () => {
  fixture = await openFixture({
    config: { names: { Otp: 'ExampleOTP', otp: 'exampleotp', Sso: 'SingleSign' } },
  });
  alice = fixture.users.alice.dn;
  await fixture.call('Activate_LDAP_Object', { dn: alice });
});
afterAll(() => fixture.close());

const resultOf = async (name: string, params: object) => (await fixture.call(name, params)).result;

describe('settings', () => {
  it.each(['ExampleOTP.LoginMode', 'Otp.LoginMode'])('are set as %s and read in both words', async (name) => {
    expect(await resultOf('Set_User_Settings', { dn: alice, settings: { [name]: 'LDAP' } })).toBe(1);
    const own = { 'ExampleOTP.LoginMode': 'LDAP' };
    for (const asked of ['ExampleOTP.LoginMode', 'Otp.LoginMode'])
      expect(await resultOf('Get_User_Settings', { dn: alice, settings: [asked] })).toEqual(own);
    await fixture.call('Set_User_Settings', { dn: alice, settings: { [name]: null } });
  });

  it('are all told in the words of the installation', async () => {
    const settings = Object.keys((await resultOf('Get_User_Settings', { dn: alice })) as object);
    expect(settings).toContain('ExampleOTP.LoginMode');
    expect(settings).toContain('SingleSign.SessionTimeout');
    expect(settings.filter((name) => /^(?:Otp|Sso)\./.test(name))).toEqual([]);
  });
});

describe('user data', () => {
  it('has the same key in both words', async () => {
    await fixture.call('Set_User_Data', { dn: alice, data: { 'ExampleOTP.TokenKey': 'AAAA' } });
    const data = { 'ExampleOTP.TokenKey': 'AAAA' };
    expect(await resultOf('Get_User_Data', { dn: alice, data: ['Otp.TokenKey'] })).toEqual(data);
    expect(await resultOf('Get_User_Data', { dn: alice })).toEqual(data);
  });
});

describe('a token', () => {
  it('is kept in the words of the installation, and logs in', async () => {
    const user = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'carol', sn: 'Carol' };
    const dn = alice.replace('alice', 'carol');
    await fixture.call('Create_LDAP_Object', { dn, attrs: { ...user, userpassword: 'carol-Pa55' } });
    const key = Buffer.from('12345678901234567890').toString('base64');
    expect(await resultOf('ExampleOTP.HOTP_Register', { dn, key, counter: 0 })).toBe(1);
    const stored = (await resultOf('Get_User_Attrs', { dn, attrs: ['webadmData'] })) as Record<
      string,
      string[]
    >;
    const words = stored.webadmdata?.join().match(/[A-Za-z]+(?=\.\w+=)/g) ?? [];
    expect(new Set(words)).toEqual(new Set(['ExampleOTP']));
    const login = { username: 'carol', ldapPassword: 'carol-Pa55', otpPassword: '755224' };
    expect(await fixture.service.web.otp.normalLogin(login)).toMatchObject({ code: 1 });
    expect(await fixture.service.web.otp.normalLogin(login)).toMatchObject({ code: 0 });
  });
});

describe('status and configuration', () => {
  it('have the keys of the installation', async () => {
    const { websrvs } = (await resultOf('Server_Status', { websrvs: true })) as { websrvs: object };
    const keys = ['ExampleOTP', 'SshKey', 'Sms', 'QrAuth', 'SingleSign'];
    expect(Object.keys(websrvs)).toEqual(keys);
    expect(await resultOf('Get_Config_Objects', { type: 'websrvs' })).toEqual(keys);
  });

  it.each(['ExampleOTP', 'Otp'])('are asked for as %s', async (application) => {
    expect(await resultOf('Get_Config_Objects', { type: 'websrvs', application })).toEqual(['ExampleOTP']);
  });
});

describe('the audit', () => {
  it('has the words of the caller, and no value', async () => {
    await fixture.call('Set_User_Settings', { dn: alice, settings: { 'ExampleOTP.LoginMode': 'OTP' } });
    expect(fixture.events().at(-1)?.text).toContain('settings="ExampleOTP.LoginMode": done');
  });
});

/** An application with one method. */
const tiny = application({
  name: 'Otp',
  service: 'otp',
  settings: settingsOf('Otp', { EnableLogin: flagSetting('May log in.', 'Yes') }),
  publicData: [],
  operations: {},
  methods: {
    Token_Enable: method({
      summary: 'Enables a token.',
      on: 'dn',
      params: { dn: dn() },
      result: success(),
      permission: 'write',
      run: () => undefined,
    }),
  },
});

describe('a method of an application', () => {
  const call = async (name: string) => {
    const core = { ...fixture.core, applications: { Otp: tiny } };
    const door = new ManagerDoor(core, new Answers(core));
    const body = { jsonrpc: '2.0', id: 1, method: name, params: { dn: alice } };
    const response = await door.answer({
      body: async () => Buffer.from(JSON.stringify(body)),
      authorization: basic(fixture.admin),
      cookie: undefined,
      address: '192.0.2.1',
      port: 40_000,
      closing: false,
    });
    await door.close();
    return response.body;
  };

  it.each(['ExampleOTP.Token_Enable', 'exampleotp.token_enable', 'Otp.Token_Enable', 'OTP.TOKEN_ENABLE'])(
    'is called as %s and audited as ExampleOTP.Token_Enable',
    async (name) => {
      expect(await call(name)).toEqual({ jsonrpc: '2.0', id: 1, result: 1 });
      expect(fixture.events().at(-1)?.text).toBe(
        `${fixture.admin.dn}: ExampleOTP.Token_Enable dn="${alice}": done`,
      );
    },
  );

  it.each(['Token_Enable', 'SshKey.Token_Enable', 'Otp.', 'Otp.Token_Enable.'])(
    'is not called as %s',
    async (name) => {
      expect(await call(name)).toMatchObject({ error: { reason: 'method_not_found' } });
    },
  );

  it('is published under the name of the installation', () => {
    const table = new MethodTable({ Otp: tiny }, fixture.core.names);
    expect(table.all.map(({ name }) => name)).toContain('ExampleOTP.Token_Enable');
    expect(table.all.map(({ name }) => name)).not.toContain('Otp.Token_Enable');
    expect(new MethodTable({ Otp: tiny }, new Names()).find('exampleotp.token_enable')).toBeUndefined();
  });
});
