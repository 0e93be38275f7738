/**
 * Roles and option sets in front of a real OpenLDAP, whose own access rules let all of this through: it knows more
 * spellings of a name than we do, keeps `memberOf` itself and finds by rules of its own.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLdapDirectory } from '../../../../ldap/src/index.ts';
import { systemClock } from '../../../../node/src/machine/index.ts';
import type { Credentials } from '../../doors/manager/identity/credentials.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { type Slapd, startSlapd } from '../../testing/bed/engines/slapd.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { KeptLog } from '../../testing/kept-log.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const [inside, outside] = [`uid=in,${desk}`, `uid=out,${people}`];
const chief = `uid=chief,${desk}`;
/** The type has no short name in RFC 4514; by its number (RFC 2798 §2.4) it is another word for the same entry. */
const seven = `employeeNumber=7,${people}`;
const sameSeven = `2.16.840.1.113730.3.1.3=7,${people}`;

let slapd: Slapd;
let fixture: Fixture;
let root: Credentials;
let member: Credentials;
beforeAll(async () => {
  slapd = await startSlapd();
  root = { username: slapd.rootDn, password: slapd.rootPassword };
  member = { username: slapd.adminDn, password: slapd.adminPassword };
  const server = { urls: [slapd.ldapsUrl], ca: slapd.ca, base };
  const directory = openLdapDirectory(
    { ...server, bind_dn: slapd.rootDn, bind_password: slapd.rootPassword },
    { clock: systemClock, log: new KeptLog() },
  );
  fixture = await openFixture({
    config: {
      manager_auth: 'DN',
      super_admins: [slapd.rootDn, chief, `cn=chiefs,ou=groups,${base}`],
      roles: {
        helpdesk: {
          ...{ members: [slapd.adminDn], methods: ['*'], subtrees: [desk] },
          ...{
            read: ['cn', 'uid', 'mail'],
            write: ['mail', 'uid', 'userPassword'],
            create: ['inetOrgPerson'],
          },
        },
        groups: {
          ...{ members: [slapd.adminDn], subtrees: [desk], read: ['cn'] },
          methods: ['Create_LDAP_Object', 'Set_User_Attrs', 'Set_User_Settings', 'Remove_LDAP_Object'],
          write: ['cn', 'member', 'uniqueMember', 'memberUid', 'gidNumber', 'webadmSettings'],
          create: ['groupOfNames', 'groupOfUniqueNames', 'posixGroup', 'webadmGroup'],
        },
      },
      option_sets: {
        seven: {
          ...{ subtree: seven, methods: ['*_User_Attrs', 'Remove_*', 'Rename_*', 'Set_User_Password'] },
          ...{ read: ['mail'], write: ['mail'], create: [] },
        },
      },
    },
    ports: () => ({ directory }),
  });
  const person = {
    objectclass: 'inetOrgPerson',
    cn: 'Somebody',
    sn: 'Body',
    mobile: '1',
    userpassword: 'right-Pa55',
  };
  await make(desk, { objectclass: 'organizationalUnit' });
  for (const dn of [inside, outside, chief]) await make(dn, person);
  // Not even super administrators make anything there.
  const values = Object.entries(person).map(([name, value]) => [name, [value]] as const);
  await directory.service.add(Dn.parse(seven), new Map(values));
  // The policy of the throwaway slapd makes a user who was given a password change it.
  await directory.service.modify(Dn.parse(seven), [
    { operation: 'replace', attribute: 'pwdReset', values: [] },
  ]);
  await make(`cn=chiefs,ou=groups,${base}`, { objectclass: 'groupOfNames', member: [seven] });
});
afterAll(async () => {
  await fixture.close();
  await slapd.stop();
});

const call = async (method: string, params: object, as: Credentials = member) => {
  const { result, error } = await fixture.call(method, params, { as });
  return error ? error.reason : result;
};
const make = async (dn: string, attrs: object) => {
  expect(await call('Create_LDAP_Object', { dn, attrs }, root)).toBe(1);
};

describe('a role in front of OpenLDAP', () => {
  const mail = { mail: 'm@example.org' };
  it.each<[string, object, unknown]>([
    ['Check_LDAP_Object', {}, true],
    ['Get_User_Attrs', { attrs: ['cn'] }, { cn: ['Somebody'] }],
    ['Set_User_Attrs', { attrs: mail }, 1],
    ['Set_User_Attrs', { attrs: mail, values: true }, 1],
    ['Set_User_Password', { password: 'An0ther-pass' }, 1],
    ['Rename_LDAP_Object', { name: 'in' }, 1],
  ])('%s %o goes as far as the subtree', async (method, params, answer) => {
    expect(await call(method, { dn: inside, ...params })).toEqual(answer);
    expect(await call(method, { dn: outside, ...params })).toBe('permission_denied');
  });

  it.each<[string, object]>([
    ['Set_User_Attrs', { attrs: mail }],
    ['Set_User_Password', { password: 'mine-Now-1' }],
    ['Rename_LDAP_Object', { name: 'former' }],
    ['Remove_LDAP_Object', {}],
    ['Get_User_Attrs', { attrs: ['userPassword'] }],
  ])('%s %o does not reach a super administrator', async (method, params) => {
    expect(await call(method, { dn: chief, ...params })).toBe('permission_denied');
    expect(await call(method, { dn: `UID=Chief , ou=DESK,${people}`, ...params })).toBe('permission_denied');
  });

  it('finds by what may be read', async () => {
    const found = async (filter: string, attrs?: string[]) => {
      const answer = await call('Search_LDAP_Objects', { basedn: people, filter, ...(attrs && { attrs }) });
      return typeof answer === 'string' ? answer : Object.entries(Object(answer));
    };
    expect(await found('(cn=some*)', ['cn'])).toEqual([
      [inside, { cn: ['Somebody'] }],
      [chief, { cn: ['Somebody'] }],
    ]);
    expect(Object.keys(Object((await found('(uid=in)'))[0]?.[1]))).not.toContain('mobile');
    // `name` is what `cn` and `sn` are made from (RFC 4519 §2.18): a question about all of them.
    for (const filter of ['(mobile=1)', '(!(mobile=2))', '(name=Body)', '(2.5.4.4=Body)', '(userPassword=*)'])
      expect(await found(filter)).toBe('permission_denied');
  });

  it.each(['out', 'OUT', ' ｏｕｔ ', 'chief'])(
    'gives no entry the login name %j of another entry',
    async (name) => {
      const attrs = { uid: [name] };
      expect(await call('Set_User_Attrs', { dn: inside, attrs, values: true })).toBe('permission_denied');
      expect(await call('Rename_LDAP_Object', { dn: inside, name })).toBe('permission_denied');
      expect(await call('Set_User_Attrs', { dn: inside, attrs: { uid: ['in', 'inner'] } })).toBe(1);
    },
  );

  it('writes nothing by another word', async () => {
    for (const name of ['mobileTelephoneNumber', '0.9.2342.19200300.100.1.41', 'surname', '2.5.4.4'])
      expect(await call('Set_User_Attrs', { dn: inside, attrs: { [name]: '2' } })).toBe('permission_denied');
  });
});

describe('a group in front of OpenLDAP', () => {
  const group = `cn=mine,${desk}`;
  const make = (attrs: object, as?: Credentials) =>
    call('Create_LDAP_Object', { dn: group, attrs: { objectclass: ['groupOfNames'], ...attrs } }, as);
  const chiefs = `cn=chiefs,ou=groups,${base}`;

  it.each<[string, object]>([
    ['its DN', { member: [inside, chief] }],
    ['another spelling of its DN', { member: [inside, `userid=CHIEF , ou=DESK,${people}`] }],
    ['a spelling that only the directory knows', { member: [inside, sameSeven] }],
    ['uniqueMember', { objectclass: 'groupOfUniqueNames', uniquemember: [`${chief}#'1'B`] }],
    ['its login name', { objectclass: 'posixGroup', gidnumber: '5009', memberuid: ['in', 'CHIEF'] }],
    ['a group that it is in', { member: [inside, chiefs] }],
  ])('takes no super administrator by %s', async (_, attrs) => {
    expect(await make(attrs)).toBe('permission_denied');
    expect(await call('Check_LDAP_Object', { dn: group }, root)).toBe(false);
  });

  it('decides for members in reach, and no more while an administrator is one', async () => {
    const set = (ldap: string) => ({ dn: group, settings: { 'Otp.LoginMode': ldap } });
    expect(await make({ objectclass: ['groupOfNames', 'webadmGroup'], member: [inside] })).toBe(1);
    expect(await call('Set_User_Settings', set('LDAP'))).toBe(1);
    const join = (dn: string) => ({ dn: group, attrs: { member: [dn] }, values: true });
    expect(await call('Set_User_Attrs', join(outside))).toBe('permission_denied');
    expect(await call('Set_User_Attrs', join(chief))).toBe('permission_denied');
    expect(await call('Set_User_Attrs', join(chief), root)).toBe(1);
    expect(await call('Set_User_Settings', set('OTP'))).toBe('permission_denied');
    expect(await call('Remove_LDAP_Object', { dn: group })).toBe('permission_denied');
    expect(await call('Remove_LDAP_Object', { dn: group }, root)).toBe(1);
  });
});

describe('an option set in front of OpenLDAP', () => {
  it.each([seven, sameSeven, `EmployeeNumber=\\37, ${people}`])('holds for %s', async (dn) => {
    expect(await call('Get_User_Attrs', { dn, attrs: ['mail'] }, root)).toEqual({});
    for (const [method, params] of [
      ['Get_User_Attrs', { attrs: ['mobile'] }],
      ['Set_User_Attrs', { attrs: { mobile: '2' } }],
      ['Set_User_Password', { password: 'mine-Now-1' }],
      ['Rename_LDAP_Object', { name: '8' }],
      ['Remove_LDAP_Object', {}],
      ['Check_LDAP_Object', {}],
      // It changes what is kept beside the directory, and reads the entry as the service.
      ['SelfDesk.End_Sessions', {}],
    ] as const)
      expect([method, await call(method, { dn, ...params }, root)]).toEqual([method, 'permission_denied']);
  });

  it.each([seven, sameSeven])('holds for who logs in as %s', async (username) => {
    const as = { username, password: 'right-Pa55' };
    expect(await call('Who_Am_I', {}, as)).toMatchObject({ super_admin: true, option_sets: { seven: {} } });
    expect(await call('Get_User_Attrs', { dn: outside, attrs: ['mobile'] }, as)).toBe('permission_denied');
    expect(await call('Check_LDAP_Object', { dn: outside }, as)).toBe('permission_denied');
    // An unrestricted caller may do more.
    expect(await call('Set_User_Attrs', { dn: chief, attrs: { mail: 'x@example.org' } }, as)).toBe(
      'permission_denied',
    );
  });
});
