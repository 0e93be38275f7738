/** What a hostile administrator of a role would try, to read, to change or to become what it may not. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const vault = `ou=vault,${desk}`;
const carol = `uid=carol,${desk}`;
const gone = `uid=gone,${desk}`;
const chiefs = `cn=chiefs,${desk}`;
const colleagues = `cn=colleagues,${desk}`;
const others = `cn=others,${desk}`;

let fixture: Fixture;
let bob: Person;
let admin: Person;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      manager_session: 300,
      super_admins: [`cn=administrators,ou=groups,${base}`, chiefs],
      roles: {
        helpdesk: {
          members: [`uid=bob,${people}`, colleagues],
          methods: ['*'],
          subtrees: [desk],
          read: ['mail', 'cn', 'uid', 'member'],
          write: ['mail', 'uid', 'cn', 'sn', 'member', 'description'],
          create: ['inetOrgPerson', 'groupOfNames', 'organizationalUnit'],
        },
        // Its subtree is not there.
        vault: {
          ...{ members: [`uid=bob,${people}`], methods: ['*'], subtrees: [vault] },
          ...{ read: ['*', 'userPassword'], write: ['*', 'userPassword'], create: ['*'] },
        },
        elsewhere: { members: [others], methods: ['*'], subtrees: [base], write: ['*'], create: ['*'] },
      },
      option_sets: {
        far: { subtree: `ou=groups,${base}`, restricts: ['administrators'] },
        near: { subtree: `ou=shelf,${desk}`, restricts: ['entries'] },
      },
    },
  });
  admin = fixture.admin;
  bob = fixture.users.bob;
  for (const dn of [desk, `ou=shelf,${desk}`]) await make(dn, { objectclass: 'organizationalUnit' });
  await make(chiefs, { objectclass: 'groupOfNames', member: [gone, `cn=inner,${desk}`] });
  for (const dn of [colleagues, others, `cn=inner,${desk}`])
    await make(dn, { objectclass: 'groupOfNames', member: `uid=alice,${people}` });
});
afterAll(() => fixture.close());

const call = async (method: string, params: object, as: Person = bob) => {
  const { result, error } = await fixture.call(method, params, { as });
  return error ? error.reason : result;
};
const make = async (dn: string, attrs: object) => {
  expect(await call('Create_LDAP_Object', { dn, attrs }, admin)).toBe(1);
};
const found = async (params: object) => {
  const answer = await call('Search_LDAP_Objects', { basedn: desk, ...params });
  return typeof answer === 'string' ? answer : Object.keys(Object(answer));
};

beforeEach(async () => {
  if (await call('Check_LDAP_Object', { dn: carol }, admin))
    await call('Remove_LDAP_Object', { dn: carol }, admin);
  const attrs = {
    objectclass: 'inetOrgPerson',
    cn: 'Carol',
    sn: 'Cook',
    mobile: '42',
    userpassword: '{SSHA}WjJUAF6CE7gpHwoU3CPEdOGEfbtmaXh0dXJlIQ==',
  };
  await make(carol, attrs);
});

describe('other words for an attribute', () => {
  it.each(['mobile', 'MOBILE', 'mobile;lang-en', '0.9.2342.19200300.100.1.41', 'mobileTelephoneNumber'])(
    '%s is not written',
    async (name) => {
      expect(await call('Set_User_Attrs', { dn: carol, attrs: { [name]: '1' } })).toBe('permission_denied');
      expect(await call('Remove_User_Attrs', { dn: carol, attrs: [name] })).toBe('permission_denied');
    },
  );

  it.each(['userPassword', 'USERPASSWORD', 'userPassword;x-a', '2.5.4.35'])(
    '%s is not read',
    async (name) => {
      expect(await call('Get_User_Attrs', { dn: carol, attrs: [name] })).toBe('permission_denied');
      expect(await call('Get_User_Attrs', { dn: carol, attrs: ['*', name] })).toBe('permission_denied');
      expect(await found({ attrs: [name], basedn: carol })).toEqual([carol]);
      expect(await call('Search_LDAP_Objects', { basedn: carol, attrs: [name] })).toEqual({ [carol]: {} });
    },
  );

  it.each([
    { objectClass: ['posixAccount'] },
    { OBJECTCLASS: ['account'] },
    { 'objectClass;x-a': ['posixAccount'] },
    { '2.5.4.0': ['posixAccount'] },
    { objectclass: ['1.3.6.1.1.1.2.0'] },
    { 'objectClass;binary': [Buffer.from('posixAccount').toString('base64')] },
    { '2.5.4.0;binary': [Buffer.from('posixAccount').toString('base64')] },
  ])('%o gives no class that may not be made', async (attrs) => {
    for (const values of [true, false])
      expect(await call('Set_User_Attrs', { dn: carol, attrs, values })).toBe('permission_denied');
  });

  it('in the name of a new entry are written like others', async () => {
    const attrs = { objectclass: 'inetOrgPerson', cn: 'Eve', sn: 'Eve' };
    for (const rdn of ['mobile=1', 'uid=eve+mobile=1', 'uid=eve+userPassword=x', 'uid=eve+2.5.4.35=x'])
      expect(await call('Create_LDAP_Object', { dn: `${rdn},${desk}`, attrs })).toBe('permission_denied');
  });

  it('do not take a class away', async () => {
    const dn = `cn=account,${desk}`;
    await make(dn, { objectclass: ['inetOrgPerson', 'webadmAccount'], sn: 'A' });
    for (const attrs of [['objectclass'], ['2.5.4.0']])
      expect(await call('Remove_User_Attrs', { dn, attrs })).toBe('permission_denied');
    expect(await call('Deactivate_LDAP_Object', { dn })).toBe('permission_denied');
    expect(await call('Remove_LDAP_Object', { dn })).toBe('permission_denied');
  });
});

describe('other spellings of a name', () => {
  it.each([
    `UID=ALICE,OU=People,DC=example,DC=org`,
    `0.9.2342.19200300.100.1.1=alice,2.5.4.11=people,${base}`,
    `uid=\\61lice , ou=people,  ${base}`,
    `userid=alice,organizationalUnitName=people,${base}`,
    `uid=alice,ou=desk\\,ou=people,${base}`,
    `uid=alice\\,ou=desk,${people}`,
  ])('%s does not come into reach', async (dn) => {
    expect(await call('Check_LDAP_Object', { dn })).toBe('permission_denied');
    expect(await call('Set_User_Attrs', { dn, attrs: { mail: 'x@example.org' } })).toBe('permission_denied');
  });

  it.each([`UID=CAROL,OU=Desk,${people}`, `userid=c\\61rol,2.5.4.11=desk,${people}`])(
    '%s is where it is',
    async (dn) => {
      expect(await call('Set_User_Attrs', { dn, attrs: { mail: 'c@example.org' } })).toBe(1);
    },
  );
});

describe('the rights of others', () => {
  it('are not had by standing where an administrator would', async () => {
    const attrs = { objectclass: 'inetOrgPerson', cn: 'Eve', sn: 'Eve' };
    expect(await call('Create_LDAP_Object', { dn: gone, attrs })).toBe('permission_denied');
    expect(await call('Rename_LDAP_Object', { dn: carol, name: 'gone' })).toBe('permission_denied');
    expect(await call('Rename_LDAP_Object', { dn: carol, name: 'GONE' })).toBe('permission_denied');
  });

  it('are not had by joining their groups, nor by making these anew', async () => {
    for (const dn of [chiefs, others, `cn=inner,${desk}`]) {
      const join = { dn, attrs: { member: [bob.dn] }, values: true };
      expect(await call('Set_User_Attrs', join)).toBe('permission_denied');
      expect(await call('Remove_LDAP_Object', { dn })).toBe('permission_denied');
      expect(await call('Rename_LDAP_Object', { dn, name: 'former' })).toBe('permission_denied');
    }
    expect(await call('Set_User_Attrs', { dn: bob.dn, attrs: { memberOf: [chiefs] } })).toBe(
      'permission_denied',
    );
  });

  it('are had through a group in a group, into which only an administrator of both leads', async () => {
    const inner = { dn: `cn=inner,${desk}`, attrs: { member: [bob.dn] } };
    expect(await call('Set_User_Attrs', { ...inner, values: true })).toBe('permission_denied');
    expect(await call('Set_User_Attrs', { ...inner, values: true }, admin)).toBe(1);
    expect(await call('Who_Am_I', {})).toMatchObject({ super_admin: true });
    expect(await call('Remove_User_Attrs', { ...inner, values: true }, admin)).toBe(1);
    expect(await call('Who_Am_I', {})).toMatchObject({ super_admin: false });
  });

  it('can be given where they are one’s own', async () => {
    expect(await call('Set_User_Attrs', { dn: colleagues, attrs: { member: [carol] }, values: true })).toBe(
      1,
    );
  });

  it('are not had by a new name for a container', async () => {
    const dn = `ou=office,${desk}`;
    await make(dn, { objectclass: 'organizationalUnit' });
    await make(`uid=dora,${dn}`, { objectclass: 'inetOrgPerson', cn: 'Dora', sn: 'Dorn' });
    expect(await call('Rename_LDAP_Object', { dn, name: 'cabin' })).toBe('permission_denied');
    expect(await call('Move_LDAP_Object', { dn, container: `ou=shelf,${desk}` })).toBe('permission_denied');
    expect(await call('Rename_LDAP_Object', { dn, name: 'cabin' }, admin)).toBe(1);
  });
});

describe('a second role', () => {
  it('is not reached by what is carried into its subtree', async () => {
    const shelf = `ou=carried,${desk}`;
    expect(
      await call('Create_LDAP_Object', { dn: shelf, attrs: { objectclass: 'organizationalUnit' } }),
    ).toBe('permission_denied');
    await make(shelf, { objectclass: 'organizationalUnit' });
    expect(await call('Rename_LDAP_Object', { dn: shelf, name: 'vault' })).toBe('permission_denied');
    await make(vault, { objectclass: 'organizationalUnit' });
    expect(await call('Move_LDAP_Object', { dn: carol, container: vault })).toBe('permission_denied');
    expect(await call('Set_User_Password', { dn: carol, password: 'mine-Now-1' })).toBe('permission_denied');
    await call('Remove_LDAP_Object', { dn: vault }, admin);
  });
});

describe('an option set', () => {
  const jail = `ou=jail,${desk}`;
  const inmate = `uid=inmate,${jail}`;
  const as = { dn: inmate, username: 'inmate', password: 'right' };
  const open = (member: string) =>
    fixture.another({
      config: {
        super_admins: [`cn=administrators,ou=groups,${base}`, chiefs],
        option_sets: {
          jail: {
            subtree: jail,
            restricts: ['administrators'],
            write: ['uid', 'member', 'mail', 'cn', 'sn'],
          },
        },
        roles: { writer: { members: [member], methods: ['*'], subtrees: [base] } },
      },
    });
  beforeAll(async () => {
    await make(jail, { objectclass: 'organizationalUnit' });
    const hash = '{SSHA}WjJUAF6CE7gpHwoU3CPEdOGEfbtmaXh0dXJlIQ==';
    await make(inmate, { objectclass: 'inetOrgPerson', cn: 'I', sn: 'I', userpassword: hash });
    await make(`uid=visitor,${jail}`, { objectclass: 'inetOrgPerson', cn: 'V', sn: 'V' });
    const join = { dn: chiefs, attrs: { member: [inmate] }, values: true };
    expect(await call('Set_User_Attrs', join, admin)).toBe(1);
  });

  it('is not left by a super administrator whom it restricts', async () => {
    const node = await open(inmate);
    const attempt = async (method: string, params: object) => {
      const { result, error } = await node.call(method, params, { as });
      return error?.reason ?? result;
    };
    expect(await attempt('Who_Am_I', {})).toMatchObject({ super_admin: true });
    const attrs = { mail: 'i@example.org' };
    expect(await attempt('Set_User_Attrs', { dn: inmate, attrs })).toBe(1);
    expect(await attempt('Move_LDAP_Object', { dn: inmate, container: desk })).toBe('permission_denied');
    expect(await attempt('Move_LDAP_Object', { dn: jail, container: people })).toBe('permission_denied');
    expect(await attempt('Rename_LDAP_Object', { dn: desk, name: 'open' })).toBe('permission_denied');
    const join = { attrs: { member: [`uid=alice,${people}`] }, values: true };
    expect(await attempt('Set_User_Attrs', { dn: chiefs, ...join })).toBe('permission_denied');
    expect(await attempt('Set_User_Attrs', { dn: admin.dn, attrs })).toBe('permission_denied');
    // A group there, in the group of super administrators: its members may stand anywhere.
    const ring = `cn=ring,${jail}`;
    await make(ring, { objectclass: 'groupOfNames', member: inmate });
    const joinRing = { dn: ring, attrs: { member: [bob.dn] }, values: true };
    expect(await attempt('Set_User_Attrs', joinRing)).toBe(1);
    expect(await call('Remove_User_Attrs', joinRing, admin)).toBe(1);
    const nest = { dn: chiefs, attrs: { member: [ring] }, values: true };
    expect(await call('Set_User_Attrs', nest, admin)).toBe(1);
    expect(await attempt('Set_User_Attrs', joinRing)).toBe('permission_denied');
    expect(await call('Remove_User_Attrs', nest, admin)).toBe(1);
    expect(await attempt('Move_LDAP_Object', { dn: `uid=visitor,${jail}`, container: desk })).toBe(1);
    await node.close();
  });
});

describe('a question', () => {
  it.each([
    ['(mobile=42)', []],
    ['(!(mobile=42))', []],
    ['(|(cn=Carol)(mobile=4*))', []],
    ['(mobile=*2)', []],
    ['(mobile>=4)', []],
    ['(mobile~=42)', []],
    ['(mobile;lang-en=42)', []],
    ['(0.9.2342.19200300.100.1.41=42)', 'permission_denied'],
    ['(mobile:2.5.13.20:=42)', []],
    ['(:caseIgnoreMatch:=42)', 'permission_denied'],
    ['(ou:dn:=people)', 'permission_denied'],
    ['(cn:dn:=Carol)', 'permission_denied'],
    ['(cn=Carol)', [carol]],
    ['(&(cn=*)(!(cn=Dor*))(uid=*)(!(sn=*)))', []],
  ])('%s tells nothing that may not be read', async (filter, answer) => {
    expect(await found({ filter })).toEqual(answer);
  });

  it('is not answered by how many would match', async () => {
    const node = await fixture.another({
      config: {
        limits: { search_entries: 1 },
        roles: {
          phones: { members: [bob.dn], methods: ['*'], subtrees: [`ou=shelf,${desk}`], read: ['sn'] },
          names: { members: [bob.dn], methods: ['*'], subtrees: [desk], read: ['cn'] },
        },
      },
    });
    // Of the many with an sn, none may be asked for it.
    const params = { basedn: desk, filter: '(sn=*)' };
    const { result, error } = await node.call('Search_LDAP_Objects', params, { as: bob });
    expect(error?.reason ?? Object.keys(Object(result))).toEqual([]);
    await node.close();
  });
});

describe('Who_Am_I', () => {
  it('tells nothing of others', async () => {
    const answer = JSON.stringify(await call('Who_Am_I', {}));
    expect(answer).toContain('helpdesk');
    expect(answer).toContain('near');
    for (const word of ['members', 'chiefs', 'colleagues', 'elsewhere', 'far'])
      expect(answer).not.toContain(word);
    for (const type of ['roles', 'optionsets'])
      expect(await call('Get_Config_Objects', { type, settings: true })).toBe('permission_denied');
  });
});
