/** Names that every JavaScript object has are names like any other at every door, or refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { coreMethods } from './methods.ts';

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

let fixture: Fixture;
let alice: string;
beforeAll(async () => {
  fixture = await openFixture({ config: { limits: { login_failure_delay_ms: 0 } } });
  alice = fixture.users.alice.dn;
  await fixture.call('Activate_LDAP_Object', { dn: alice });
});
afterAll(async () => {
  await fixture.close();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const raw = async (body: string) => (await fixture.answer({ body })).body as { error?: { reason: string } };
const call = (method: string, params: string) =>
  raw(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`);

describe.each(names)('%s', (name) => {
  it('is no method and no part of one', async () => {
    for (const method of [name, `Otp.${name}`, `${name}.HOTP_Register`, `${name}.${name}`])
      expect((await call(method, '{}')).error?.reason).toBe('method_not_found');
  });

  it('is no parameter and no member of a call', async () => {
    expect((await call('Server_Status', `{"${name}": true}`)).error?.reason).toBe('invalid_params');
    const body = `{"jsonrpc":"2.0","id":1,"method":"Server_Status","${name}":{"params":{"servers":true}}}`;
    expect(await raw(body)).toMatchObject({ result: { status: 1 } });
    expect(await raw(body)).not.toHaveProperty('result.servers');
  });

  it.each([
    ['Set_User_Attrs', 'attrs', '["x"]'],
    ['Remove_User_Attrs', 'attrs', '["x"]'],
    ['Set_User_Settings', 'settings', '"x"'],
    ['Set_User_Settings', 'settings', 'null'],
    ['Set_User_Data', 'data', '"eA=="'],
    ['Set_User_Data', 'data', 'null'],
  ])('is refused by %s in %s: %s', async (method, parameter, value) => {
    for (const key of [name, ...(parameter === 'attrs' ? [] : [`Otp.${name}`, `${name}.LoginMode`])]) {
      const { error } = await call(method, `{"dn":"${alice}","${parameter}":{"${key}":${value}}}`);
      const isKept = key === `Otp.${name}` && parameter === 'data' && name !== '__proto__';
      // Data of an application may have any key of letters.
      if (isKept) expect(error).toBeUndefined();
      else expect(['invalid_params', 'schema_refused', undefined]).toContain(error?.reason);
      if (!isKept && method !== 'Remove_User_Attrs') expect(error).toBeDefined();
    }
  });

  it('is an entry, a client, a domain or an application that there is not', async () => {
    const dn = `uid=${name},ou=people,dc=example,dc=org`;
    expect(await call('Check_LDAP_Object', `{"dn":"${dn}"}`)).toMatchObject({ result: false });
    expect((await call('Get_User_DN', `{"username":"${name}","domain":"Default"}`)).error?.reason).toBe(
      'not_found',
    );
    expect((await call('Get_User_DN', `{"username":"alice","domain":"${name}"}`)).error?.reason).toBe(
      'not_found',
    );
    expect(await call('Count_Domain_Users', `{"domain":"${name}"}`)).toMatchObject({ result: false });
    expect(await call('Set_Client_Mode', `{"client":"${name}","mode":1}`)).toMatchObject({ result: false });
    expect((await call('Get_Event_Logs', `{"application":"${name}"}`)).error?.reason).toBe('invalid_params');
  });

  it('is taken by no method for what it is not, and by none as an error of ours', async () => {
    const methods = [
      ...Object.entries(coreMethods).map(([method, row]) => [method, row] as const),
      ...Object.entries(bundled.Otp.methods).map(([method, row]) => [`Otp.${method}`, row] as const),
    ];
    for (const [method, { params }] of methods) {
      const given = Object.keys(params).map((key) => `"${key}":"${name}"`);
      const { error } = await call(method, `{${given.join()}}`);
      expect([method, error?.reason]).not.toEqual([method, 'internal']);
    }
  });

  it('logs in nobody over REST', async () => {
    const web = fixture.service.web.otp;
    for (const fields of [
      { username: name, ldapPassword: name },
      { username: 'alice', domain: name, ldapPassword: fixture.users.alice.password },
      { username: `${name}\\alice`, ldapPassword: fixture.users.alice.password },
      { username: 'alice', ldapPassword: 'x', client: name, settings: `${name}=1`, options: name },
    ])
      expect((await web.normalLogin(fields)).code).toBe(0);
  });
});

it('a user who is called so logs in like any other', async () => {
  for (const uid of names) {
    const dn = `uid=${uid},ou=people,dc=example,dc=org`;
    const attrs = {
      objectclass: ['inetOrgPerson', 'webadmAccount'],
      cn: uid,
      sn: uid,
      userpassword: 'A-g00d-one',
    };
    expect((await fixture.call('Create_LDAP_Object', { dn, attrs })).result).toBe(1);
    await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    const login = { username: uid, ldapPassword: 'A-g00d-one' };
    expect((await fixture.service.web.otp.normalLogin(login)).code).toBe(1);
  }
});
