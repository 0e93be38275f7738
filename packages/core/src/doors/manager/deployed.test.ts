/**
 * The deployed dialect: the exact answers of servers in the field, row by row, beside those of the standard dialect
 * (docs/concepts/dialects-and-names.md#wire-dialect). `HOTP_URI` and `TOTP_URI` are in `applications/otp/token/token-uri.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { newLicense } from '../../testing/bed/signed-license.ts';
import { WatchedDirectory } from '../../testing/watched-directory.ts';

/** One without our schema. */
class UnextendedDirectory extends WatchedDirectory {
  override async capabilities(dn: Dn) {
    return { ...(await super.capabilities(dn)), accountSchema: false };
  }
}

type Dialect = 'standard' | 'deployed';

const missing = 'uid=nobody,ou=people,dc=example,dc=org';
const malformed = 'alice';

let standard: Fixture;
const nodes = new Map<Dialect, Fixture>();
const licensed = new Map<Dialect, Fixture>();
const products = {
  ExampleOTP: { maximum_users: 5, allowed_options: ['AUTH', 'SIGN', 'VOICE', 'BADGE'] },
  SshKey: { maximum_hosts: '20' },
};

beforeAll(async () => {
  standard = await openFixture();
  nodes.set('standard', standard);
  nodes.set('deployed', await standard.another({ config: { dialect: 'deployed' } }));
  const ports = () => ({ license: newLicense({ products }) });
  for (const dialect of ['standard', 'deployed'] as const) {
    const config = { dialect, names: { Otp: 'ExampleOTP' } };
    licensed.set(dialect, await standard.another({ config, ports }));
  }
});
afterAll(async () => {
  for (const node of [...licensed.values(), ...nodes.values()].reverse()) await node.close();
});

const ask = async (dialect: Dialect, method: string, params: object, on = nodes) =>
  (await on.get(dialect)?.call(method, params)) ?? {};
const resultOf = async (dialect: Dialect, method: string, params: object = {}, on = nodes) => {
  const { result, error } = await ask(dialect, method, params, on);
  expect(error).toBeUndefined();
  return result;
};

describe('Deactivate_LDAP_Object, not active', () => {
  it('deployed: -32603 `Object <dn> is not an activated user or group`', async () => {
    const { dn } = standard.users.bob;
    expect(await ask('deployed', 'Deactivate_LDAP_Object', { dn })).toMatchObject({
      error: { code: -32603, data: `Object '${dn}' is not an activated user or group` },
    });
    expect(await resultOf('standard', 'Deactivate_LDAP_Object', { dn })).toBe(false);
    await standard.call('Activate_LDAP_Object', { dn });
    expect(await resultOf('deployed', 'Deactivate_LDAP_Object', { dn })).toBe(true);
  });

  it('metadata mode: false', async () => {
    const node = await standard.another({
      config: { dialect: 'deployed' },
      ports: ({ directory }) => ({ directory: new UnextendedDirectory(directory) }),
    });
    const { dn } = standard.users.bob;
    expect(await node.call('Deactivate_LDAP_Object', { dn })).toMatchObject({ result: false });
    await node.close();
  });
});

describe('Check_User_Active, missing DN', () => {
  it('deployed: text begins `Could not read LDAP object <dn>`', async () => {
    expect(await ask('deployed', 'Check_User_Active', { dn: missing })).toMatchObject({
      error: { code: -32603, data: expect.stringMatching(`^Could not read LDAP object '${missing}'`) },
    });
    expect(await ask('standard', 'Check_User_Active', { dn: missing })).toMatchObject({
      error: { code: -32004, data: `LDAP object '${missing}' does not exist` },
    });
  });
});

describe('Get_User_Attrs', () => {
  it('deployed: `objectclass` values in lower case', async () => {
    const { dn } = standard.users.alice;
    for (const params of [{ dn }, { dn, attrs: ['objectClass', 'mail'] }]) {
      const attributes = { objectclass: ['inetorgperson'], mail: ['alice@example.org'] };
      expect(await resultOf('deployed', 'Get_User_Attrs', params)).toMatchObject(attributes);
      expect(await resultOf('standard', 'Get_User_Attrs', params)).toMatchObject({
        objectclass: ['inetOrgPerson'],
      });
    }
  });
});

/** Settings that the interface in the field names, by application. */
const catalogued: Readonly<Record<string, string>> = {
  Otp: `BadgingMode BadgingArea BadgingLocations BadgingData EnableConfirm LastOTPPerIP ListAlgorithm ListChallengeMode
    LockTimer MaxIdle MaxWeak WeakNotify OfflineExpire PrefetchExpire PasswordCheck PushCommit PushVoice RecordEvents
    U2FPINMode BlockTime ChallengeTimeout EnableLogin HOTPLookAheadWindow LastOTPTime ListSize LoginMode MailMode MaxTries
    MobileTimeout OCRASuite OTPFallback OTPLength OTPPrefix OTPType PasswordReset PushLogin ReplyData SMSMode SMSType
    SecureMail SelfRegister TOTPTimeOffsetWindow TOTPTimeStep TokenExpire ValidFrom ValidTo BlockNotify ExpireNotify`,
  SshKey: `AddressFilter AllowedTags ForwardFilter AgentForwarding PortForwarding X11Forwarding PTYAllocation AllowKeyFiles
    AllowUserCerts PasswordReset SelfRegister ExpireNotify SessionBadgeOut RemoteCommand GuestAccount OTPType OTPTypeNI
    KeyType AllowedGroup EnableLogin EnvVariables KeyExpire KeyMaxUse LockSessionTime MaxSessionTime RecordSessions
    RecordAuditLogs RequireMFA SudoCommands ValidFrom ValidTo PasswordChange`,
  Sso: 'SessionTimeout SessionRenew',
  HelpDesk: `AllowOtp AllowSshKey AllowPKI AllowPassword AllowRegister AllowUserInfos AllowOTPTypes AllowTokenTypes
    AllowSSHKeyTypes DefaultTokenType EmergencyExpire EmergencyMaxUse AllowUnlock AllowUserActivation SendPin SendPinMessage
    MaxTokens UserSearchAttrs UserSearchScopes`,
  SelfDesk: `AllowOtp AllowSshKey AllowPKI AllowPassword AllowRegister AllowUserInfos AllowOTPTypes AllowTokenTypes
    AllowSSHKeyTypes DefaultTokenType EmergencyExpire EmergencyMaxUse AllowBadging AllowSign CertValidity KeyPasswordLength`,
  SelfReg: `AllowRegister AllowTokenTypes AllowSSHKeyTypes DefaultTokenType CertValidity KeyPasswordLength LinkMode LinkTime
    SMSType SecureMail`,
  PwReset: `AllowUnlock LinkMode LinkTime SMSType SecureMail PasswordMinLength PasswordMaxLength PasswordStrength
    PasswordByLength PasswordAlpha PasswordNumeric PasswordSymbol PasswordCase`,
  OpenID: 'SessionTimeout ApplicationSSO AutoConfirm CloudRoleNames CloudSessionTime',
};

describe('Get_User_Settings', () => {
  const all = Object.entries(catalogued).flatMap(([name, keys]) =>
    keys.split(/\s+/).map((key) => `${name}.${key}`),
  );

  it('answers every setting of the catalogue that is asked for, an unset one empty', async () => {
    const { dn } = standard.users.alice;
    await standard.call('Activate_LDAP_Object', { dn });
    const asked = { dn, settings: [...all, 'Otp.NoSetting'] };
    const answered = Object(await resultOf('deployed', 'Get_User_Settings', asked));
    expect(Object.keys(answered)).toEqual(all);
    const named = Object(await resultOf('deployed', 'Get_User_Settings', asked, licensed));
    expect(Object.keys(named)).toEqual(
      all.map((name) => name.replace(/^Otp\./, 'ExampleOTP.').replace(/\.AllowOtp$/, '.AllowExampleOTP')),
    );
    const theirs = { dn, settings: ['HelpDesk.AllowExampleOTP', 'ExampleOTP.ReplyData'] };
    expect(await resultOf('deployed', 'Get_User_Settings', theirs, licensed)).toEqual({
      'HelpDesk.AllowExampleOTP': 'Yes',
      'ExampleOTP.ReplyData': '',
    });
    const unset = all.filter((name) => answered[name] === '');
    expect(unset).toContain('Otp.ReplyData');
    expect(unset).not.toContain('Otp.LoginMode');
    expect(await resultOf('standard', 'Get_User_Settings', asked)).toEqual(
      Object.fromEntries(Object.entries(answered).filter(([, value]) => value !== '')),
    );
    const reports = { domain: 'Default', filter: '(uid=alice)', settings: ['Otp.ReplyData'] };
    expect(await resultOf('deployed', 'Otp.Domain_Report', reports)).toMatchObject({
      [dn]: { settings: { 'Otp.ReplyData': '' } },
    });
    expect(await resultOf('standard', 'Otp.Domain_Report', reports)).toMatchObject({
      [dn]: { settings: {} },
    });
    await standard.call('Deactivate_LDAP_Object', { dn });
  });
});

describe.each(['standard', 'deployed'] as const)('Get_Config_Objects, %s', (dialect) => {
  it('type also trusts', async () => {
    expect(await resultOf(dialect, 'Get_Config_Objects', { type: 'trusts' })).toEqual([]);
  });

  it.each([
    ['otp', ['Otp'], []],
    ['OTP', ['Otp'], []],
    ['SSHKey', ['SshKey'], []],
    ['selfdesk', [], ['SelfDesk']],
    ['PwReset', [], ['PwReset']],
    ['selfreg', [], ['SelfReg']],
    // Nobody logs in to anything by it, as long as there are no openid_clients.
    ['OpenID', [], []],
  ])(
    'application: service word, selfdesk pwreset selfreg openid, any case: %s',
    async (application, websrvs, webapps) => {
      const params = { type: 'websrvs', application };
      expect(await resultOf(dialect, 'Get_Config_Objects', params)).toEqual(websrvs);
      expect(await resultOf(dialect, 'Get_Config_Objects', { ...params, type: 'webapps' })).toEqual(webapps);
    },
  );

  it('refuses other words', async () => {
    expect(await ask(dialect, 'Get_Config_Objects', { type: 'websrvs', application: 'x' })).toMatchObject({
      error: { data: "Parameter application: there is no 'x'" },
    });
  });
});

describe('Get_Event_Logs, malformed or missing DN; Mobile_Session, malformed DN', () => {
  it.each([malformed, '', missing])('deployed: `[]`: %j', async (dn) => {
    expect(await resultOf('deployed', 'Get_Event_Logs', { application: 'Otp', dn })).toEqual([]);
  });

  it('standard: they are told', async () => {
    const params = { application: 'Otp', dn: malformed };
    expect((await ask('standard', 'Get_Event_Logs', params)).error).toMatchObject({
      code: -32602,
      data: `Could not read LDAP object '${malformed}' (invalid DN)`,
    });
    const session = await ask('standard', 'Otp.Mobile_Session', { timeout: 60, dn: malformed });
    expect(session.error).toMatchObject({ code: -32602, reason: 'invalid_dn' });
  });

  it('deployed: a session', async () => {
    const params = { timeout: '60', dn: malformed };
    expect(await resultOf('deployed', 'Otp.Mobile_Session', params)).toMatch(/^[a-zA-Z0-9]{16,17}$/);
    const { error } = await ask('deployed', 'Otp.Mobile_Session', { ...params, dn: missing });
    expect(error).toMatchObject({ code: -32603 });
  });

  it('tells nothing of all entries to who may not read of all', async () => {
    const desk = { members: [standard.users.alice.dn], methods: ['*'], subtrees: [standard.base] };
    const node = await standard.another({ config: { dialect: 'deployed', roles: { desk } } });
    const as = standard.users.alice;
    for (const dn of [malformed, missing]) {
      const params = { application: 'Manager', dn };
      expect(await node.call('Get_Event_Logs', params, { as })).toMatchObject({ result: [] });
    }
    expect(await node.call('Get_Event_Logs', { application: 'Manager' }, { as })).toMatchObject({
      error: { reason: 'permission_denied' },
    });
    await node.close();
  });
});

describe('Get_Event_Logs', () => {
  it('has the seven fields of the interface and no other', async () => {
    const { dn } = standard.users.alice;
    await standard.call('Set_User_Attrs', { dn, attrs: { description: 'told' } });
    const read = { application: 'Manager', dn, max: 1 };
    expect(await resultOf('deployed', 'Get_Event_Logs', read)).toEqual([
      {
        ...{ client: '192.0.2.1:40000', dn, host: standard.core.host, source: '' },
        session: expect.stringMatching(/^[0-9A-Z]{8}$/),
        text: expect.stringContaining('Set_User_Attrs'),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    ]);
    expect(await resultOf('standard', 'Get_Event_Logs', read)).toMatchObject([
      { application: 'Manager', meaning: { kind: 'call' } },
    ]);
  });
});

describe('Send_Push', () => {
  const push = { application: 'token', to: 'ios:3f9a', options: { title: 'Login' } };
  const failed = (words: string) => `Push message request failed (from service: ${words})`;

  it.each([
    [
      'bad `to`',
      { to: 'x'.repeat(30) },
      `Invalid device for push notification (bad format '${'x'.repeat(25)}...')`,
    ],
    ['an application that is none', { application: 'an app' }, failed('unknown application')],
    ['neither options nor data', { options: {} }, failed('neither options nor data')],
  ])('%s: -32603, and -32602 in standard', async (_, wrong, data) => {
    const params = { ...push, ...wrong };
    expect(await ask('deployed', 'Send_Push', params)).toMatchObject({ error: { code: -32603, data } });
    expect(await ask('standard', 'Send_Push', params)).toMatchObject({ error: { code: -32602, data } });
  });
});

describe('Get_License_Details(product)', () => {
  const whole = { type: 'Enterprise', token_pool: expect.stringMatching('/5$'), customer_id: 'Example Ltd' };
  const options = ['AUTH', 'SIGN', 'VOICE', 'BADGE'];

  it.each(['ExampleOTP', 'Otp'])('deployed: no `products`, and what is said of %s', async (product) => {
    const details = await resultOf('deployed', 'Get_License_Details', { product }, licensed);
    expect(details).toMatchObject({ ...whole, maximum_users: '5', allowed_options: options });
    expect(details).not.toHaveProperty('products');
    const ours = await resultOf('standard', 'Get_License_Details', { product }, licensed);
    expect(ours).toMatchObject({ ...whole, maximum_users: '5', allowed_options: options });
    expect(ours).toHaveProperty('products');
  });

  it('deployed: no `products` of a product that there is not', async () => {
    for (const on of [nodes, licensed]) {
      const details = await resultOf('deployed', 'Get_License_Details', { product: '__proto__' }, on);
      expect(details).toHaveProperty('customer_id');
      expect(Object.keys(Object(details))).not.toContain('products');
      expect(Object.keys(Object(details))).not.toContain('maximum_users');
    }
  });

  it('without product: all of them, `allowed_options` a list of AUTH SIGN VOICE BADGE', async () => {
    for (const dialect of ['standard', 'deployed'] as const) {
      expect(await resultOf(dialect, 'Get_License_Details', {}, licensed)).toMatchObject({
        ...whole,
        products: {
          ExampleOTP: { maximum_users: '5', allowed_options: options },
          SshKey: { maximum_hosts: '20' },
        },
      });
    }
    expect(() => newLicense({ products: { Otp: { allowed_options: ['FLY'] } } })).toThrow(
      'lacks products.Otp.allowed_options.0',
    );
  });
});

describe.each(['standard', 'deployed'] as const)('Clear_Caches, %s', (dialect) => {
  it.each(['type', 'tenant'])('a number: `Parameter %s not String`', async (name) => {
    expect(await ask(dialect, 'Clear_Caches', { [name]: 1 })).toMatchObject({
      error: { code: -32602, data: `Parameter ${name} not String` },
    });
  });

  it.each(
    'config adminrole domain client optionset tenant mountpoint webapp websrv cacert admgrp appmsg lcache'.split(
      ' ',
    ),
  )('true for %s', async (type) => {
    const { directory } = nodes.get(dialect) ?? standard;
    directory.takeAsked();
    expect(await resultOf(dialect, 'Clear_Caches', { type })).toBe(true);
    expect(directory.takeAsked()).toContain('clearCaches');
  });
});

describe('Server_Status', () => {
  const parts = { webapps: true, websrvs: true };

  it('webapps: all web applications, also one that is off; websrvs: those that are built and enabled', async () => {
    const entry = { version: expect.any(String), status: 'Ok', license: 'Ok' };
    const webapp = { version: entry.version, status: 'Ok' };
    expect(await resultOf('deployed', 'Server_Status', parts)).toMatchObject({
      webapps: { OpenID: webapp, SelfDesk: webapp, PwReset: webapp, SelfReg: webapp },
      websrvs: { Otp: entry },
    });
    const { websrvs } = Object(await resultOf('deployed', 'Server_Status', parts, licensed));
    const { license: _, ...unlicensed } = entry;
    const unnamed = { ...entry, license: 'Invalid' };
    expect(websrvs).toEqual({
      ExampleOTP: entry,
      SshKey: entry,
      Sms: unlicensed,
      QrAuth: unnamed,
      Sso: unnamed,
    });
    const off = await standard.another({
      config: {
        dialect: 'deployed',
        webapps: { selfreg: { enabled: false } },
        websrvs: Object.fromEntries(
          ['otp', 'qrauth', 'sms', 'sshkey', 'sso'].map((service) => [service, { enabled: false }]),
        ),
      },
    });
    expect(await off.call('Server_Status', parts)).toMatchObject({
      result: { webapps: { PwReset: webapp, SelfReg: { ...webapp, status: 'Invalid' } }, websrvs: [] },
    });
    await off.close();
  });

  it('standard: each of them, enabled or not', async () => {
    const config = { websrvs: { sso: { enabled: false } } };
    const off = await standard.another({ config });
    const { websrvs } = Object((await off.call('Server_Status', parts)).result);
    expect(Object.keys(websrvs)).toEqual(['Otp', 'SshKey', 'Sms', 'QrAuth', 'Sso']);
    expect([websrvs.Otp, websrvs.Sso]).toMatchObject([{ enabled: 1 }, { enabled: 0 }]);
    await off.close();
  });
});
