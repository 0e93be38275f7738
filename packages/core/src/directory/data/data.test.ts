/** Data stored with users (docs/concepts/dialects-and-names.md#stored-data), on both engines. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyRing } from '../../ports/keys.ts';
import { forgiving } from '../../testing/bed/forgiving.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = base64('12345678901234567890');

describe.each(engines)('data: %s', (engine) => {
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
  const set = (dn: string, data: Record<string, string | null>) => manager.Set_User_Data({ dn, data });
  const get = (dn: string, ...data: string[]) =>
    manager.Get_User_Data({ dn, ...(data.length > 0 && { data }) });
  const stored = async (dn: string) =>
    (await manager.Get_User_Attrs({ dn, attrs: ['webadmData'] })).webadmdata ?? [];
  const plant = (dn: string, webadmdata: string[]) => manager.Set_User_Attrs({ dn, attrs: { webadmdata } });

  it('is merged, returned in padded base64, and removed by null', async () => {
    const dn = await person();
    expect(await get(dn)).toEqual({});
    expect(await set(dn, { 'Otp.TokenKey': secret, 'Otp.TokenType': ' VE9\nUUA ' })).toBe(1);
    expect(await set(dn, { 'Otp.TokenState': base64('17') })).toBe(1);
    expect(await get(dn)).toEqual({
      'Otp.TokenKey': secret,
      'Otp.TokenType': base64('TOTP'),
      'Otp.TokenState': base64('17'),
    });
    expect(await get(dn, 'Otp.TokenState', 'Otp.TokenSerial')).toEqual({ 'Otp.TokenState': base64('17') });
    expect(await set(dn, { 'Otp.TokenKey': null, 'Otp.TokenSerial': null })).toBe(1);
    expect(Object.keys(await get(dn))).toEqual(['Otp.TokenType', 'Otp.TokenState']);
    expect(await set(dn, { 'Otp.TokenType': null, 'Otp.TokenState': null })).toBe(1);
    expect(await stored(dn)).toEqual([]);
  });

  it('is encrypted in the directory, except public data', async () => {
    const dn = await person();
    await set(dn, { 'Otp.TokenKey': secret, 'Otp.TokenType': base64('TOTP') });
    const [value = '', ...others] = await stored(dn);
    expect(others).toEqual([]);
    expect(value).toMatch(/^Otp\.TokenKey=\{wcrypt\}[A-Za-z0-9+/=]+,Otp\.TokenType=VE9UUA==$/);
    expect(value).not.toContain(secret.slice(0, 8));
  });

  it('does not open on another entry or under another key', async () => {
    const [one, two] = [await person(), await person()];
    await set(one, { 'Otp.TokenKey': secret });
    const [value = ''] = await stored(one);
    await plant(two, [value]);
    expect((await refusalOf(get(two))).reason).toBe('data_unreadable');
    await plant(one, [value.replace('TokenKey', 'Token2Key')]);
    expect((await refusalOf(get(one))).reason).toBe('data_unreadable');
    await plant(one, [value.replace(/.{8}$/, 'AAAAAAA=')]);
    expect((await refusalOf(get(one))).reason).toBe('data_unreadable');
    await plant(one, [value]);
    expect(await get(one)).toEqual({ 'Otp.TokenKey': secret });
  });

  it('survives a rename and a move', async () => {
    const dn = await person();
    await set(dn, { 'Otp.TokenKey': secret });
    await manager.Rename_LDAP_Object({ dn, name: 'renamed' });
    const elsewhere = await stage.container();
    await manager.Move_LDAP_Object({ dn: `uid=renamed,${container}`, container: elsewhere });
    expect(await get(`uid=renamed,${elsewhere}`)).toEqual({ 'Otp.TokenKey': secret });
  });

  it('opens under every key of the ring and is written under the first', async () => {
    const dn = await person();
    await set(dn, { 'Otp.TokenKey': secret });
    const ring = (...fills: number[]) =>
      stage.enter({
        ports: ({ random }) => ({
          keys: new KeyRing(
            fills.map((fill) => Buffer.alloc(32, fill)),
            random,
          ),
        }),
      });
    const rotated = await ring(8, 7);
    expect(await rotated.Get_User_Data({ dn })).toEqual({ 'Otp.TokenKey': secret });
    await rotated.Set_User_Data({ dn, data: { 'Otp.TokenKey': secret, 'Otp.Token2Key': secret } });
    const after = await ring(8);
    expect(await after.Get_User_Data({ dn })).toEqual({ 'Otp.TokenKey': secret, 'Otp.Token2Key': secret });
    expect((await refusalOf(get(dn))).reason).toBe('data_unreadable');
  });

  it('loses nothing of 50 concurrent calls', async () => {
    const dn = await person();
    const data = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`Otp.Key${n}`, base64(`value ${n}`)]),
    );
    await Promise.all(Object.entries(data).map(([key, value]) => set(dn, { [key]: value })));
    expect(await get(dn)).toEqual(data);
  });

  it('is stored once when many calls set the same key', async () => {
    const dn = await person();
    await Promise.all(Array.from({ length: 20 }, (_, n) => set(dn, { 'Otp.TokenState': base64(`${n}`) })));
    expect(await stored(dn)).toEqual([expect.stringMatching(/^Otp\.TokenState=[A-Za-z0-9+/]+=*$/)]);
  });

  it('is read as other programs write it: in clear, in several values, in the installation’s words', async () => {
    const dn = await person({
      webadmdata: [
        `Otp.TokenType=${base64('HOTP')}, ExampleOTP.TokenKey=${secret}`,
        'SshKey.KeyType=eA==',
        'nonsense',
      ],
    });
    const theirs = await stage.enter({ config: { names: { Otp: 'ExampleOTP' } } });
    expect(await theirs.Get_User_Data({ dn })).toEqual({
      'ExampleOTP.TokenType': base64('HOTP'),
      'ExampleOTP.TokenKey': secret,
      'SshKey.KeyType': 'eA==',
    });
    await theirs.Set_User_Data({ dn, data: { 'ExampleOTP.TokenKey': base64('x') } });
    expect(await theirs.Get_User_Data({ dn, data: ['Otp.TokenKey', 'SshKey.KeyType'] })).toEqual({
      'ExampleOTP.TokenKey': base64('x'),
      'SshKey.KeyType': 'eA==',
    });
  });

  it('is written in the installation’s words, also secrets that were in ours', async () => {
    const theirs = await stage.enter({ config: { names: { Otp: 'ExampleOTP' } } });
    const dn = await person();
    await set(dn, { 'Otp.TokenType': base64('HOTP'), 'Otp.TokenKey': secret, 'SshKey.KeyType': 'eA==' });
    await theirs.Set_User_Data({ dn, data: { 'Otp.TokenState': base64('1') } });
    const words = (await stored(dn)).join().split(',');
    expect(words.map((pair) => pair.slice(0, pair.indexOf('=')))).toEqual([
      'ExampleOTP.TokenType',
      'ExampleOTP.TokenKey',
      'SshKey.KeyType',
      'ExampleOTP.TokenState',
    ]);
    expect(await theirs.Get_User_Data({ dn, data: ['Otp.TokenKey'] })).toEqual({
      'ExampleOTP.TokenKey': secret,
    });

    // Of two the installation's word counts, and what is removed goes in both.
    const both = ['Otp', 'ExampleOTP', 'Otp'].map((word, n) => `${word}.TokenType=${base64(`${n}`)}`);
    await plant(dn, [both.join()]);
    expect(await theirs.Get_User_Data({ dn })).toEqual({ 'ExampleOTP.TokenType': base64('1') });
    await theirs.Set_User_Data({ dn, data: { 'Otp.TokenState': base64('1') } });
    expect(await theirs.Get_User_Data({ dn, data: ['Otp.TokenType'] })).toEqual({
      'ExampleOTP.TokenType': base64('1'),
    });
    expect((await stored(dn)).join()).not.toMatch(/\bOtp\./);
    await plant(dn, both.slice(0, 2));
    await theirs.Set_User_Data({ dn, data: { 'ExampleOTP.TokenType': null } });
    expect(await stored(dn)).toEqual([]);
  });

  it('does not blame the caller for damaged data', async () => {
    const dn = await person({ webadmdata: ['Otp.TokenKey=?', 'Otp.TokenType=eA=='] });
    expect((await refusalOf(get(dn))).reason).toBe('data_unreadable');
    expect(await get(dn, 'Otp.TokenType')).toEqual({ 'Otp.TokenType': 'eA==' });
  });

  it.each([
    [{ 'Otp.TokenKey': '?' }, 'invalid_params', 'Parameter data not Base64'],
    [{ 'Otp.TokenKey': true }, 'invalid_params', 'Parameter data not Base64'],
    [{ TokenKey: 'eA==' }, 'invalid_params', "Parameter data: there is no key 'TokenKey'"],
    [{ 'Other.Key': 'eA==' }, 'invalid_params', "Parameter data: there is no key 'Other.Key'"],
    [{ 'Otp.a,Otp.b': 'eA==' }, 'invalid_params', "Parameter data: there is no key 'Otp.a,Otp.b'"],
    [{ 'Otp.a=b': 'eA==' }, 'invalid_params', "Parameter data: there is no key 'Otp.a=b'"],
    [
      { 'Otp.Big': Buffer.alloc(65_537).toString('base64') },
      'too_large',
      'Parameter data: Otp.Big is longer than 65536 bytes',
    ],
  ])('is refused: %j', async (data, reason, detail) => {
    const dn = await person();
    expect(await refusalOf(forgiving(manager).Set_User_Data({ dn, data }))).toEqual({ reason, detail });
    expect(await stored(dn)).toEqual([]);
  });

  it('is for activated users and groups only', async () => {
    const dn = await person({ objectclass: 'inetOrgPerson' });
    const inactive = { reason: 'not_found', detail: `Object '${dn}' is not an activated user or group` };
    expect(await refusalOf(set(dn, { 'Otp.TokenKey': secret }))).toEqual(inactive);
    expect(await refusalOf(get(dn))).toEqual(inactive);
    const missing = `uid=missing,${container}`;
    const noObject = { reason: 'not_found', detail: `LDAP object '${missing}' does not exist` };
    expect(await refusalOf(set(missing, {}))).toEqual(noObject);
    expect(await refusalOf(get(missing))).toEqual(noObject);
  });
});
