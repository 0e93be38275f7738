/** The password policy of the embedded directory as callers meet it: in JSON-RPC, over SSH, and by a link. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { open } from '../../applications/self-service/testing/pages.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  const settings = {
    'SshKey.PasswordChange': 'Yes',
    'Otp.PasswordReset': 'Yes',
    'Otp.LoginMode': 'LDAP',
  } as const;
  fixture = await openFixture({
    config: { settings },
    passwordPolicy: { minLength: 8, refusesCommon: true },
  });
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('SshKey.Key_Register', { dn, type: 'ED25519' });
});
afterAll(() => fixture.close());

const rules = [
  ['abc', 'the password has 3 characters, and at least 8 are needed'],
  ['Password1', 'the password is one of the most common ones; choose another one'],
] as const;

it.each(rules)('refuses %s by every method, and names the rule', async (password, rule) => {
  const { dn } = fixture.users.alice;
  const created = `uid=new,${dn.slice(dn.indexOf(',') + 1)}`;
  const attrs = { objectclass: ['inetOrgPerson'], cn: 'New', sn: 'New', userpassword: password };
  const calls = [
    ['Set_User_Password', { dn, password }, 'update', dn],
    ['Set_User_Attrs', { dn, attrs: { userpassword: password } }, 'update', dn],
    ['Create_LDAP_Object', { dn: created, attrs }, 'create', created],
  ] as const;
  for (const [method, params, verb, about] of calls) {
    const { error } = await fixture.call(method, params);
    expect(error).toMatchObject({
      code: -32022,
      reason: 'password_refused',
      data: `Could not ${verb} LDAP object '${about}' (${rule})`,
    });
  }
  expect((await fixture.call('Check_LDAP_Object', { dn: created })).result).toBe(false);
});

it.each(rules)('refuses %s in a dry run as the call does', async (password, rule) => {
  const { dn } = fixture.users.alice;
  const created = `uid=new,${dn.slice(dn.indexOf(',') + 1)}`;
  const attrs = { objectclass: ['inetOrgPerson'], cn: 'New', sn: 'New', userpassword: password };
  const wrong = { reason: 'password_refused', data: expect.stringContaining(rule) };
  for (const [method, params] of [
    ['Set_User_Password', { dn, password }],
    ['Set_User_Attrs', { dn, attrs: { userpassword: password } }],
    ['Set_User_Attrs', { dn, attrs: { userpassword: `{CLEARTEXT}${password}` }, values: true }],
    ['Create_LDAP_Object', { dn: created, attrs }],
  ] as const)
    expect((await fixture.call(method, params, { isDryRun: true })).error).toMatchObject(wrong);
  const good = { dn, attrs: { userpassword: 'Battery-Staple-8' } };
  expect((await fixture.call('Set_User_Attrs', good, { isDryRun: true })).error).toBeUndefined();
});

it('refuses a hash that no password matches, and names its scheme', async () => {
  const { dn } = fixture.users.bob;
  const set = (userpassword: string) => fixture.call('Set_User_Attrs', { dn, attrs: { userpassword } });
  for (const [hash, scheme] of [
    ['{SSHA}xx', '{SSHA}'],
    ['{crypt}$y$j9T$a$b', '{CRYPT}$y$'],
    ['{SASL}bob@example.org', '{SASL}'],
  ] as const) {
    const { error } = await set(hash);
    expect(error).toMatchObject({ reason: 'password_refused', data: expect.stringContaining(scheme) });
  }
  expect((await set('{SSHA}WjJUAF6CE7gpHwoU3CPEdOGEfbtmaXh0dXJlIQ==')).result).toBe(1);
  expect((await fixture.call('Check_User_Password', { dn, password: 'right' })).result).toBe(true);
});

it('takes a text like a hash for the password itself in Set_User_Password', async () => {
  const { dn } = fixture.users.bob;
  const password = '{SSHA}WjJUAF6CE7gpHwoU3CPEdOGEfbtmaXh0dXJlIQ==';
  expect((await fixture.call('Set_User_Password', { dn, password })).result).toBe(1);
  for (const [tried, isRight] of [
    [password, true],
    ['right', false],
  ] as const)
    expect((await fixture.call('Check_User_Password', { dn, password: tried })).result).toBe(isRight);
});

it('refuses a change over SSH in the words of that service', async () => {
  const { username, password } = fixture.users.alice;
  const started = await fixture.service.web.sshkey.sessionStart({ username, server: 'web1' });
  const { session = '' } = { session: '', ...started };
  expect(started.code).toBe(1);
  const change = (newPassword: string) =>
    fixture.service.web.sshkey.passwordChange({
      ...{ session, oldPassword: password, newPassword },
    });
  expect(await change('abc')).toMatchObject({
    ...{ code: 0, error: 'PasswordPolicy' },
    message: 'Password does not match the password policy',
  });
});

it('refuses a password by a link, and keeps the link', async () => {
  const { dn, username } = fixture.users.alice;
  await fixture.call('Set_User_Attrs', { dn, attrs: { mail: 'alice@example.com' } });
  const sent = await fixture.call('PwReset.Send_Request', { username, method: 'NONE' });
  const link = String(sent.result);
  const { fields } = await open(fixture, link);
  const enter = (password: string) => open(fixture, link, { form: { ...fields, password, again: password } });
  expect((await enter('Password1')).text).toContain('one of the most common ones');
  expect((await enter('Battery-Staple-8')).text).toContain('is set');
});

it('shows its rules before a password is typed', async () => {
  const { result } = await fixture.call('SelfDesk.Password_Rules', { dn: fixture.users.alice.dn });
  expect(result).toEqual({ minLength: 8, refusesCommon: true });
});
