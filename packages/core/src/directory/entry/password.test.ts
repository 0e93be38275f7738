/** Passwords for one login: `change` of Set_User_Password, as every door sees it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { type Engine, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';

const [first, next] = ['First-Pa55', 'N3xt-Password'];

const grounds: readonly [name: string, engine: Engine][] = [
  ['embedded', 'embedded'],
  // Nobody has to change anything by its own lights: the overlay is there, and no policy says so.
  ['OpenLDAP without a policy', 'OpenLDAP'],
];

describe.each(grounds)('a password that must be changed: %s', (_, engine) => {
  let stage: Stage;
  let container: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    container = await stage.container();
  });
  afterAll(() => stage.close());

  const login = async (username: string, ldapPassword: string) =>
    (await stage.fixture.service.web.otp.normalLogin({ username, ldapPassword, options: '-OTP' })).code;

  it('is right, and permits no login until it is changed', async () => {
    const { manager } = stage;
    const dn = await stage.person(container, `user ${engine}`, { userpassword: first });
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    expect(await login(`user ${engine}`, first)).toBe(1);
    expect(await manager.Set_User_Password({ dn, password: next, change: true })).toBe(1);
    expect(await manager.Check_User_Password({ dn, password: next })).toBe(true);
    expect(await manager.Check_User_Password({ dn, password: first })).toBe(false);
    expect(await login(`user ${engine}`, next)).toBe(0);
    expect(await manager.Set_User_Password({ dn, password: first })).toBe(1);
    expect(await login(`user ${engine}`, first)).toBe(1);
  });

  it('permits no login of an administrator until it is changed', async () => {
    const dn = await stage.person(container, `chief ${engine}`, { userpassword: first });
    const administrators = [stage.fixture.administrators, dn];
    const options = { config: { manager_auth: 'DN' as const, super_admins: administrators } };
    const node = await stage.fixture.another({ ...options, ports: () => ({ ...stage.ports }) });
    const enter = async (password: string) =>
      (await node.call('Get_User_Domains', { dn }, { as: { username: dn, password } })).error?.reason;
    expect(await enter(first)).toBeUndefined();
    await stage.manager.Set_User_Password({ dn, password: next, change: true });
    expect(await enter(next)).toBe('credentials_refused');
    await stage.manager.Set_User_Password({ dn, password: first });
    expect(await enter(first)).toBeUndefined();
  });
});

describe('OpenLDAP without its overlay of password policies', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage('OpenLDAP', { ppolicy: false });
  });
  afterAll(() => stage.close());

  it('cannot store the flag, and refuses before a change', async () => {
    const { manager } = stage;
    const dn = await stage.person(await stage.container(), 'user', { userpassword: first });
    expect(await refusalOf(manager.Set_User_Password({ dn, password: next, change: true }))).toEqual({
      reason: 'schema_refused',
      detail: `Could not update LDAP object '${dn}' (this directory keeps no mark that a password must be changed at the next login; OpenLDAP does with its ppolicy overlay)`,
    });
    expect(await manager.Check_User_Password({ dn, password: first })).toBe(true);
    expect(await manager.Set_User_Password({ dn, password: next })).toBe(1);
    const { server } = stage.fixture.core;
    expect(await server.authenticate(Dn.parse(dn), next)).toEqual({ granted: true, mustChange: false });
  });
});
