/** Several directories as one: the embedded one, and a real slapd that knows none of our classes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLdapDirectory } from '../../../ldap/src/index.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { Dn } from '../foundation/text/dn.ts';
import { type Slapd, startSlapd } from '../testing/bed/engines/slapd.ts';
import { type Fixture, openFixture, type Person } from '../testing/bed/fixture.ts';
import { KeptLog } from '../testing/kept-log.ts';
import { mountDirectories } from './mounted.ts';

const home = 'dc=example,dc=org';
const branch = 'dc=branch,dc=example,dc=net';
const branchLdif = `dn: ${branch}
objectClass: organization
objectClass: dcObject
o: Branch
dc: branch

dn: uid=zoe,${branch}
objectClass: inetOrgPerson
uid: zoe
cn: Zoe
sn: Zander
userPassword: zoe-Pa55

dn: uid=yan,${branch}
objectClass: inetOrgPerson
uid: yan
cn: Yan
sn: Young
userPassword: yan-Pa55
`;

let slapd: Slapd;
let fixture: Fixture;
beforeAll(async () => {
  slapd = await startSlapd({ base: branch, ldif: branchLdif, accountSchema: false });
  const server = openLdapDirectory(
    { urls: [slapd.ldapsUrl], ca: slapd.ca, bind_dn: slapd.rootDn, bind_password: slapd.rootPassword },
    { clock: systemClock, log: new KeptLog() },
  );
  fixture = await openFixture({
    config: {
      domains: { Default: { base: home }, Branch: { base: branch } },
      super_admins: [`cn=administrators,ou=groups,${home}`, zoe.dn],
      roles: { readers: { members: [`uid=bob,ou=people,${home}`], methods: ['*'], subtrees: [home] } },
    },
    ports: ({ directory }) => ({
      directory: mountDirectories({ base: Dn.parse(home), server: directory }, [
        { base: Dn.parse(branch), server },
      ]),
    }),
  });
});
afterAll(async () => {
  await fixture.close();
  await slapd.stop();
});

const zoe: Person = { dn: `uid=zoe,${branch}`, username: 'Branch\\zoe', password: 'zoe-Pa55' };
const yan = `uid=yan,${branch}`;

const call = async (method: string, params: object, as?: Person) => {
  const { result, error } = await fixture.call(method, params, as && { as });
  return error ? `${error.reason}: ${error.data}` : result;
};

describe('several directories', () => {
  it('have entries of their own, found by domain and by DN', async () => {
    expect(await call('Get_User_DN', { username: 'yan', domain: 'Branch' })).toBe(yan);
    expect(await call('Get_User_DN', { username: 'alice', domain: 'Default' })).toBe(fixture.users.alice.dn);
    expect(await call('Get_User_Domains', { dn: yan })).toEqual(['Branch']);
    expect(await call('Get_User_Attrs', { dn: yan, attrs: ['sn'] })).toEqual({ sn: ['Young'] });
    expect(Object.keys(Object(await call('Search_LDAP_Objects', { basedn: branch })))).toEqual([
      branch,
      zoe.dn,
      yan,
    ]);
    expect(await call('Check_LDAP_Object', { dn: `uid=yan,${home}` })).toBe(false);
    expect(await call('Check_LDAP_Object', { dn: 'dc=net' })).toBe(false);
  });

  it('are changed by administrators of each', async () => {
    const dn = `uid=new,${branch}`;
    const attrs = { objectclass: ['inetOrgPerson'], cn: 'New', sn: 'Newman', userpassword: 'new-Pa55' };
    expect(await call('Create_LDAP_Object', { dn, attrs })).toBe(1);
    expect(await call('Check_User_Password', { dn, password: 'new-Pa55' })).toBe(true);
    expect(await call('Rename_LDAP_Object', { dn, name: 'newer' })).toBe(1);
    expect(await call('Remove_LDAP_Object', { dn: `uid=newer,${branch}` })).toBe(1);
    const { alice } = fixture.users;
    expect(await call('Set_User_Attrs', { dn: alice.dn, attrs: { mail: 'a@example.org' } }, zoe)).toBe(1);
    expect(await call('Who_Am_I', {}, zoe)).toMatchObject({ dn: zoe.dn, super_admin: true });
  });

  it('keep their entries, none of which moves to another directory', async () => {
    expect(await call('Move_LDAP_Object', { dn: yan, container: `ou=people,${home}` })).toBe(
      `schema_refused: Could not move LDAP object '${yan}' (that is in another directory)`,
    );
    expect(await call('Check_LDAP_Object', { dn: yan })).toBe(true);
  });

  it('keep settings and data in attributes, or in records', async () => {
    const { alice } = fixture.users;
    const settings = { 'Otp.LoginMode': 'LDAP' };
    expect(await call('Activate_LDAP_Object', { dn: yan })).toBe(false);
    expect(await call('Activate_LDAP_Object', { dn: alice.dn })).toBe(1);
    for (const dn of [yan, alice.dn]) {
      expect(await call('Set_User_Settings', { dn, settings })).toBe(1);
      expect(await call('Get_User_Settings', { dn, settings: ['Otp.LoginMode'] })).toEqual(settings);
    }
    expect(await call('Get_User_Attrs', { dn: alice.dn, attrs: ['webadmsettings'] })).toMatchObject({
      webadmsettings: ['Otp.LoginMode=LDAP'],
    });
    expect(await call('Count_Activated_Users', {})).toBe(3);
    expect(await call('Count_Domain_Users', { domain: 'Branch', active: true })).toBe(2);
  });

  it('log their users in', async () => {
    const { normalLogin } = fixture.service.web.otp;
    const login = (username: string, ldapPassword: string, domain: string) =>
      normalLogin({ username, ldapPassword, domain });
    expect(await login('yan', 'yan-Pa55', 'Branch')).toMatchObject({ code: 1 });
    expect(await login('alice', fixture.users.alice.password, 'Default')).toMatchObject({ code: 1 });
    expect(await login('yan', 'yan-Pa55', 'Default')).toMatchObject({ code: 0 });
    expect(await login('yan', fixture.users.alice.password, 'Branch')).toMatchObject({ code: 0 });
  });

  it('bound the rights of a role', async () => {
    const { bob } = fixture.users;
    expect(await call('Get_User_Attrs', { dn: yan }, bob)).toMatch(/^permission_denied/);
    expect(await call('Get_User_Attrs', { dn: fixture.users.alice.dn, attrs: ['sn'] }, bob)).toMatchObject({
      sn: [expect.any(String)],
    });
  });

  it('release the connection of an administrator', () => {
    expect(fixture.directory.open).toBe(0);
  });
});
