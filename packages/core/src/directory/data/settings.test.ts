/** Settings of users and groups, and their layers (docs/concepts/policies-and-settings.md#layers), on both engines. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { forgiving } from '../../testing/bed/forgiving.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';

describe.each(engines)('settings: %s', (engine) => {
  let stage: Stage;
  let manager: Stage['manager'];
  let container: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    manager = stage.manager;
    container = await stage.container();
  });
  afterAll(() => stage.close());

  let people = 0;
  const person = (more = {}) => {
    people += 1;
    return stage.person(container, `person${people}`, more);
  };
  const group = async (cn: string, members: string[], objectclass = ['groupOfNames', 'webadmGroup']) => {
    const dn = `cn=${cn},${container}`;
    await manager.Create_LDAP_Object({ dn, attrs: { objectclass, member: members } });
    return dn;
  };
  const set = (dn: string, settings: Record<string, string | number | boolean | null>) =>
    manager.Set_User_Settings({ dn, settings });
  const get = (dn: string, ...settings: string[]) => forgiving(manager).Get_User_Settings({ dn, settings });
  const stored = async (dn: string) => {
    const { webadmsettings = [] } = await manager.Get_User_Attrs({ dn, attrs: ['webadmSettings'] });
    return [...webadmsettings].sort();
  };

  /** As other programs write them, past the Manager. */
  const writePast = (dn: string, values: readonly string[]) =>
    stage.ports.directory.service.modify(Dn.parse(dn), [
      { operation: 'replace', attribute: 'webadmSettings', values },
    ]);

  it('are merged, texts, numbers and booleans, and removed by null', async () => {
    const dn = await person();
    expect(await set(dn, { 'Otp.LoginMode': 'LDAP', 'Otp.SecureMail': true, 'Otp.MaxTries': 3 })).toBe(1);
    expect(await set(dn, { 'Otp.SecureMail': 'false', 'Sso.SessionTimeout': '60' })).toBe(1);
    expect(await stored(dn)).toEqual([
      'Otp.LoginMode=LDAP',
      'Otp.MaxTries=3',
      'Otp.SecureMail=No',
      'Sso.SessionTimeout=60',
    ]);
    expect(await set(dn, { 'Otp.SecureMail': null, 'Otp.MaxTries': null, 'Otp.ListSize': null })).toBe(1);
    expect(await stored(dn)).toEqual(['Otp.LoginMode=LDAP', 'Sso.SessionTimeout=60']);
    expect(await set(dn, {})).toBe(1);
    expect(await set(dn, { 'Otp.LoginMode': null, 'Sso.SessionTimeout': null })).toBe(1);
    expect(await stored(dn)).toEqual([]);
  });

  it('are in force from defaults, the installation, groups and the user', async () => {
    const dn = await person();
    const names = [
      'Otp.LoginMode',
      'Otp.MaxTries',
      'Otp.OTPLength',
      'Otp.BlockTime',
      'Otp.ReplyData',
      'No.Such',
    ];
    const staff = await group('staff', [dn]);
    await set(staff, { 'Otp.BlockTime': 10, 'Otp.OTPLength': 8 });
    await set(dn, { 'Otp.BlockTime': 20 });
    const installation = await stage.enter({
      config: { settings: { 'Otp.MaxTries': 7, 'Otp.BlockTime': 5 } },
    });
    expect(await forgiving(installation).Get_User_Settings({ dn, settings: names })).toEqual({
      'Otp.LoginMode': 'LDAPOTP',
      'Otp.MaxTries': '7',
      'Otp.OTPLength': '8',
      'Otp.BlockTime': '20',
    });
    const all = await manager.Get_User_Settings({ dn });
    expect(all).toMatchObject({ 'Otp.MaxTries': '5', 'Otp.BlockTime': '20', 'Sso.SessionRenew': 'Yes' });
    expect(await get(staff, 'Otp.BlockTime')).toEqual({ 'Otp.BlockTime': '10' });
  });

  it('come from groups outside the innermost domain, too', async () => {
    const inner = await stage.container(container);
    const dn = await stage.person(inner, 'nested');
    const outside = `cn=outside,${container}`;
    const attrs = { objectclass: ['groupOfUniqueNames', 'webadmGroup'], uniquemember: dn };
    await manager.Create_LDAP_Object({ dn: outside, attrs });
    await set(outside, { 'Otp.BlockTime': 99 });
    const domains = { Inner: { base: inner }, Outer: { base: stage.base } };
    const nested = await stage.enter({ config: { domains } });
    expect(await nested.Get_User_Settings({ dn, settings: ['Otp.BlockTime'] })).toEqual({
      'Otp.BlockTime': '99',
    });
  });

  it('lose nothing when 30 different ones are set concurrently', async () => {
    const dn = await person();
    const names = Object.keys(await manager.Get_User_Settings({ dn })).slice(0, 20);
    const values = await forgiving(manager).Get_User_Settings({ dn, settings: names });
    await Promise.all(Object.entries(values).map(([name, value]) => set(dn, { [name]: value })));
    expect(await stored(dn)).toEqual(
      Object.entries(values)
        .map(([name, value]) => `${name}=${value}`)
        .sort(),
    );
  });

  it('end with one value when the same one is set by many', async () => {
    const dn = await person();
    await Promise.all(Array.from({ length: 20 }, (_, n) => set(dn, { 'Otp.BlockTime': n })));
    expect(await stored(dn)).toHaveLength(1);
  });

  it.each([
    'a,b',
    'a\\b',
    'a\\2Cb',
    'x,Otp.MaxTries=9',
    '\\,\\',
    'C:\\data\\5c',
    ' é  \u0000x',
    'a=b',
    '\\5C2C',
  ])('keep %j unchanged', async (value) => {
    const dn = await person();
    await set(dn, { 'Otp.ReplyData': value, 'Otp.MaxTries': 2 });
    expect(await get(dn, 'Otp.ReplyData', 'Otp.MaxTries')).toEqual({
      'Otp.ReplyData': value,
      'Otp.MaxTries': '2',
    });
    await set(dn, { 'Otp.ReplyData': 'other' });
    expect(await stored(dn)).toEqual(['Otp.MaxTries=2', 'Otp.ReplyData=other']);
  });

  it('are read as other programs write them: several in a value, in the installation’s words', async () => {
    const webadmsettings = [
      'Otp.LoginMode=LDAP,Otp.BlockTime=10, ExampleOTP.MaxTries=4',
      'Otp.ReplyData=C:\\data,1',
      'nonsense',
    ];
    const dn = await person();
    await writePast(dn, webadmsettings);
    const theirs = await stage.enter({ config: { names: { Otp: 'ExampleOTP' } } });
    const names = ['ExampleOTP.LoginMode', 'Otp.BlockTime', 'ExampleOTP.MaxTries', 'Otp.ReplyData'];
    expect(await forgiving(theirs).Get_User_Settings({ dn, settings: names })).toEqual({
      'ExampleOTP.LoginMode': 'LDAP',
      'ExampleOTP.BlockTime': '10',
      'ExampleOTP.MaxTries': '4',
      'ExampleOTP.ReplyData': 'C:\\data,1',
    });
    await forgiving(theirs).Set_User_Settings({ dn, settings: { 'ExampleOTP.MaxTries': 6 } });
    expect(await stored(dn)).toEqual([
      'ExampleOTP.BlockTime=10',
      'ExampleOTP.LoginMode=LDAP',
      'ExampleOTP.MaxTries=6',
      'ExampleOTP.ReplyData=C:\\5Cdata\\2C1',
      'nonsense',
    ]);
  });

  it('are written in the installation’s words, and never in two words', async () => {
    const theirs = await stage.enter({ config: { names: { Otp: 'ExampleOTP' } } });
    const dn = await person();
    await set(dn, { 'Otp.MaxTries': 3, 'Otp.LoginMode': 'LDAP', 'Sso.SessionTimeout': 60 });
    await theirs.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '4' } });
    expect(await stored(dn)).toEqual([
      'ExampleOTP.LoginMode=LDAP',
      'ExampleOTP.MaxTries=4',
      'Sso.SessionTimeout=60',
    ]);
    // A neighbour that does not know yet writes in the other word: ours is passed over, and goes.
    const webadmsettings = ['ExampleOTP.MaxTries=4', 'Otp.MaxTries=9', 'Otp.LoginMode=OTP'];
    await manager.Set_User_Attrs({ dn, attrs: { webadmsettings } });
    const own = () => theirs.Get_User_Settings({ dn, settings: ['Otp.MaxTries', 'Otp.LoginMode'] });
    expect(await own()).toEqual({ 'ExampleOTP.MaxTries': '4', 'ExampleOTP.LoginMode': 'OTP' });
    await theirs.Set_User_Settings({ dn, settings: { 'Sso.SessionTimeout': '5' } });
    expect(await own()).toEqual({ 'ExampleOTP.MaxTries': '4', 'ExampleOTP.LoginMode': 'OTP' });
    expect(await stored(dn)).toEqual([
      'ExampleOTP.LoginMode=OTP',
      'ExampleOTP.MaxTries=4',
      'Sso.SessionTimeout=5',
    ]);
    // What is removed goes in both words.
    await manager.Set_User_Attrs({ dn, attrs: { webadmsettings } });
    await forgiving(theirs).Set_User_Settings({
      dn,
      settings: { 'Otp.MaxTries': null, 'ExampleOTP.LoginMode': null },
    });
    expect(await stored(dn)).toEqual([]);
  });

  it.each([
    [{ 'Otp.NoSuch': 'x' }, "there is no setting 'Otp.NoSuch'"],
    [{ LoginMode: 'x' }, "there is no setting 'LoginMode'"],
    [{ 'otp.LoginMode': 'LDAP' }, "there is no setting 'otp.LoginMode'"],
    [{ 'Otp.LoginMode.x': 'LDAP' }, "there is no setting 'Otp.LoginMode.x'"],
    [{ 'Otp.constructor': 'x' }, "there is no setting 'Otp.constructor'"],
    [{ 'constructor.name': 'x' }, "there is no setting 'constructor.name'"],
    [{ 'Otp.LoginMode': 'NONE' }, 'Otp.LoginMode is not one of LDAP, OTP, LDAPOTP, LDAPU2F, LDAPMFA'],
    [{ 'Otp.LoginMode': 'LDAPU2F' }, 'Otp.LoginMode cannot be LDAPU2F: no relying_party is configured'],
    [{ 'Otp.OTPType': 'SMS' }, 'Otp.OTPType cannot be SMS: no gateway for sms is configured'],
    [{ 'Otp.OTPFallback': 'MAIL' }, 'Otp.OTPFallback cannot be MAIL: no gateway for mail is configured'],
    [
      { 'Otp.PushLogin': true },
      'Otp.PushLogin cannot be Yes in this version: a login asks for codes and security keys, not by push',
    ],
    [{ 'Otp.SecureMail': 'maybe' }, 'Otp.SecureMail is not Yes or No'],
    [{ 'Otp.OTPLength': '7' }, 'Otp.OTPLength is not one of 6, 8, 10'],
    [{ 'Otp.TOTPTimeStep': 0 }, 'Otp.TOTPTimeStep is not an integer from 2 to 86400'],
    [{ 'Otp.ListSize': '101' }, 'Otp.ListSize is not an integer from 1 to 100'],
    [{ 'Otp.BlockTime': '99999999' }, 'Otp.BlockTime is not an integer from 0 to 31622400'],
    [{ 'SshKey.KeyExpire': '361' }, 'SshKey.KeyExpire is not an integer from 0 to 360'],
    ...['tomorrow', '2026-02-30 00:00:00', '2026-01-01', '2026-01-01 24:00:00', '2026-13-01 00:00:00'].map(
      (moment): [Record<string, string>, string] => [
        { 'Otp.ValidTo': moment },
        'Otp.ValidTo is not an existing date and time of the form YYYY-MM-DD HH:MM:SS',
      ],
    ),
    [
      { 'Otp.ValidFrom': '2026-03-01 00:00:00', 'Otp.ValidTo': '2026-03-01 00:00:00' },
      'Otp.ValidTo is not after Otp.ValidFrom, which is 2026-03-01 00:00:00',
    ],
    [{ 'Otp.MaxTries': '-1' }, 'Otp.MaxTries is not an integer from 1 to 1000000'],
    [{ 'Otp.MaxTries': 1.5 }, 'Otp.MaxTries is not an integer from 1 to 1000000'],
    [{ 'Otp.ReplyData': '' }, 'Otp.ReplyData is not a text of 1 to 4096 characters'],
    [{ 'Otp.ReplyData': 'x'.repeat(4097) }, 'Otp.ReplyData is not a text of 1 to 4096 characters'],
  ])('are refused: %j', async (settings, detail) => {
    const dn = await person();
    expect(await refusalOf(set(dn, { 'Otp.BlockTime': 1, ...settings }))).toEqual({
      reason: 'invalid_params',
      detail: `Parameter settings: ${detail}`,
    });
    expect(await stored(dn)).toEqual([]);
  });

  it('end after they begin, in any order of changes', async () => {
    const dn = await person();
    await set(dn, { 'Otp.ValidTo': '2026-03-01 00:00:00' });
    const late = { 'Otp.ValidFrom': '2026-04-01 00:00:00' };
    expect(await refusalOf(set(dn, late))).toEqual({
      reason: 'invalid_params',
      detail: 'Parameter settings: Otp.ValidTo is not after Otp.ValidFrom, which is 2026-04-01 00:00:00',
    });
    expect(await set(dn, { ...late, 'Otp.ValidTo': null })).toBe(1);
    expect(
      await set(dn, { 'Otp.ValidFrom': '2026-01-01 00:00:00', 'Otp.ValidTo': '2026-12-31 23:59:59' }),
    ).toBe(1);
  });

  it('are for activated users and groups only', async () => {
    const dn = await person({ objectclass: 'inetOrgPerson' });
    const inactive = { reason: 'not_found', detail: `Object '${dn}' is not an activated user or group` };
    expect(await refusalOf(set(dn, { 'Otp.NoSuch': 'x' }))).toEqual(inactive);
    expect(await refusalOf(get(dn))).toEqual(inactive);
    const missing = `uid=missing,${container}`;
    const noObject = { reason: 'not_found', detail: `LDAP object '${missing}' does not exist` };
    expect(await refusalOf(set(missing, {}))).toEqual(noObject);
    expect(await refusalOf(get(missing))).toEqual(noObject);
  });
});
