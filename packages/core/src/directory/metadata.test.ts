/** Metadata mode (docs/concepts/dialects-and-names.md#schema-extension) on a real slapd that knows none of our classes and attributes. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEntryRecords, openEnvironment } from '../../../embedded/src/index.ts';
import { openLdapDirectory } from '../../../ldap/src/index.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { Dn } from '../foundation/text/dn.ts';
import { readServiceConfig } from '../index.ts';
import { startSlapd } from '../testing/bed/engines/slapd.ts';
import { forgiving } from '../testing/bed/forgiving.ts';
import { scratchFolder } from '../testing/bed/scratch.ts';
import { openStage, refusalOf, type Stage } from '../testing/bed/stage.ts';
import { KeptLog } from '../testing/kept-log.ts';
import { withMetadata } from './metadata.ts';

const secret = Buffer.from('a secret of twenty b').toString('base64');
const withKey = { 'Otp.TokenKey': secret, 'Otp.TokenType': Buffer.from('TOTP').toString('base64') };

let stage: Stage;
let container: string;
let people = 0;
beforeAll(async () => {
  stage = await openStage('OpenLDAP', { accountSchema: false });
  container = await stage.container();
});
afterAll(() => stage.close());

/** A user without our class. */
const person = (): Promise<string> => {
  people += 1;
  return stage.person(container, `plain${people}`, { objectclass: 'inetOrgPerson' });
};

describe('a directory without our schema', () => {
  it('activates no user, and every user is active', async () => {
    const dn = await person();
    expect(await stage.manager.Activate_LDAP_Object({ dn })).toBe(false);
    expect(await stage.manager.Deactivate_LDAP_Object({ dn })).toBe(false);
    expect(await stage.manager.Check_User_Active({ dn })).toBe(true);
    expect(await stage.manager.Check_User_Active({ dn: container })).toBe(false);
    const users = await stage.manager.Count_Domain_Users({ domain: 'Default' });
    expect(users).toBeGreaterThan(0);
    expect(await stage.manager.Count_Domain_Users({ domain: 'Default', active: true })).toBe(users);
    expect(await stage.manager.Count_Activated_Users()).toBe(users);
  });

  it('begins with the settings of the installation, and no data', async () => {
    const dn = await person();
    const settings = ['Otp.LoginMode'];
    expect(await forgiving(stage.manager).Get_User_Settings({ dn, settings })).toEqual({
      'Otp.LoginMode': 'LDAPOTP',
    });
    expect(await stage.manager.Get_User_Data({ dn })).toEqual({});
  });

  it('keeps settings of users, and of their groups', async () => {
    const dn = await person();
    const group = `cn=staff ${people},${container}`;
    await stage.manager.Create_LDAP_Object({ dn: group, attrs: { objectclass: 'groupOfNames', member: dn } });
    await stage.manager.Set_User_Settings({
      dn: group,
      settings: { 'Otp.OTPLength': '8', 'Otp.MaxTries': '3' },
    });
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '4', 'Otp.LoginMode': 'OTP' } });
    await stage.manager.Set_User_Settings({
      dn,
      settings: { 'Otp.LoginMode': null, 'Otp.ReplyData': 'a,b' },
    });
    const settings = ['Otp.OTPLength', 'Otp.MaxTries', 'Otp.LoginMode', 'Otp.ReplyData'];
    expect(await forgiving(stage.manager).Get_User_Settings({ dn, settings })).toEqual({
      'Otp.OTPLength': '8',
      'Otp.MaxTries': '4',
      'Otp.LoginMode': 'LDAPOTP',
      'Otp.ReplyData': 'a,b',
    });
  });

  it('keeps data, encrypted and out of the directory', async () => {
    const dn = await person();
    await stage.manager.Set_User_Data({ dn, data: withKey });
    await stage.manager.Set_User_Data({ dn, data: { 'Otp.TokenType': null } });
    expect(await stage.manager.Get_User_Data({ dn })).toEqual({ 'Otp.TokenKey': secret });
    const attrs = ['webadmData', 'cn'];
    const named = await stage.manager.Get_User_Attrs({ dn, attrs });
    expect(named).toEqual({
      cn: [`plain${people}`],
      webadmdata: [expect.stringMatching(/^Otp\.TokenKey=\{wcrypt\}/)],
    });
    expect(Object.keys(await stage.manager.Get_User_Attrs({ dn })).sort()).toEqual([
      'cn',
      'objectclass',
      'sn',
      'uid',
    ]);
    const found = await stage.manager.Search_LDAP_Objects({ basedn: dn, attrs: ['webadmdata'] });
    expect(found).toEqual({ [dn]: { webadmdata: named.webadmdata } });
  });

  it('lets users log in with a token, and remembers its counter', async () => {
    const password = 'Right-Pa55word';
    const dn = await stage.person(container, 'token', {
      objectclass: 'inetOrgPerson',
      userpassword: password,
    });
    // RFC 4226 appendix D: the secret, and the codes of its first counters.
    const key = Buffer.from('12345678901234567890').toString('base64');
    const [type, state] = ['HOTP', '0'].map((text) => Buffer.from(text).toString('base64'));
    const data = { 'Otp.TokenType': type ?? '', 'Otp.TokenKey': key, 'Otp.TokenState': state ?? '' };
    await stage.manager.Set_User_Data({ dn, data });
    const login = async (otpPassword: string) =>
      (
        await stage.fixture.service.web.otp.normalLogin({
          username: 'token',
          ldapPassword: password,
          otpPassword,
        })
      ).code;
    expect(await login('755224')).toBe(1);
    expect(await login('755224')).toBe(0);
    expect(await login('359152')).toBe(1);
    const stored = await stage.manager.Get_User_Data({ dn, data: ['Otp.TokenState'] });
    expect(Buffer.from(stored['Otp.TokenState'] ?? '', 'base64').toString()).toBe('3');
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    expect(await login('')).toBe(1);
  });

  it('stores the installation’s words, and reads ours, too', async () => {
    const dn = await person();
    await stage.manager.Set_User_Data({ dn, data: withKey });
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '4' } });
    const theirs = await stage.enter({ config: { names: { Otp: 'ExampleOTP' } } });
    expect(await theirs.Get_User_Data({ dn, data: ['Otp.TokenKey'] })).toEqual({
      'ExampleOTP.TokenKey': secret,
    });
    await theirs.Set_User_Data({ dn, data: { 'Otp.TokenState': secret } });
    await theirs.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '5' } });
    const kept = await theirs.Get_User_Attrs({ dn, attrs: ['webadmData', 'webadmSettings'] });
    expect(kept.webadmsettings).toEqual(['ExampleOTP.MaxTries=5']);
    expect(kept.webadmdata?.join()).toMatch(/ExampleOTP\.TokenKey=\{wcrypt\}[^,]+/);
    expect(kept.webadmdata?.join()).not.toMatch(/\bOtp\./);
    expect(await theirs.Get_User_Data({ dn, data: ['Otp.TokenKey'] })).toEqual({
      'ExampleOTP.TokenKey': secret,
    });
  });

  it('has the same settings and data on every node', async () => {
    const dn = await person();
    await stage.manager.Set_User_Data({ dn, data: withKey });
    const other = await stage.enter({});
    expect(await other.Get_User_Data({ dn })).toEqual(withKey);
  });

  it('loses no setting and no key of concurrent changes', async () => {
    const dn = await person();
    const nodes = [stage.manager, await stage.enter({})];
    const names = ['MaxTries', 'BlockTime', 'LastOTPTime', 'ListSize', 'TOTPTimeStep', 'ChallengeTimeout'];
    const slots = [2, 3, 4, 5, 6, 7];
    await Promise.all([
      ...names.map((name, index) =>
        nodes[index % 2]?.Set_User_Settings({ dn, settings: { [`Otp.${name}`]: String(index + 1) } }),
      ),
      ...slots.map((slot, index) =>
        nodes[index % 2]?.Set_User_Data({ dn, data: { [`Otp.Token${slot}Key`]: secret } }),
      ),
    ]);
    expect(
      await forgiving(stage.manager).Get_User_Settings({ dn, settings: names.map((name) => `Otp.${name}`) }),
    ).toEqual(Object.fromEntries(names.map((name, index) => [`Otp.${name}`, String(index + 1)])));
    expect(Object.keys(await stage.manager.Get_User_Data({ dn })).sort()).toEqual(
      slots.map((slot) => `Otp.Token${slot}Key`),
    );
  });

  it('keeps settings and data of an entry that is renamed or moved', async () => {
    const dn = await person();
    await stage.manager.Set_User_Data({ dn, data: withKey });
    const elsewhere = await stage.container();
    await stage.manager.Move_LDAP_Object({ dn, container: elsewhere });
    await stage.manager.Rename_LDAP_Object({ dn: `uid=plain${people},${elsewhere}`, name: 'renamed' });
    expect(await stage.manager.Get_User_Data({ dn: `uid=renamed,${elsewhere}` })).toEqual(withKey);
  });

  it('gives a new entry with the same name nothing, and deletes the secrets of the old one', async () => {
    const dn = await person();
    await stage.manager.Set_User_Data({ dn, data: withKey });
    const [id = ''] = (await stage.manager.Get_User_Attrs({ dn, attrs: ['entryUUID'] })).entryuuid ?? [];
    expect((await stage.ports.entryRecords.read([id])).get(id)).toContain('Otp.TokenKey={wcrypt}');
    await stage.manager.Remove_LDAP_Object({ dn });
    expect(await stage.ports.entryRecords.read([id])).toEqual(new Map());
    await stage.person(container, `plain${people}`, { objectclass: 'inetOrgPerson' });
    expect(await stage.manager.Get_User_Data({ dn })).toEqual({});
  });

  it('changes attributes by the rules of a modify', async () => {
    const dn = await person();
    const attrs = { webadmsettings: ['Otp.MaxTries=1', 'Otp.OTPLength=8'] };
    const read = async () =>
      (await stage.manager.Get_User_Attrs({ dn, attrs: ['webadmsettings'] })).webadmsettings;
    await stage.manager.Set_User_Attrs({ dn, attrs });
    expect(await read()).toEqual(attrs.webadmsettings);
    await stage.manager.Set_User_Attrs({ dn, attrs: { webadmSettings: 'Otp.ListSize=9' }, values: true });
    await stage.manager.Remove_User_Attrs({ dn, attrs: { webadmsettings: 'Otp.MaxTries=1' }, values: true });
    expect(await read()).toEqual(['Otp.OTPLength=8', 'Otp.ListSize=9']);
    await stage.manager.Remove_User_Attrs({ dn, attrs: ['webadmsettings'] });
    expect(await read()).toBeUndefined();
    const mixed = { webadmsettings: 'Otp.MaxTries=1', mail: 'a@example.org' };
    expect(await refusalOf(stage.manager.Set_User_Attrs({ dn, attrs: mixed }))).toEqual({
      reason: 'schema_refused',
      detail: expect.stringContaining('change them in a call of their own'),
    });
    expect(await stage.manager.Get_User_Attrs({ dn, attrs: ['mail', 'webadmsettings'] })).toEqual({});
  });

  it('refuses a missing entry with the usual messages', async () => {
    const dn = `uid=missing,${container}`;
    const missing = { reason: 'not_found', detail: `LDAP object '${dn}' does not exist` };
    expect(await refusalOf(stage.manager.Set_User_Data({ dn, data: withKey }))).toEqual(missing);
    expect(await refusalOf(stage.manager.Set_User_Settings({ dn, settings: {} }))).toEqual(missing);
    expect(await refusalOf(stage.manager.Remove_LDAP_Object({ dn }))).toEqual(missing);
    expect(await refusalOf(stage.manager.Set_User_Attrs({ dn, attrs: { webadmdata: 'x' } }))).toEqual(
      missing,
    );
  });
});

describe('the right to change records', () => {
  it('follows the access rules of the directory', async () => {
    const slapd = await startSlapd({ accountSchema: false });
    const folder = await scratchFolder('metadata');
    const environment = await openEnvironment(folder);
    const server = openLdapDirectory(
      { urls: [slapd.ldapsUrl], ca: slapd.ca, bind_dn: slapd.readerDn, bind_password: slapd.readerPassword },
      { clock: systemClock, log: new KeptLog() },
    );
    const { schema } = readServiceConfig({ domains: { Default: { base: slapd.base } } });
    const directory = withMetadata(server, openEntryRecords(environment), schema);
    const user = Dn.parse(slapd.readerDn);
    const bind = async (dn: string, password: string) => {
      const bound = await directory.bind(Dn.parse(dn), password);
      return bound.granted ? bound.directory : expect.unreachable();
    };
    const reader = await bind(slapd.readerDn, slapd.readerPassword);
    const writer = await bind(slapd.adminDn, slapd.adminPassword);
    const change = (value: string) => [
      { operation: 'replace' as const, attribute: 'webadmSettings', values: [value] },
    ];
    const read = async () => (await reader.read(user, ['webadmSettings']))?.attributes.get('webadmsettings');

    const revision = await directory.revision(user);
    await writer.modify(user, change('Otp.MaxTries=1'));
    await expect(reader.modify(user, change('Otp.MaxTries=2'))).rejects.toMatchObject({
      reason: 'permission_denied',
    });
    expect(await read()).toEqual(['Otp.MaxTries=1']);
    await directory.service.modify(user, change('Otp.MaxTries=3'));
    expect(await read()).toEqual(['Otp.MaxTries=3']);
    expect(await directory.revision(user)).toBe(revision);

    for (const close of [reader, writer, directory, environment]) await close.close();
    await Promise.all([slapd.stop(), rm(folder, { recursive: true })]);
  });
});
