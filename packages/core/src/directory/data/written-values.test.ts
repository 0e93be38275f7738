/** Settings and data written as values of their attributes: settings are judged as those of Set_User_Settings, and no role writes data. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const carol = `uid=carol,${people}`;
const person = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'C', sn: 'C' };
const role = {
  members: [`uid=bob,${people}`],
  methods: ['*'],
  subtrees: [people],
  write: ['*'],
  create: ['*'],
};

let fixture: Fixture;
let bob: Person;
beforeAll(async () => {
  fixture = await openFixture({ config: { roles: { desk: role } } });
  ({ bob } = fixture.users);
  await fixture.call('Create_LDAP_Object', {
    dn: `ou=sync,${people}`,
    attrs: { objectclass: 'organizationalUnit' },
  });
});
afterAll(() => fixture.close());

beforeEach(async () => {
  await fixture.call('Remove_LDAP_Object', { dn: carol });
  await fixture.call('Create_LDAP_Object', { dn: carol, attrs: person });
});

interface Asked {
  readonly as?: Person | undefined;
  readonly node?: Fixture;
  readonly isDryRun?: boolean;
}

const call = async (method: string, params: object, { as, node = fixture, isDryRun = false }: Asked = {}) => {
  const { result, error } = await node.call(method, params, { ...(as && { as }), isDryRun });
  return error ? error.reason : result;
};

/** Every method that writes values of an attribute. */
const doors = (webadmsettings: string): readonly (readonly [string, object])[] => [
  ['Set_User_Attrs', { dn: carol, attrs: { webadmsettings } }],
  ['Set_User_Attrs', { dn: carol, attrs: { webadmsettings }, values: true }],
  ['Set_User_Attrs', { dn: carol, attrs: { 'webadmSettings;x-a': webadmsettings } }],
  ['Create_LDAP_Object', { dn: `uid=x,${people}`, attrs: { ...person, webadmsettings } }],
  [
    'Create_LDAP_Object',
    { dn: `webadmSettings=${webadmsettings.replace(/[=,]/g, '\\$&')},${people}`, attrs: person },
  ],
  ['Sync_LDAP_Object', { dn: 'uid=x,dc=branch', attrs: { uid: 'x', webadmsettings } }],
];

describe('settings as values of their attribute', () => {
  it.each([
    ['that are unknown', 'Otp.NoSuch=1'],
    ['that are unknown among others', 'Otp.MaxTries=3,Otp.NoSuch=1'],
    ['of no application', 'Nothing.LoginMode=LDAP'],
    ['with a value that is none of theirs', 'Otp.LoginMode=NONE'],
    ['with a moment that is none', 'Otp.ValidTo=soon'],
    ['that nothing acts on', 'Otp.LoginMode=LDAPU2F'],
    ['that the configuration sets', 'SshKey.MinUID=1'],
    ['in the wrong order', 'Otp.ValidFrom=2026-01-02 00:00:00,Otp.ValidTo=2026-01-01 00:00:00'],
    ['that are no name and value', 'nonsense'],
  ])('are refused %s', async (_, value) => {
    for (const [method, params] of doors(value)) {
      for (const asked of [{}, { as: bob }, { as: bob, isDryRun: true }])
        expect([method, await call(method, params, asked)]).toEqual([
          method,
          expect.stringMatching(/^(invalid_params|schema_refused)$/),
        ]);
    }
    expect(await call('Get_User_Attrs', { dn: carol, attrs: ['webadmsettings'] })).toEqual({});
  });

  it('are refused to an existing copy', async () => {
    const copy = (attrs: object) => ({ dn: 'uid=y,dc=branch', attrs: { uid: 'y', ...attrs } });
    expect(await call('Sync_LDAP_Object', copy({}), { as: bob })).toBe(1);
    const wrong = copy({ webadmsettings: 'Otp.NoSuch=1' });
    expect(await call('Sync_LDAP_Object', wrong, { as: bob })).toBe('invalid_params');
    expect(await call('Sync_LDAP_Object', copy({ webadmdata: 'x' }), { as: bob })).toBe('permission_denied');
  });

  it('are refused with the name of the attribute', async () => {
    const { error } = await fixture.call('Set_User_Attrs', {
      dn: carol,
      attrs: { webadmsettings: 'Otp.NoSuch=1' },
    });
    expect(error?.data).toBe("Parameter attrs: webadmSettings: there is no setting 'Otp.NoSuch'");
  });

  it('are checked with the existing ones', async () => {
    const add = (webadmsettings: string) =>
      call('Set_User_Attrs', { dn: carol, attrs: { webadmsettings }, values: true });
    expect(await add('Otp.ValidFrom=2026-01-02 00:00:00')).toBe(1);
    expect(await add('Otp.ValidTo=2026-01-01 00:00:00')).toBe('invalid_params');
    expect(await add('Otp.ValidTo=2026-01-03 00:00:00')).toBe(1);
  });

  it('are written when they are valid, in the spelling of the caller', async () => {
    const webadmsettings = ['Otp.LoginMode=LDAP,Otp.SecureMail=no', 'Otp.ReplyData=C:\\data'];
    expect(await call('Set_User_Attrs', { dn: carol, attrs: { webadmsettings } }, { as: bob })).toBe(1);
    expect(await call('Get_User_Attrs', { dn: carol, attrs: ['webadmsettings'] })).toEqual({
      webadmsettings,
    });
    expect(await call('Set_User_Attrs', { dn: carol, attrs: { webadmsettings: [] } }, { as: bob })).toBe(1);
  });

  it('are kept when they are invalid and were there before', async () => {
    const values = ['Otp.NoSuch=1', 'nonsense'];
    await fixture.directory.service.modify(Dn.parse(carol), [
      { operation: 'replace', attribute: 'webadmSettings', values },
    ]);
    const webadmsettings = [...values, 'Otp.MaxTries=3'];
    expect(await call('Set_User_Attrs', { dn: carol, attrs: { webadmsettings } })).toBe(1);
    const more = { dn: carol, attrs: { webadmsettings: 'Otp.ListSize=5' }, values: true };
    expect(await call('Set_User_Attrs', more)).toBe(1);
  });

  it('are stored with a warning in the deployed dialect when they have no effect', async () => {
    const node = await fixture.another({ config: { dialect: 'deployed' } });
    const body = {
      ...{ jsonrpc: '2.0', id: 1, method: 'Set_User_Attrs' },
      params: { dn: carol, attrs: { webadmsettings: ['Otp.PushLogin=Yes'] } },
    };
    const written = await node.answer({ body });
    const params = { dn: carol, settings: { 'Otp.PushLogin': true } };
    await fixture.call('Set_User_Attrs', { dn: carol, attrs: { webadmsettings: [] } });
    const set = await node.answer({ body: { ...body, method: 'Set_User_Settings', params } });
    expect(written).toEqual(set);
    expect(JSON.stringify(written)).toContain('has no effect in this version');
    await node.close();
  });
});

describe('data as values of their attribute', () => {
  const webadmdata = 'Otp.TokenType=VE9UUA==';
  const all = [
    ['Set_User_Attrs', { dn: carol, attrs: { webadmdata } }],
    ['Set_User_Attrs', { dn: carol, attrs: { webadmdata }, values: true }],
    ['Set_User_Attrs', { dn: carol, attrs: { 'webadmData;x-a': webadmdata } }],
    ['Create_LDAP_Object', { dn: `uid=x,${people}`, attrs: { ...person, webadmdata } }],
    ['Create_LDAP_Object', { dn: `webadmData=x,${people}`, attrs: person }],
    ['Sync_LDAP_Object', { dn: 'uid=x,dc=branch', attrs: { uid: 'x', webadmdata } }],
  ] as const;

  it.each(all)('are written by no role: %s %o', async (method, params) => {
    expect(await call(method, params, { as: bob, isDryRun: true })).toBe('permission_denied');
    const { error } = await fixture.call(method, params, { as: bob });
    expect(error?.data).toMatch(
      /you may not write webadmData itself: Set_User_Data and the methods of applications do/,
    );
  });

  it('are written by super administrators, and set and removed by a role', async () => {
    expect(await call(...all[0])).toBe(1);
    const data = { 'Otp.TokenSerial': 'NDcxMQ==' };
    expect(await call('Set_User_Data', { dn: carol, data }, { as: bob })).toBe(1);
    expect(await call('Remove_User_Attrs', { dn: carol, attrs: ['webadmData'] }, { as: bob })).toBe(1);
  });
});
