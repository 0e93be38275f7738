/** Status, licence and configuration, as both dialects write them (README.md "Two dialects"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../foundation/version.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { newLicense } from '../../testing/bed/signed-license.ts';

let standard: Fixture;
let deployed: Fixture;
beforeAll(async () => {
  standard = await openFixture();
  deployed = await standard.another({ config: { dialect: 'deployed' } });
});
afterAll(async () => {
  await deployed.close();
  await standard.close();
});

const everything = { servers: true, webapps: true, websrvs: true };

describe('Server_Status', () => {
  it('by the standard', async () => {
    expect((await standard.call('Server_Status')).result).toEqual({ version, enabled: 1, status: 1 });
    const on = { version, enabled: 1, status: 1 };
    expect((await standard.call('Server_Status', everything)).result).toEqual({
      version,
      enabled: 1,
      servers: { ldap: 1, sql: 1, session: 1, pki: 1, push: 0 },
      webapps: { OpenID: { ...on, enabled: 0 }, SelfDesk: on, PwReset: on, SelfReg: on },
      websrvs: { Otp: on, QrAuth: on, SshKey: on, Sms: on, Sso: on },
      status: 1,
    });
  });

  it('in the field', async () => {
    expect((await deployed.call('Server_Status')).result).toEqual({ version, status: true });
    expect((await deployed.call('Server_Status', everything)).result).toEqual({
      version,
      servers: { ldap: true, mail: false, pki: true, session: true, sql: true },
      webapps: {
        OpenID: { version, status: 'Ok' },
        SelfDesk: { version, status: 'Ok' },
        PwReset: { version, status: 'Ok' },
        SelfReg: { version, status: 'Ok' },
      },
      websrvs: {
        Otp: { version, status: 'Ok', license: 'Ok' },
        SshKey: { version, status: 'Ok', license: 'Ok' },
        QrAuth: { version, status: 'Ok', license: 'Ok' },
        Sms: { version, status: 'Ok' },
        Sso: { version, status: 'Ok', license: 'Ok' },
      },
      status: true,
    });
  });

  it.each(['servers', 'webapps', 'websrvs'])('has only the part asked for: %s', async (part) => {
    for (const { call } of [standard, deployed]) {
      const keys = Object.keys((await call('Server_Status', { [part]: 'True' })).result as object);
      expect(keys.filter((key) => key in everything)).toEqual([part]);
    }
  });

  it('counts what each key holds for super administrators only', async () => {
    const { bob } = standard.users;
    const roles = {
      status: { members: [bob.dn], methods: ['Server_Status'], subtrees: ['dc=example,dc=org'] },
    };
    const node = await standard.another({ config: { roles } });
    expect((await node.call('Server_Status', {}, { as: bob })).result).toMatchObject({ version });
    const { error } = await node.call('Server_Status', { keys: true }, { as: bob });
    expect(error?.reason).toBe('permission_denied');
    await node.close();
  });

  it('tells what is down', async () => {
    const down = await standard.another({
      ports: ({ events }) => ({ events: { ...events, probe: () => Promise.reject(new Error('no disk')) } }),
    });
    const { result } = await down.call('Server_Status', { servers: true, websrvs: true });
    const otp = { version, enabled: 1, status: 0 };
    expect(result).toMatchObject({
      servers: { ldap: 1, sql: 0, session: 1 },
      websrvs: { Otp: otp },
      status: 0,
    });
    expect(await down.service.web.otp.status()).toEqual({
      status: false,
      message: expect.stringMatching(/\nShared Memory: ok\nConnectors: ldap ok, session ok, sql down$/),
    });
    await down.close();
  });

  it.each([
    ['has ended', (node: Fixture) => node.clock.advance(40 * 365 * 86_400_000)],
    ['is not good yet', (node: Fixture) => node.clock.advance(-40 * 365 * 86_400_000)],
  ])('tells of a certificate authority that %s, without which all else goes on', async (_, turn) => {
    const node = await openFixture();
    turn(node);
    const { result } = await node.call('Server_Status', { servers: true });
    expect(result).toMatchObject({ servers: { ldap: 1, sql: 1, session: 1, pki: 0 }, status: 1 });
    expect([...(await node.service.ready()).servers.values()]).not.toContain(false);
    await node.close();
  });

  it('tells of a certificate authority whose key does not sign', async () => {
    const refusing = { ...standard.ports.authority, probe: () => Promise.reject(new Error('no token')) };
    const node = await standard.another({ ports: () => ({ authority: refusing }) });
    const { result } = await node.call('Server_Status', { servers: true });
    expect(result).toMatchObject({ servers: { pki: 0 }, status: 1 });
    await node.close();
  });

  it('tells a web application that is turned off, and the one of OpenID Connect without clients', async () => {
    const off = await standard.another({
      config: {
        webapps: { selfreg: { enabled: false } },
        names: { SelfDesk: 'ExampleDesk', selfdesk: 'exampledesk' },
      },
    });
    expect((await off.call('Server_Status', { webapps: true })).result).toMatchObject({
      webapps: {
        ExampleDesk: { version, enabled: 1, status: 1 },
        SelfReg: { version, enabled: 0, status: 0 },
        OpenID: { version, enabled: 0, status: 1 },
      },
    });
    const { result } = await off.call('Get_Config_Objects', { type: 'webapps', settings: true });
    expect(result).toMatchObject({ SelfReg: { enabled: 'No', locked: 'No', LinkMode: 'MAIL' } });
    await off.close();
  });

  it('tells a web service that is turned off', async () => {
    const off = await standard.another({ config: { websrvs: { otp: { enabled: false } } } });
    const { result } = await off.call('Server_Status', { websrvs: true });
    expect(result).toMatchObject({ websrvs: { Otp: { version, enabled: 0, status: 0 } }, status: 1 });
    await off.close();
  });
});

describe('Server_Status under a licence', () => {
  it.each([
    ['Ok', {}],
    ['Invalid', { valid_to: '2026-01-31 23:59:59' }],
    ['Invalid', { products: { Sso: {} } }],
  ])('tells in the field whether it names the service, and is valid: %s, %j', async (license, more) => {
    const products = { ExampleOTP: { maximum_users: '5' }, Sso: {} };
    const ports = () => ({ license: newLicense({ products, ...more }) });
    const config = { names: { Otp: 'ExampleOTP' } };
    const field = await standard.another({ config: { ...config, dialect: 'deployed' }, ports });
    expect((await field.call('Server_Status', { websrvs: true })).result).toMatchObject({
      websrvs: { ExampleOTP: { version, status: 'Ok', license } },
    });
    const ours = await standard.another({ config, ports });
    const { result } = await ours.call('Server_Status', { websrvs: true });
    expect(JSON.stringify(result)).not.toContain('license');
    for (const node of [field, ours]) await node.close();
  });
});

describe('the status of a web service', () => {
  it('has the lines that the interface names, with the facts of the machine', async () => {
    const memory = { used: 96 << 20, total: 8192 * 2 ** 20 };
    const facts = { process: 1, host: 'node-1', platform: 'linux x64', uptime: 90_000, memory };
    const node = await standard.another({
      config: { ws_url: 'https://login.example.org' },
      ports: () => ({ system: { facts: () => facts } }),
    });
    const { status, message } = await node.service.web.otp.status();
    expect(status).toBe(true);
    expect(message?.split('\n')).toEqual([
      `Server: Watchword ${version}`,
      'System: linux x64',
      'Listener: https://login.example.org',
      'Uptime: 90000s (1 days)',
      'Cluster Node: node-1',
      'Local Memory: 96M of 8192M',
      'Shared Memory: ok',
      'Connectors: ldap ok, session ok, sql ok',
    ]);
    await node.close();
  });
});

describe('Get_License_Details', () => {
  it('has all fields of the interface', async () => {
    for (const [{ call }, products] of [
      [standard, {}],
      [deployed, []],
    ] as const) {
      expect((await call('Get_License_Details')).result).toEqual({
        type: 'Community',
        token_pool: '0/0',
        cache_time: 0,
        customer_id: '',
        instance_id: expect.stringMatching(/^[0-9A-F]{16}$/),
        valid_from: '1970-01-01 00:00:00',
        valid_to: '9999-12-31 23:59:59',
        products,
        error_message: null,
      });
    }
  });

  it('names the same instance on every node', async () => {
    const ids = await Promise.all(
      [standard, deployed].map(async ({ call }) => {
        const { result } = await call('Get_License_Details');
        return (result as { instance_id: string }).instance_id;
      }),
    );
    expect(new Set(ids).size).toBe(1);
  });

  it('knows no limits of a product that is not licensed', async () => {
    const { result } = await standard.call('Get_License_Details', { product: '__proto__' });
    expect(result).toMatchObject({ type: 'Community', products: {} });
  });
});

describe('Get_License_Details of a licence', () => {
  const products = { ExampleOTP: { maximum_users: '1' }, SshKey: { maximum_hosts: 20 } };
  const details = {
    type: 'Enterprise',
    token_pool: '0/1',
    cache_time: 0,
    customer_id: 'Example Ltd',
    instance_id: expect.stringMatching(/^[0-9A-F]{16}$/),
    valid_from: '2026-01-01 00:00:00',
    valid_to: '2026-12-31 23:59:59',
    products: { ExampleOTP: { maximum_users: '1' }, SshKey: { maximum_hosts: '20' } },
    error_message: null,
  };
  let nodes: Fixture[] = [];
  /** What both dialects answer, which is the same. */
  const detailsUnder = async (more: object, params: object = {}) => {
    const ports = () => ({ license: newLicense({ products, ...more }) });
    nodes = [
      await standard.another({ ports }),
      await standard.another({ ports, config: { dialect: 'deployed' } }),
    ];
    const answers = await Promise.all(nodes.map(({ call }) => call('Get_License_Details', params)));
    for (const node of nodes) await node.close();
    expect(answers[0]?.result).toEqual(answers[1]?.result);
    return answers[0]?.result;
  };

  it('has all its fields', async () => {
    expect(await detailsUnder({})).toEqual(details);
    const more = { instance_id: undefined, token_pool: '50', cache_time: 3600 };
    expect(await detailsUnder(more)).toEqual({ ...details, token_pool: '0/50', cache_time: 3600 });
    expect(await detailsUnder({ products: { Otp: {} } })).toEqual({
      ...details,
      token_pool: '0/0',
      products: { Otp: {} },
    });
  });

  it('has the limits of a product at the top level', async () => {
    const node = await standard.another({ ports: () => ({ license: newLicense({ products }) }) });
    const limits = async (product: string) => (await node.call('Get_License_Details', { product })).result;
    expect(await limits('SshKey')).toEqual({ ...details, maximum_hosts: '20' });
    expect(await limits('constructor')).toEqual(details);
    await node.close();
  });

  it('says when it is not valid', async () => {
    const rest = 'logins go on, and no more users can be activated until there is another one.';
    expect(await detailsUnder({ valid_to: '2026-11-19 23:59:59' })).toMatchObject({
      error_message: `The licence expired on 2026-11-19 23:59:59 UTC: ${rest}`,
    });
    expect(await detailsUnder({ valid_from: '2026-12-01 00:00:00' })).toMatchObject({
      error_message: `The licence is not valid before 2026-12-01 00:00:00 UTC: ${rest}`,
    });
  });

  it('says when there are more users than it allows', async () => {
    const { alice, bob } = standard.users;
    for (const { dn } of [alice, bob]) await standard.call('Activate_LDAP_Object', { dn });
    expect(await detailsUnder({})).toMatchObject({
      token_pool: '2/1',
      error_message:
        'The licence allows 1 activated users, and there are 2: logins go on, and no more users can be activated.',
    });
    for (const { dn } of [alice, bob]) await standard.call('Deactivate_LDAP_Object', { dn });
  });

  it('is not for another installation', async () => {
    const { instance_id } = Object(await detailsUnder({}));
    expect(await detailsUnder({ instance_id })).toEqual(details);
    await expect(detailsUnder({ instance_id: '0123456789ABCDEF' })).rejects.toThrow(
      `The licence is for the instance 0123456789ABCDEF, and the domains make this installation ${instance_id}; ask`,
    );
  });
});

describe('an activation that the licence refuses', () => {
  it('is an error of its own in both dialects, with HTTP status 200', async () => {
    const { dn } = standard.users.alice;
    const ports = () => ({ license: newLicense({ products: { Otp: { maximum_users: 0 } } }) });
    for (const [dialect, code] of [
      ['standard', -32023],
      ['deployed', -32603],
    ] as const) {
      const node = await standard.another({ ports, config: { dialect } });
      const body = { jsonrpc: '2.0', id: 1, method: 'Activate_LDAP_Object', params: { dn } };
      expect(await node.answer({ body })).toMatchObject({
        status: 200,
        body: {
          error: {
            code,
            message: 'The licence does not allow it',
            data: `Could not activate LDAP object '${dn}' (the licence allows 0 activated users, and there are 0)`,
            reason: 'license_refused',
          },
        },
      });
      await node.close();
    }
  });
});

describe('Count_Activated_Hosts', () => {
  it('is 0: there is nothing to activate a host for', async () => {
    expect((await standard.call('Count_Activated_Hosts')).result).toBe(0);
    expect((await deployed.call('Count_Activated_Hosts', { product: 'SshKey' })).result).toBe(0);
  });
});

describe('Count_Activated_Users', () => {
  it('counts each user once, also where two domains overlap', async () => {
    const { alice, bob } = standard.users;
    const base = 'dc=example,dc=org';
    const overlapping = await standard.another({
      config: { domains: { Default: { base: `ou=people,${base}` }, All: { base }, Same: { base } } },
    });
    for (const [count, { dn }] of [alice, bob].entries()) {
      expect(await overlapping.call('Count_Activated_Users')).toMatchObject({ result: count });
      await overlapping.call('Activate_LDAP_Object', { dn });
    }
    expect(await overlapping.call('Count_Activated_Users', [])).toMatchObject({ result: 2 });
    await overlapping.close();
  });
});

describe('Get_Config_Objects', () => {
  it('names objects, or reads their settings', async () => {
    expect((await standard.call('Get_Config_Objects', { type: 'Domains' })).result).toEqual(['Default']);
    expect((await standard.call('Get_Config_Objects', { type: 'domains', settings: true })).result).toEqual({
      Default: {
        base: 'dc=example,dc=org',
        login_attributes: 'uid,sAMAccountName,userPrincipalName',
        allowed_groups: '',
        excluded_groups: '',
      },
    });
    const services = await standard.call('Get_Config_Objects', {
      type: 'websrvs',
      settings: 1,
      application: 'Sso',
    });
    expect(services.result).toEqual({
      Sso: {
        ...{ enabled: 'Yes', require: 'none', default_domain: '' },
        ...{ SessionTimeout: '3600', SessionRenew: 'Yes' },
      },
    });
  });

  it('reads client policies, and what web services demand', async () => {
    const staff = 'cn=staff,ou=groups,dc=example,dc=org';
    const configured = await standard.another({
      config: {
        names: { Otp: 'ExampleOTP', otp: 'exampleotp' },
        websrvs: { exampleotp: { require: 'api_key', default_domain: 'Default' } },
        clients: {
          vpn: {
            settings: { 'Otp.LoginMode': 'OTP', 'ExampleOTP.EnableLogin': true },
            allowed_groups: [staff],
            allowed_options: ['-LDAP', '-U2F'],
            addresses: ['192.0.2.10', '2001:db8::/64'],
            allowed_settings: ['OTPType', 'ExampleOTP.LoginMode'],
            mode: 'step_up',
            groups: [{ group: staff, settings: { 'Otp.OTPLength': 8 } }],
            networks: [{ network: '10.0.0.0/8', settings: { 'Otp.LoginMode': 'LDAP', 'Otp.ListSize': 3 } }],
          },
          '192.0.2.1': {},
        },
      },
    });
    const read = async (params: object) => (await configured.call('Get_Config_Objects', params)).result;
    expect(await read({ type: 'clients' })).toEqual(['vpn', '192.0.2.1']);
    expect(await read({ type: 'clients', settings: true })).toMatchObject({
      vpn: {
        default_domain: '',
        allowed_groups: staff,
        excluded_groups: '',
        allowed_options: '-LDAP,-U2F',
        addresses: '192.0.2.10,2001:db8::/64',
        allowed_settings: 'ExampleOTP.OTPType,ExampleOTP.LoginMode',
        mode: 'step_up',
        'ExampleOTP.LoginMode': 'OTP',
        'ExampleOTP.EnableLogin': 'Yes',
        [`group ${staff}`]: 'ExampleOTP.OTPLength=8',
        'network 10.0.0.0/8': 'ExampleOTP.LoginMode=LDAP,ExampleOTP.ListSize=3',
      },
      '192.0.2.1': { mode: 'default', allowed_groups: '' },
    });
    expect(await read({ type: 'websrvs', settings: true, application: 'ExampleOTP' })).toMatchObject({
      ExampleOTP: { enabled: 'Yes', require: 'api_key', default_domain: 'Default', LoginMode: 'LDAPOTP' },
    });
    await configured.close();
  });

  it('writes none as the dialect does', async () => {
    expect((await standard.call('Get_Config_Objects', { type: 'trusts' })).result).toEqual([]);
    expect((await deployed.call('Get_Config_Objects', { type: 'clients', settings: true })).result).toEqual(
      [],
    );
  });

  it('refuses types and applications that there are not', async () => {
    expect((await standard.call('Get_Config_Objects', { type: 'secrets' })).error).toMatchObject({
      code: -32602,
      data: 'Parameter type is none of domains, clients, trusts, webapps, websrvs, roles, optionsets',
    });
    const unknown = { type: 'websrvs', application: 'constructor' };
    expect((await standard.call('Get_Config_Objects', unknown)).error).toMatchObject({
      code: -32602,
      data: "Parameter application: there is no 'constructor'",
    });
  });
});

describe('Clear_Caches', () => {
  it.each([
    [{}, true],
    [{ type: 'ldap' }, true],
    [{ type: 'LDAP', tenant: 'x' }, true],
    [{ type: 'sql' }, false],
  ])('with %j is %s', async (params, cleared) => {
    standard.directory.takeAsked();
    expect((await standard.call('Clear_Caches', params)).result).toBe(cleared);
    expect(standard.directory.takeAsked().includes('clearCaches')).toBe(cleared);
  });
});

describe('Get_Random_Bytes', () => {
  it('makes as many as asked for, other ones each time, in padded base64', async () => {
    const texts = new Set<unknown>();
    for (const length of [1, 20, '32', 10_000, 20]) {
      const { result } = await standard.call('Get_Random_Bytes', { length });
      expect(Buffer.from(String(result), 'base64')).toHaveLength(Number(length));
      expect(String(result).length % 4).toBe(0);
      texts.add(result);
    }
    expect(texts.size).toBe(5);
  });
});
