/** The answer of a login names the account, whatever was typed; in the deployed dialect it has the fields of the interface alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceConfigInput } from '../config/config.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';

const limits = { login_failure_delay_ms: 0 };
const config: ServiceConfigInput = {
  domains: {
    Default: { base: 'ou=people,dc=example,dc=org', login_attributes: ['uid', 'mail'] },
    Branch: { base: 'ou=branch,dc=example,dc=org', login_attributes: ['mail', 'uid'] },
  },
  super_admins: ['cn=administrators,ou=groups,dc=example,dc=org'],
  manager_auth: 'UID',
  settings: { 'Otp.LoginMode': 'LDAP' },
  limits,
};

let fixture: Fixture;
let deployed: Fixture;
let password: string;
beforeAll(async () => {
  fixture = await openFixture({ config });
  deployed = await fixture.another({ config: { ...config, dialect: 'deployed' } });
  ({ password } = fixture.users.alice);
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Set_User_Attrs', { dn, attrs: { uid: ['alice', 'AA', 'zz'] } });
  const branch = 'ou=branch,dc=example,dc=org';
  await fixture.call('Create_LDAP_Object', { dn: branch, attrs: { objectclass: ['organizationalUnit'] } });
  const attrs = {
    objectclass: ['inetOrgPerson', 'webadmAccount'],
    ...{ cn: 'alice', sn: 'a', uid: ['Alice', 'a.branch'], mail: 'A.Branch@example.org' },
    userpassword: password,
  };
  await fixture.call('Create_LDAP_Object', { dn: `cn=alice,${branch}`, attrs });
});
afterAll(async () => {
  await deployed.close();
  await fixture.close();
});

type Fields = Readonly<Record<string, string>>;

const send = (node: Fixture, path: string, body: string, type: string) =>
  node.service.web.answer({
    method: 'POST',
    url: new URL(`https://localhost/otp/${path}`),
    headers: new Headers({ 'content-type': type }),
    body: async () => Buffer.from(body),
    ...{ address: '192.0.2.9', port: 40_000 },
  });
async function rest(node: Fixture, operation: string, fields: Fields) {
  const { body } = await send(node, `json/${operation}/`, JSON.stringify(fields), 'application/json');
  return String(body);
}
async function soap(node: Fixture, operation: string, fields: Fields) {
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  const envelope = `<E:Envelope xmlns:E="http://schemas.xmlsoap.org/soap/envelope/"><E:Body><${operation}>${inner.join('')}</${operation}></E:Body></E:Envelope>`;
  return String((await send(node, '', envelope, 'text/xml')).body);
}
const login = (username: string, more: Fields = {}) => ({ username, ldapPassword: password, ...more });

/** The answer of a login by the WSDL. */
async function partsOf(node: Fixture): Promise<readonly (string | undefined)[]> {
  const url = new URL('https://localhost/otp/?wsdl');
  const asked = { method: 'GET', url, headers: new Headers(), body: async () => Buffer.alloc(0) };
  const { body } = await node.service.web.answer({ ...asked, address: '192.0.2.9', port: 40_000 });
  const [, afterPassword = ''] = String(body).split('<message name="otpNormalLoginResponse">');
  const [parts = ''] = afterPassword.split('</message>');
  return Array.from(parts.matchAll(/part name="(\w+)"/g), ([, name]) => name);
}

describe('the standard dialect', () => {
  it.each([
    ['alice', {}],
    ['ALICE', {}],
    ['Default\\zz', {}],
    ['aa', { domain: 'default' }],
    ['Alice@Example.org', {}],
    ['UID=alice, OU=People,dc=example,dc=org', { options: 'LDAPDN' }],
  ])('names the account alike, logged in as %s', async (username, more) => {
    const answer = JSON.parse(await rest(fixture, 'otpNormalLogin', login(username, more)));
    expect(answer).toEqual({
      ...{ code: 1, error: '', message: 'Authentication success' },
      ...{ username: 'alice', domain: 'Default', data: '', concat: 0 },
    });
  });

  it('tells one alice from another by the domain, and names them by its first attribute', async () => {
    const answer = await fixture.service.web.otp.normalLogin(login('branch\\alice'));
    expect(answer).toMatchObject({ code: 1, username: 'A.Branch@example.org', domain: 'Branch' });
  });

  it('does so in SOAP, where the WSDL has them, beside data', async () => {
    expect(await soap(fixture, 'otpSimpleLogin', { username: 'ALICE', anyPassword: password })).toContain(
      '<username>alice</username><domain>Default</domain><data/><concat>0</concat>',
    );
    expect((await partsOf(fixture)).slice(3, 7)).toEqual(['session', 'username', 'domain', 'data']);
  });

  it('does so in the answer to a challenge, and tells no name before', async () => {
    const { dn } = fixture.users.alice;
    const settings = { 'Otp.LoginMode': 'LDAPOTP' };
    await fixture.call('Set_User_Settings', { dn, settings });
    await fixture.call('Otp.Emerg_Register', { dn, otp: 'help-me-48', maxuse: 5 });
    const begun = await fixture.service.web.otp.normalLogin(login('ALICE'));
    expect(begun).toMatchObject({ code: 2 });
    expect(begun).not.toHaveProperty('username');
    const session = begun.code === 2 ? begun.session : '';
    const answer = { username: 'zz', session, otpPassword: 'help-me-48' };
    expect(await fixture.service.web.otp.challenge(answer)).toMatchObject({
      ...{ code: 1, username: 'alice', domain: 'Default' },
    });
    const wrong = await fixture.service.web.otp.normalLogin({ ...login('alice'), ldapPassword: 'wrong' });
    expect(wrong).toEqual({ code: 0, error: 'AuthFailed', message: 'Invalid username or password' });
    await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': null } });
  });
});

describe('the deployed dialect', () => {
  const json = '{"code":1,"error":"","message":"Authentication success","data":"","concat":0}';
  const children =
    '<code>1</code><error/><message>Authentication success</message><data/><concat>0</concat></ns1:';

  it.each([
    ['otpSimpleLogin', 'anyPassword'],
    ['otpNormalLogin', 'ldapPassword'],
    ['otpLogin', 'ldapPassword'],
  ])(
    'answers the success of %s with the fields of the interface, byte for byte',
    async (operation, field) => {
      const fields = { username: 'ALICE', [field]: password };
      expect(await rest(deployed, operation, fields)).toBe(json);
      expect(await soap(deployed, operation, fields)).toContain(`Response xmlns:ns1="urn:otp">${children}`);
    },
  );

  it('answers the success of otpChallenge so, too', async () => {
    const { dn } = fixture.users.alice;
    await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': 'LDAPOTP' } });
    await fixture.call('Otp.Emerg_Register', { dn, otp: 'help-me-49', maxuse: 5 });
    const answer = async (send: typeof rest) => {
      const { session } = JSON.parse(await rest(deployed, 'otpNormalLogin', login('ALICE')));
      return send(deployed, 'otpChallenge', { username: 'ALICE', session, otpPassword: 'help-me-49' });
    };
    expect(await answer(rest)).toBe(json);
    expect(await answer(soap)).toContain(children);
    await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': null } });
  });

  it('has no more in the WSDL, and in process', async () => {
    expect(await partsOf(deployed)).toEqual([
      ...['code', 'error', 'message', 'session', 'data', 'concat', 'timeout'],
      ...['otpChallenge', 'u2fChallenge', 'offlineState', 'u2fDataState'],
    ]);
    expect(await deployed.service.web.otp.normalLogin(login('ALICE'))).toEqual({
      ...{ code: 1, error: '', message: 'Authentication success', data: '', concat: 0 },
    });
  });
});
