/** Groups decide for their members. A hostile administrator of a role tries to decide by them for users and administrators out of its reach. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const sync = `ou=sync,${desk}`;
const carol = `uid=carol,${desk}`;
const alice = `uid=alice,${people}`;
const group = `cn=mine,${desk}`;
const number = '4711';

const permissions = {
  methods: ['*'],
  write: ['*'],
  create: [
    'inetOrgPerson',
    'posixAccount',
    'groupOfNames',
    'groupOfUniqueNames',
    'posixGroup',
    'webadmGroup',
  ],
};

let fixture: Fixture;
let admin: Person;
let bob: Person;
let eve: Person;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      roles: {
        helpdesk: { ...permissions, members: [`uid=bob,${people}`], subtrees: [desk] },
        lists: { ...permissions, members: [`uid=eve,${desk}`], subtrees: [desk], write: ['cn', 'member'] },
        settings: { ...permissions, members: [`uid=eve,${desk}`], subtrees: [sync] },
      },
    },
  });
  ({ admin } = fixture);
  ({ bob } = fixture.users);
  for (const dn of [desk, sync]) await make(dn, { objectclass: 'organizationalUnit' });
  const classes = ['inetOrgPerson', 'posixAccount', 'webadmAccount'];
  const numbers = { uidnumber: '2000', gidnumber: '2000', homedirectory: '/home/x' };
  await make(carol, { objectclass: classes, cn: 'Carol', sn: 'Cook', ...numbers });
  const hash = '{SSHA}WjJUAF6CE7gpHwoU3CPEdOGEfbtmaXh0dXJlIQ==';
  eve = { dn: `uid=eve,${desk}`, username: 'eve', password: 'right' };
  await make(eve.dn, { objectclass: 'inetOrgPerson', cn: 'Eve', sn: 'Eve', userpassword: hash });
  const add = { objectclass: ['posixAccount'], uidnumber: '1', gidnumber: number, homedirectory: '/root' };
  expect(await call('Set_User_Attrs', { dn: admin.dn, attrs: add, values: true }, admin)).toBe(1);
  for (const dn of [admin.dn, alice]) await call('Activate_LDAP_Object', { dn }, admin);
});
afterAll(() => fixture.close());

const call = async (method: string, params: object, as: Person = bob, isDryRun = false) => {
  const { result, error } = await fixture.call(method, params, { as, isDryRun });
  return error ? error.reason : result;
};
const make = async (dn: string, attrs: object) => {
  expect(await call('Create_LDAP_Object', { dn, attrs }, admin)).toBe(1);
};
const dryRun = async (asked: readonly (readonly [string, object])[], as = bob) => {
  const body = asked.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const { body: answers } = await fixture.answer({ as, body, isDryRun: true });
  if (!Array.isArray(answers)) throw new Error('no batch');
  return answers.map(({ result, error }) => error?.reason ?? result);
};
const ofNames = { objectclass: ['groupOfNames', 'webadmGroup'] };
const settings = { 'Otp.EnableLogin': 'No', 'Otp.LoginMode': 'LDAP' };

beforeEach(async () => {
  for (const dn of [group, `cn=outer,${desk}`, `cn=other,${desk}`])
    if (await call('Check_LDAP_Object', { dn }, admin)) await call('Remove_LDAP_Object', { dn }, admin);
});

/** All ways to name a member, as attributes of a new group, a super administrator for one. */
const naming = (dn: string, uid: string, gid: string): readonly (readonly [string, object])[] => [
  ['its DN', { ...ofNames, member: [carol, dn] }],
  ['its DN in other letters', { ...ofNames, member: [dn.toUpperCase()] }],
  ['another spelling of its DN', { ...ofNames, member: dn.replace('uid=', 'userid = ') }],
  ['an option of the attribute', { ...ofNames, member: carol, 'member;x-a': dn }],
  ['bytes', { ...ofNames, member: carol, 'member;binary': Buffer.from(dn).toString('base64') }],
  ['uniqueMember', { objectclass: ['groupOfUniqueNames', 'webadmGroup'], uniquemember: dn }],
  [
    'uniqueMember with a UID',
    { objectclass: ['groupOfUniqueNames', 'webadmGroup'], uniquemember: `${dn}#'01'B` },
  ],
  [
    'its login name',
    { objectclass: ['posixGroup', 'webadmGroup'], gidnumber: '5009', memberuid: ['carol', uid] },
  ],
  [
    'its login name in other letters',
    { objectclass: ['posixGroup'], gidnumber: '5009', memberuid: uid.toUpperCase() },
  ],
  ['its number', { objectclass: ['posixGroup', 'webadmGroup'], gidnumber: gid }],
  ['a group that it is in', { ...ofNames, member: `cn=administrators,ou=groups,${base}` }],
  ['a text that only some directories read', { ...ofNames, member: '<SID=S-1-5-21-1-2-3-500>' }],
];

describe('a new group', () => {
  it.each(naming(`uid=admin,${people}`, 'admin', number))(
    'is refused that names an administrator by %s',
    async (_, attrs) => {
      expect(await call('Create_LDAP_Object', { dn: group, attrs })).toBe('permission_denied');
      expect(await call('Create_LDAP_Object', { dn: group, attrs }, bob, true)).toBe('permission_denied');
      expect(await call('Check_LDAP_Object', { dn: group }, admin)).toBe(false);
    },
  );

  it.each(['member', 'memberUid'])(
    'is refused that names an administrator by %s in its own name',
    async (type) => {
      const value = type === 'member' ? admin.dn.replaceAll(',', '\\,') : 'admin';
      const attrs = { objectclass: ['groupOfNames', 'posixGroup'], gidnumber: '5009', member: carol };
      const dn = `cn=mine+${type}=${value},${desk}`;
      expect(await call('Create_LDAP_Object', { dn, attrs })).toBe('permission_denied');
    },
  );

  it('is made of users in reach, and decides for them', async () => {
    expect(await call('Create_LDAP_Object', { dn: group, attrs: { ...ofNames, member: [carol] } })).toBe(1);
    expect(await call('Set_User_Settings', { dn: group, settings: { 'Otp.LoginMode': 'LDAP' } })).toBe(1);
    const asked = { dn: carol, settings: ['Otp.LoginMode'] };
    expect(await call('Get_User_Settings', asked)).toEqual({ 'Otp.LoginMode': 'LDAP' });
  });
});

/** Ways to get a member into a group that is there. */
const joining = (member: string): readonly (readonly [string, string, object])[] => [
  ['its values', 'Set_User_Attrs', { attrs: { member: [carol, member] } }],
  ['a further value', 'Set_User_Attrs', { attrs: { member: [member] }, values: true }],
  [
    'a further value of another attribute',
    'Set_User_Attrs',
    { attrs: { memberuid: ['admin'] }, values: true },
  ],
];

describe('a group in a group that decides', () => {
  const above = `cn=above,ou=groups,${base}`;
  const join = { dn: group, attrs: { member: [alice] }, values: true };

  it('takes members in reach only, also of a role that writes no settings', async () => {
    const eves = `cn=eves,${desk}`;
    for (const dn of [group, eves]) await make(dn, { objectclass: 'groupOfNames', member: [carol] });
    expect(await call('Set_User_Attrs', join, eve)).toBe(1);
    expect(await call('Remove_User_Attrs', join, admin)).toBe(1);
    await make(above, { ...ofNames, member: eves });
    expect(await call('Set_User_Attrs', join, eve)).toBe(1);
    expect(await call('Remove_User_Attrs', join, admin)).toBe(1);
    expect(await call('Set_User_Attrs', { dn: above, attrs: { member: [group] } }, admin)).toBe(1);
    expect(await call('Set_User_Attrs', join, eve)).toBe('permission_denied');
    for (const dn of [above, eves]) await call('Remove_LDAP_Object', { dn }, admin);
  });
});

describe('a group in reach', () => {
  const open = async () => {
    const attrs = { objectclass: ['groupOfNames', 'webadmGroup', 'extensibleObject'], member: [carol] };
    await make(group, attrs);
  };

  it.each(joining(`uid=admin,${people}`))('takes no administrator by %s', async (_, method, params) => {
    await open();
    expect(await call(method, { dn: group, ...params })).toBe('permission_denied');
    expect(await call(method, { dn: group, ...params }, eve)).toBe('permission_denied');
    expect(await call('Get_User_Attrs', { dn: group, attrs: ['member'] })).toEqual({ member: [carol] });
  });

  it('takes no user out of reach where it is activated, or where the caller could give it settings', async () => {
    await open();
    const join = { dn: group, attrs: { member: [alice] }, values: true };
    expect(await call('Set_User_Attrs', join)).toBe('permission_denied');
    expect(await call('Set_User_Attrs', join, eve)).toBe('permission_denied');
    expect(await call('Deactivate_LDAP_Object', { dn: group }, admin)).toBe(1);
    expect(await call('Set_User_Attrs', join)).toBe('permission_denied');
    expect(await call('Set_User_Attrs', join, eve)).toBe(1);
  });

  it.each([`uid=admin,${people}`, '<SID=S-1-5-21-1-2-3-500>'])(
    'takes no member %s, also where it decides nothing',
    async (member) => {
      await make(group, { objectclass: 'groupOfNames', member: [carol] });
      const join = { dn: group, attrs: { member: [member] }, values: true };
      expect(await call('Set_User_Attrs', join, eve)).toBe('permission_denied');
    },
  );

  it('takes no group with an administrator in it, at whatever depth', async () => {
    await open();
    await make(`cn=outer,${desk}`, { ...ofNames, member: [`cn=other,${desk}`] });
    await make(`cn=other,${desk}`, { ...ofNames, member: [carol, admin.dn, `cn=outer,${desk}`] });
    const join = { dn: group, attrs: { member: [`cn=outer,${desk}`] }, values: true };
    expect(await call('Set_User_Attrs', join)).toBe('permission_denied');
    const leave = { dn: `cn=other,${desk}`, attrs: { member: [admin.dn] }, values: true };
    expect(await call('Remove_User_Attrs', leave)).toBe('permission_denied');
    expect(await call('Remove_User_Attrs', leave, admin)).toBe(1);
    expect(await call('Set_User_Attrs', join)).toBe(1);
  });

  it('changes by its other members only, while an administrator is in it', async () => {
    await open();
    const join = (dn: string) => ({ dn: group, attrs: { member: [dn] }, values: true });
    expect(await call('Set_User_Attrs', join(admin.dn), admin)).toBe(1);
    const dave = `uid=dave,${desk}`;
    expect(await call('Set_User_Attrs', join(dave))).toBe(1);
    expect(await call('Set_User_Attrs', { dn: group, attrs: { member: [admin.dn, dave] } })).toBe(1);
    expect(await call('Set_User_Attrs', { dn: group, attrs: { member: [dave] } })).toBe('permission_denied');
    expect(await call('Remove_User_Attrs', { dn: group, attrs: ['member'] })).toBe('permission_denied');
  });

  it.each<[string, string, object]>([
    ['settings', 'Set_User_Settings', { settings }],
    ['settings as attributes', 'Set_User_Attrs', { attrs: { webadmsettings: ['Otp.EnableLogin=No'] } }],
    [
      'further settings',
      'Set_User_Attrs',
      { attrs: { webadmsettings: ['Otp.EnableLogin=No'] }, values: true },
    ],
    ['no settings', 'Remove_User_Attrs', { attrs: ['webadmSettings'] }],
    ['a number', 'Set_User_Attrs', { attrs: { gidnumber: '5010' } }],
    ['no licence', 'Deactivate_LDAP_Object', {}],
    [
      'another class',
      'Set_User_Attrs',
      { attrs: { objectclass: ['posixGroup'], gidnumber: '5009' }, values: true },
    ],
    ['another name', 'Rename_LDAP_Object', { name: 'other' }],
    ['another place', 'Move_LDAP_Object', { container: sync }],
    ['an end', 'Remove_LDAP_Object', {}],
  ])('gets no %s while an administrator is in it', async (_, method, params) => {
    await make(group, { ...ofNames, member: [carol, admin.dn] });
    const set = { dn: group, settings: { 'Otp.ChallengeTimeout': '80' } };
    expect(await call('Set_User_Settings', set, admin)).toBe(1);
    expect(await call(method, { dn: group, ...params })).toBe('permission_denied');
    expect(await call(method, { dn: group, ...params }, bob, true)).toBe('permission_denied');
  });

  it('is not activated with settings that it had before an administrator came', async () => {
    await open();
    expect(await call('Set_User_Settings', { dn: group, settings })).toBe(1);
    expect(await call('Deactivate_LDAP_Object', { dn: group })).toBe(1);
    await call('Set_User_Attrs', { dn: group, attrs: { member: [admin.dn] }, values: true }, admin);
    expect(await call('Activate_LDAP_Object', { dn: group })).toBe('permission_denied');
  });

  it('gets no number by which an administrator is in it', async () => {
    await make(group, { objectclass: ['posixGroup', 'webadmGroup'], gidnumber: '5009' });
    expect(await call('Set_User_Attrs', { dn: group, attrs: { gidnumber: [number] } })).toBe(
      'permission_denied',
    );
    expect(await call('Set_User_Attrs', { dn: group, attrs: { gidnumber: ['5010'] } })).toBe(1);
  });

  it('gets no administrator by steps of one batch', async () => {
    const body = [
      ['Create_LDAP_Object', { dn: group, attrs: { ...ofNames, member: carol } }],
      ['Set_User_Settings', { dn: group, settings }],
      ['Set_User_Attrs', { dn: group, attrs: { member: [admin.dn] }, values: true }],
    ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const { body: answers } = await fixture.answer({ as: bob, body });
    if (!Array.isArray(answers)) throw new Error('no batch');
    expect(answers.map(({ result, error }) => error?.reason ?? result)).toEqual([1, 1, 'permission_denied']);
  });

  const admitted = { dryRun: true, would: expect.anything() };

  it('gets no administrator by steps of one batch that is a dry run', async () => {
    const asked = [
      ['Create_LDAP_Object', { dn: group, attrs: { ...ofNames, member: carol } }],
      ['Set_User_Settings', { dn: group, settings }],
      ['Set_User_Attrs', { dn: group, attrs: { member: [admin.dn] }, values: true }],
    ] as const;
    expect(await dryRun(asked)).toEqual([admitted, admitted, 'permission_denied']);
  });

  it('takes no user out of reach when a step before in the dry run activated it', async () => {
    await make(group, { objectclass: ['groupOfNames'], member: [carol] });
    const join = { dn: group, attrs: { member: [alice] }, values: true };
    const activate = ['Activate_LDAP_Object', { dn: group }] as const;
    expect(await dryRun([['Set_User_Attrs', join]], eve)).toEqual([admitted]);
    const steps = [activate, ['Set_User_Attrs', join]] as const;
    expect(await dryRun(steps, eve)).toEqual([admitted, 'permission_denied']);
  });

  it('gets no administrator as a copy of another directory', async () => {
    const copy = { dn: 'cn=mine,dc=branch', type: 'group', attrs: { member: [admin.dn], ...ofNames } };
    expect(await call('Sync_LDAP_Object', copy)).toBe('permission_denied');
    const own = { ...copy, attrs: { ...copy.attrs, member: [carol] } };
    expect(await call('Sync_LDAP_Object', own)).toBe(1);
    expect(await call('Sync_LDAP_Object', copy)).toBe('permission_denied');
  });

  it('is judged whole, also with thousands of members', async () => {
    const many = Array.from({ length: 3000 }, (_, at) => `uid=u${at},${desk}`);
    await make(group, { ...ofNames, member: many });
    expect(await call('Set_User_Settings', { dn: group, settings })).toBe(1);
    await call('Set_User_Attrs', { dn: group, attrs: { member: [admin.dn] }, values: true }, admin);
    const others = { 'Otp.EnableLogin': 'Yes' };
    expect(await call('Set_User_Settings', { dn: group, settings: others })).toBe('permission_denied');
  });

  it('has no URL that finds its members', async () => {
    await make(group, { objectclass: 'groupOfURLs' });
    const attrs = { memberurl: [`ldap:///${people}??sub?(uid=admin)`] };
    expect(await call('Set_User_Attrs', { dn: group, attrs })).toBe('permission_denied');
  });
});

describe('an entry in reach', () => {
  const dave = `uid=dave,${desk}`;
  const account = {
    objectclass: ['inetOrgPerson', 'posixAccount'],
    cn: 'Dave',
    sn: 'D',
    homedirectory: '/home/dave',
  };
  const attrs = (gidnumber: string) => ({ ...account, uidnumber: '2600', gidnumber });
  const out = [`cn=named,ou=groups,${base}`, `cn=numbered,ou=groups,${base}`] as const;
  beforeAll(async () => {
    const objectclass = ['posixGroup', 'webadmGroup'];
    await make(out[0], { objectclass, gidnumber: '6001', memberuid: ['drew', 'duke'] });
    await make(out[1], { objectclass, gidnumber: '6002' });
  });
  afterAll(async () => {
    for (const dn of out) await call('Remove_LDAP_Object', { dn }, admin);
  });
  afterEach(async () => {
    for (const dn of [dave, `uid=drew,${desk}`, `uid=dora,${desk}`])
      if (await call('Check_LDAP_Object', { dn }, admin)) await call('Remove_LDAP_Object', { dn }, admin);
  });

  it.each<[string, string, object, unknown]>([
    ['joins one by its number', 'Set_User_Attrs', { attrs: { gidnumber: ['6002'] } }, 'permission_denied'],
    ['has another number', 'Set_User_Attrs', { attrs: { gidnumber: ['6003'] } }, 1],
    [
      'joins one by its name',
      'Set_User_Attrs',
      { attrs: { uid: ['drew'] }, values: true },
      'permission_denied',
    ],
    ['has a further name', 'Set_User_Attrs', { attrs: { uid: ['dora'] }, values: true }, 1],
    ['has another text', 'Set_User_Attrs', { attrs: { description: ['drew'] } }, 1],
    ['is renamed into one', 'Rename_LDAP_Object', { name: 'drew' }, 'permission_denied'],
    ['is renamed', 'Rename_LDAP_Object', { name: 'dora' }, 1],
  ])('joins no group out of reach that decides: %s', async (_, method, params, answer) => {
    await make(dave, attrs('6003'));
    expect(await call(method, { dn: dave, ...params })).toBe(answer);
  });

  it.each<[string, string, object, unknown]>([
    ['gets another number', 'Set_User_Attrs', { attrs: { gidnumber: ['6003'] } }, 'permission_denied'],
    ['keeps its number', 'Set_User_Attrs', { attrs: { gidnumber: ['6002'], description: ['x'] } }, 1],
    ['loses its name', 'Remove_User_Attrs', { attrs: { uid: ['DUKE'] }, values: true }, 'permission_denied'],
    ['loses another name', 'Remove_User_Attrs', { attrs: { uid: ['dan'] }, values: true }, 1],
    ['gets a further name', 'Set_User_Attrs', { attrs: { uid: ['dora'] }, values: true }, 1],
    ['loses its number', 'Remove_User_Attrs', { attrs: ['gidNumber'] }, 'permission_denied'],
  ])('leaves no group out of reach that decides: %s', async (_, method, params, answer) => {
    await make(dave, { ...attrs('6002'), uid: ['dave', 'duke', 'dan'] });
    expect(await call(method, { dn: dave, ...params })).toBe(answer);
  });

  it('leaves no group out of reach that decides by a name that it has with a space', async () => {
    await make(dave, { ...attrs('6003'), uid: ['dave', ' duke'] });
    const leave = { dn: dave, attrs: { uid: ['duke'] }, values: true };
    expect(await call('Remove_User_Attrs', leave)).toBe('permission_denied');
  });

  it('leaves no group out of reach that decides by another name of its own', async () => {
    const duke = `uid=duke,${desk}`;
    await make(duke, attrs('6003'));
    expect(await call('Rename_LDAP_Object', { dn: duke, name: 'dora' })).toBe('permission_denied');
    expect(await call('Remove_LDAP_Object', { dn: duke }, admin)).toBe(1);
  });

  it('refuses an entry made in a group out of reach that decides', async () => {
    expect(await call('Create_LDAP_Object', { dn: dave, attrs: attrs('6002') })).toBe('permission_denied');
    expect(await call('Create_LDAP_Object', { dn: `uid=drew,${desk}`, attrs: attrs('6003') })).toBe(
      'permission_denied',
    );
    expect(await call('Create_LDAP_Object', { dn: dave, attrs: attrs('6003') })).toBe(1);
  });
});

describe('settings of a group', () => {
  it.each([
    ['Otp.LoginMode', 'LDAP', 'LDAPOTP'],
    ['Otp.ChallengeTimeout', '900', '90'],
    ['Otp.MaxTries', '1000', '5'],
    ['Otp.BlockTime', '1', '300'],
    ['Otp.PasswordReset', 'Yes', 'No'],
    ['Otp.TOTPTimeOffsetWindow', '3600', '60'],
    ['Sso.SessionTimeout', '604800', '3600'],
    ['SshKey.SudoCommands', 'NOPASSWD: ALL', undefined],
    ['SshKey.RemoteCommand', '/usr/bin/id', undefined],
    ['SshKey.EnvVariables', 'LD_PRELOAD=/tmp/x.so', undefined],
    ['PwReset.LinkMode', 'SMS', 'MAIL'],
    ['PwReset.PasswordMinLength', '0', '8'],
    ['SelfReg.LinkTime', '604800', '86400'],
  ])('do not lower %s of an administrator to %s', async (name, value, inForce) => {
    await make(group, { ...ofNames, member: [carol, admin.dn, bob.dn] });
    await call('Activate_LDAP_Object', { dn: bob.dn }, admin);
    expect(await call('Set_User_Settings', { dn: group, settings: { [name]: value } }, admin)).toBe(1);
    const asked = async (dn: string) => Object(await call('Get_User_Settings', { dn }, admin))[name];
    expect([await asked(carol), await asked(admin.dn), await asked(bob.dn)]).toEqual([
      value,
      inForce,
      inForce,
    ]);
  });

  it.each([
    ['Otp.EnableLogin', 'No'],
    ['Otp.ChallengeTimeout', '60'],
    ['Otp.BlockTime', '0'],
    ['Otp.OTPLength', '8'],
  ])('count for an administrator where %s is %s', async (name, value) => {
    await make(group, { ...ofNames, member: [admin.dn] });
    expect(await call('Set_User_Settings', { dn: group, settings: { [name]: value } }, admin)).toBe(1);
    expect(Object(await call('Get_User_Settings', { dn: admin.dn }, admin))[name]).toBe(value);
  });

  it('let no administrator in with one factor', async () => {
    await make(group, { ...ofNames, member: [carol, admin.dn] });
    await call('Set_User_Settings', { dn: group, settings: { 'Otp.LoginMode': 'LDAP' } }, admin);
    await call('Set_User_Password', { dn: carol, password: 'carol-Pa55-word' }, admin);
    const login = fixture.service.web.otp;
    const code = async (username: string, ldapPassword: string) =>
      (await login.normalLogin({ username, ldapPassword })).code;
    expect(await code('carol', 'carol-Pa55-word')).toBe(1);
    expect(await code('admin', admin.password)).not.toBe(1);
  });

  it('may ask for the device of an administrator, and not for a code in its place', async () => {
    const relying_party = { id: 'example.org', origins: ['https://example.org'] };
    for (const [own, ofGroup, inForce] of [
      ['LDAPOTP', 'LDAPU2F', 'LDAPU2F'],
      ['LDAPU2F', 'LDAPOTP', 'LDAPU2F'],
      ['LDAPU2F', 'LDAPMFA', 'LDAPU2F'],
    ] as const) {
      const node = await fixture.another({ config: { relying_party, settings: { 'Otp.LoginMode': own } } });
      if (!(await call('Check_LDAP_Object', { dn: group }, admin)))
        await make(group, { ...ofNames, member: [admin.dn] });
      await node.call('Set_User_Settings', { dn: group, settings: { 'Otp.LoginMode': ofGroup } });
      const { result } = await node.call('Get_User_Settings', { dn: admin.dn, settings: ['Otp.LoginMode'] });
      expect(result).toEqual({ 'Otp.LoginMode': inForce });
      await node.close();
    }
  });
});
