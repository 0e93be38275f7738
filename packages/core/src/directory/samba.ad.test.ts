/** The Manager's methods on a Samba Active Directory: what other directories do is tested beside the methods. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLdapDirectory } from '../../../ldap/src/index.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import type { ManagerCalls } from '../doors/manager/methods.ts';
import { Dn } from '../foundation/text/dn.ts';
import { bytesOf } from '../foundation/text/value.ts';
import { type Samba, startSamba } from '../testing/bed/engines/samba.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { refusalOf } from '../testing/bed/stage.ts';
import { KeptLog } from '../testing/kept-log.ts';

/** RFC 4226 appendix D. */
const tokenKey = Buffer.from('12345678901234567890').toString('base64');
const [first, next] = ['C0rrect-Horse.42', 'Battery_Staple!7'];

let samba: Samba;
let fixture: Fixture;
let manager: ManagerCalls;
let close: () => Promise<void>;
beforeAll(async () => {
  samba = await startSamba();
  const bind = { bind_dn: samba.adminDn, bind_password: samba.adminPassword };
  const directory = openLdapDirectory(
    { urls: [samba.ldapsUrl], ca: samba.ca, ...bind },
    { clock: systemClock, log: new KeptLog() },
  );
  const config = {
    manager_auth: 'DN' as const,
    super_admins: [samba.adminDn, `CN=pc1,${samba.users}`],
    domains: { Default: { base: samba.users } },
  };
  fixture = await openFixture({ config, ports: () => ({ directory }) });
  const login = { username: samba.adminDn, password: samba.adminPassword };
  ({ manager, close } = await fixture.service.manager.login(login));
});
afterAll(async () => {
  await close();
  await fixture.close();
  await samba.stop();
});

const user = async (name: string, sam = name): Promise<string> => {
  const dn = `CN=${name},${samba.users}`;
  const attrs = { objectclass: ['user', 'webadmAccount'], samaccountname: sam, userpassword: first };
  await manager.Create_LDAP_Object({ dn, attrs });
  return dn;
};
const login = async (username: string, ldapPassword: string, otpPassword?: string) =>
  (await fixture.service.web.otp.normalLogin({ username, ldapPassword, ...(otpPassword && { otpPassword }) }))
    .code;

it('accepts a password that must be changed, but no login with it until it is changed', async () => {
  const dn = await user('must');
  await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
  expect(await login('must', first)).toBe(1);
  expect(await manager.Set_User_Password({ dn, password: next, change: true })).toBe(1);
  expect(await manager.Check_User_Password({ dn, password: next })).toBe(true);
  expect(await login('must', next)).toBe(0);
  expect(await manager.Set_User_Password({ dn, password: first })).toBe(1);
  expect(await login('must', first)).toBe(1);
});

it('shows the password policy of the domain', async () => {
  const dn = await user('rules');
  expect(await manager.SelfDesk.Password_Rules({ dn })).toEqual({
    ...{ minLength: expect.any(Number), history: expect.any(Number), isComplex: true },
  });
});

it('spells names in one way in every answer', async () => {
  const dn = await user('Doe\\2C Jane \\22co\\22', 'jane');
  const ours = `CN=Doe\\, Jane \\"co\\",${samba.users}`;
  const group = `CN=a\\2Cb,${samba.users}`;
  await manager.Create_LDAP_Object({
    dn: group,
    attrs: { objectclass: 'group', samaccountname: 'ab', member: dn },
  });
  expect(await manager.Get_User_DN({ username: 'jane', domain: 'Default' })).toBe(ours);
  for (const spelling of [dn, ours]) {
    expect(await manager.Get_User_Groups({ dn: spelling, domain: 'Default' })).toEqual([
      `CN=a\\,b,${samba.users}`,
      `CN=Domain Users,${samba.users}`,
    ]);
    expect(await manager.Get_User_Attrs({ dn: spelling, attrs: ['memberOf', 'distinguishedName'] })).toEqual({
      memberof: [`CN=a\\,b,${samba.users}`],
      distinguishedname: [ours],
    });
  }
  const attrs = ['member'];
  expect(await manager.Search_LDAP_Objects({ basedn: group, scope: 'base', attrs })).toEqual({
    [`CN=a\\,b,${samba.users}`]: { member: [ours] },
  });
});

it('reads and writes attributes with a binary syntax as base64', async () => {
  const dn = await user('bytes');
  const [hours, photo] = [Buffer.alloc(21, 0x41), Buffer.from('ff000102', 'hex')].map((bytes) =>
    bytes.toString('base64'),
  ) as [string, string];
  const attrs = {
    logonHours: hours,
    thumbnailPhoto: photo,
    telexNumber: Buffer.from('text').toString('base64'),
  };
  expect(await manager.Set_User_Attrs({ dn, attrs })).toBe(1);
  const stored = (await fixture.ports.directory.service.read(Dn.parse(dn), Object.keys(attrs)))?.attributes;
  expect(Buffer.from(bytesOf(stored?.get('logonhours')?.[0] ?? '')).toString('base64')).toBe(hours);
  expect(stored?.get('telexnumber')).toEqual(['text']);
  const names = ['objectGUID', 'objectSid', 'nTSecurityDescriptor', 'replPropertyMetaData'];
  const found = await manager.Get_User_Attrs({ dn, attrs: [...Object.keys(attrs), ...names, 'cn'] });
  expect(found).toMatchObject({
    logonhours: [hours],
    thumbnailphoto: [photo],
    telexnumber: [attrs.telexNumber],
    cn: ['bytes'],
  });
  const lengthOf = (name: string) => Buffer.from(found[name]?.[0] ?? '', 'base64').length;
  expect([lengthOf('objectguid'), lengthOf('objectsid')]).toEqual([16, 28]);
  const { attributes } = await manager.Get_Directory_Schema({ dn });
  const binary = new Set(attributes.filter((one) => one.binary).map(({ name }) => name));
  for (const name of [...Object.keys(attrs), ...names])
    expect([name, binary.has(name)]).toEqual([name, true]);
  for (const name of ['userPassword', 'unicodePwd', 'webadmData', 'cn', 'member'])
    expect([name, binary.has(name)]).toEqual([name, false]);
  expect(await refusalOf(manager.Set_User_Attrs({ dn, attrs: { logonHours: 'AAAAA' } }))).toEqual({
    reason: 'invalid_params',
    detail: 'Parameter attrs not Base64',
  });
});

/** Samba lets nobody do it over LDAP. */
function makeTrust(dn: string): void {
  const script = `import sys
from samba.auth import system_session
from samba.param import LoadParm
from samba.samdb import SamDB
lp = LoadParm(sys.argv[1])
sam = SamDB(url=lp.private_path('sam.ldb'), session_info=system_session(), lp=lp)
sam.modify_ldif('dn: ' + sys.argv[2] + '\\nchangetype: modify\\nreplace: userAccountControl\\nuserAccountControl: 2080\\n')
`;
  execFileSync('/usr/bin/python3', ['-c', script, samba.configuration, dn], { stdio: 'pipe' });
}

describe('computers, managed service accounts and accounts of other domains', () => {
  const accounts = {
    pc1: { objectclass: 'computer', samaccountname: 'pc1$', useraccountcontrol: '4096', userpassword: first },
    gmsa1: {
      objectclass: 'msDS-GroupManagedServiceAccount',
      samaccountname: 'gmsa1$',
      'msDS-ManagedPasswordInterval': '30',
      useraccountcontrol: '4096',
    },
    trust1: { objectclass: ['user', 'webadmAccount'], samaccountname: 'trust1$' },
    msa1: { objectclass: 'msDS-ManagedServiceAccount', samaccountname: 'msa1$', useraccountcontrol: '4096' },
  };
  const dnOf = (name: string) => `CN=${name},${samba.users}`;
  const names = Object.keys(accounts);
  const count = (active: boolean) => manager.Count_Domain_Users({ domain: 'Default', active });
  beforeAll(async () => {
    const before = await count(false);
    for (const [name, attrs] of Object.entries(accounts))
      await manager.Create_LDAP_Object({ dn: dnOf(name), attrs });
    makeTrust(dnOf('trust1'));
    expect(await count(false)).toBe(before);
  });

  it('are not found by names of users, and not counted', async () => {
    for (const name of names) {
      expect(await manager.Find_Users({ text: name })).toEqual([]);
      expect((await refusalOf(manager.Get_User_DN({ username: `${name}$`, domain: 'Default' }))).reason).toBe(
        'not_found',
      );
    }
    const { entries } = await manager.List_LDAP_Children({ container: samba.users, max: 1000 });
    const kinds = new Map(entries.map(({ name, kind }) => [name, kind]));
    expect(names.map((name) => kinds.get(name))).toEqual(['other', 'other', 'other', 'other']);
    expect(kinds.get('reader')).toBe('user');
  });

  it('are not activated, and do not count for a licence when another program has activated them', async () => {
    const [dn, before] = [dnOf('pc1'), await count(true)];
    expect(await refusalOf(manager.Activate_LDAP_Object({ dn }))).toEqual({
      reason: 'schema_refused',
      detail: `Object '${dn}' is not a user or group`,
    });
    await manager.Set_User_Attrs({ dn, attrs: { objectclass: ['webadmAccount'] }, values: true });
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    expect([await manager.Check_User_Active({ dn }), await count(true)]).toEqual([false, before]);
    expect(Object.keys(await manager.Otp.Domain_Report({ domain: 'Default' }))).not.toContain(dn);
    expect(await manager.Check_User_Password({ dn, password: first })).toBe(true);
    expect(await login('pc1$', first)).toBe(0);
    const { service } = fixture;
    const byDn = { username: dn, ldapPassword: first, options: 'LDAPDN' };
    expect((await service.web.otp.normalLogin(byDn)).code).toBe(0);
    expect(await manager.Deactivate_LDAP_Object({ dn })).toBe(1);
  });

  // Active Directory checks no password of such an account: a code alone would let it in.
  it('of other domains cannot log in with a code', async () => {
    const dn = dnOf('trust1');
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'OTP' } });
    await manager.Otp.HOTP_Register({ dn, key: tokenKey, counter: 0 });
    const { otp } = fixture.service.web;
    expect((await otp.normalLogin({ username: 'trust1$', otpPassword: '755224' })).code).toBe(0);
  });

  it('are no administrators when administrators are named by DN', async () => {
    const proof = { username: dnOf('pc1'), password: first };
    expect(await manager.Check_User_Password({ dn: proof.username, password: first })).toBe(true);
    await expect(fixture.service.manager.login(proof)).rejects.toMatchObject({
      reason: 'credentials_refused',
    });
  });

  it('do not hide a user with the same name', async () => {
    const dn = await user('alike');
    await manager.Set_User_Attrs({ dn, attrs: { uid: 'pc1$' } });
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    expect(await manager.Get_User_DN({ username: 'pc1$', domain: 'Default' })).toBe(dn);
    expect(await login('pc1$', first)).toBe(1);
  });

  it('are no users, unlike entries of inetOrgPerson', async () => {
    const dn = dnOf('inet');
    const attrs = {
      objectclass: ['inetOrgPerson', 'webadmAccount'],
      samaccountname: 'inet',
      userpassword: first,
    };
    const before = await count(true);
    await manager.Create_LDAP_Object({ dn, attrs });
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    expect(await count(true)).toBe(Number(before) + 1);
    expect(await login('inet', first)).toBe(1);
  });
});

it('refuses a name that is taken or empty, with the reason', async () => {
  await user('taken');
  const dn = await user('renamed');
  expect(await refusalOf(manager.Rename_LDAP_Object({ dn, name: 'taken' }))).toEqual({
    reason: 'already_exists',
    detail: `LDAP object 'CN=taken,${samba.users}' already exist`,
  });
  expect((await refusalOf(manager.Rename_LDAP_Object({ dn, name: ' ' }))).detail).toBe(
    'Parameter name is empty',
  );
});

it('refuses a deactivated user, and restores tokens and settings at the next activation', async () => {
  const dn = await user('idle');
  await manager.Otp.HOTP_Register({ dn, key: tokenKey, counter: 0 });
  await manager.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '4' } });
  expect(await login('idle', first, '755224')).toBe(1);
  const data = await manager.Get_User_Data({ dn });
  expect(await manager.Deactivate_LDAP_Object({ dn })).toBe(1);
  expect(await manager.Get_User_Attrs({ dn, attrs: ['webadmSettings', 'webadmData'] })).toEqual({});
  expect(await login('idle', first, '287082')).toBe(0);
  expect(await manager.Deactivate_LDAP_Object({ dn })).toBe(false);
  expect(await manager.Activate_LDAP_Object({ dn })).toBe(1);
  expect(await manager.Get_User_Data({ dn })).toEqual(data);
  expect(await manager.Get_User_Settings({ dn, settings: ['Otp.MaxTries'] })).toEqual({
    'Otp.MaxTries': '4',
  });
  expect(await login('idle', first, '287082')).toBe(1);
});
