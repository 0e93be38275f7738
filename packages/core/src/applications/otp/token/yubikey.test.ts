/** Yubikeys that type Yubico OTPs: registered, and logins with them, over the embedded directory and slapd. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Yubikey } from '../../../testing/bed/engines/yubico/yubikey.ts';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { engines, isActiveDirectory, openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';

const password = 'Correct-Horse-7';
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };

describe.each(engines)('Yubikeys: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let other: Fixture;
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    const options = { config: { settings: { 'Otp.MaxTries': '1000' } }, ports: () => stage.ports };
    node = await stage.fixture.another(options);
    other = await stage.fixture.another(options);
    people = await stage.container();
  });
  afterAll(async () => {
    await other.close();
    await node.close();
    await stage.close();
  });

  async function person(uid: string, more: object = {}) {
    const dn = await stage.person(people, uid, { userpassword: password });
    const key = new Yubikey();
    expect(await stage.manager.Otp.Yubikey_Register({ dn, ...key.parameters, ...more })).toBe(1);
    return { dn, key };
  }
  const logIn = (username: string, otpPassword: string, at = node) =>
    at.service.web.otp.normalLogin({ username, ldapPassword: password, otpPassword });
  const isIn = async (username: string, otp: string, at = node) =>
    (await logIn(username, otp, at)).code === 1;
  const stateOf = async (dn: string) => {
    const data = Object(await stage.manager.Get_User_Data({ dn, data: ['Otp.TokenState'] }));
    return Buffer.from(data['Otp.TokenState'] ?? '', 'base64').toString();
  };

  it('a code logs in once, on whatever node, and no code of before does', async () => {
    const { dn, key } = await person('adele');
    const [first, second, third] = [key.touch(), key.touch(), key.touch()];
    expect(await isIn('adele', second)).toBe(true);
    expect(await stateOf(dn)).toBe(String(256 + 2));
    expect(await isIn('adele', second, other)).toBe(false);
    expect(await isIn('adele', first, other)).toBe(false);
    expect(await isIn('adele', third, other)).toBe(true);
    const unplugged = key.touch();
    expect(await isIn('adele', key.plugIn().touch())).toBe(true);
    expect(await isIn('adele', unplugged)).toBe(false);
  });

  it.skipIf(isActiveDirectory)('of a hundred who use one code at once, one is let in', async () => {
    const { key } = await person('bea');
    const otp = key.touch();
    const all = Array.from({ length: 100 }, (_, at) => isIn('bea', otp, at % 2 === 0 ? node : other));
    expect((await Promise.all(all)).filter((is) => is)).toHaveLength(1);
  });

  it('is asked for, and answers a challenge', async () => {
    const { key } = await person('cleo');
    const asked = {
      session: '',
      ...(await node.service.web.otp.normalLogin({ username: 'cleo', ldapPassword: password })),
    };
    expect(asked).toMatchObject({ code: 2, otpChallenge: 'TOKEN', message: 'Enter your TOKEN password' });
    const { session } = asked;
    const answer = (otpPassword: string) =>
      node.service.web.otp.challenge({ username: 'cleo', session, otpPassword });
    expect(await answer(new Yubikey().touch())).toMatchObject(refused);
    expect(await answer(key.touch())).toMatchObject({ code: 1 });
  });

  it('stands behind the password in one field, in capitals too', async () => {
    const { key } = await person('dora');
    const simple = (anyPassword: string) =>
      node.service.web.otp.simpleLogin({ username: 'dora', anyPassword });
    expect(await simple(`${password}${key.touch()}`)).toMatchObject({ code: 1, concat: 44 });
    expect(await simple(`${password}${key.touch().toUpperCase()}`)).toMatchObject({ code: 1, concat: 44 });
    expect(await simple(`wrong${key.touch()}`)).toMatchObject(refused);
  });

  it('has the PIN before it, where one is wanted', async () => {
    const { dn, key } = await person('ella');
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.OTPPrefix': 'Yes' } });
    await stage.manager.Otp.Prefix_Register({ dn, prefix: '4711' });
    expect(await isIn('ella', key.touch())).toBe(false);
    expect(await isIn('ella', `4711${key.touch()}`)).toBe(true);
  });

  it.each<[string, (key: Yubikey) => string]>([
    ['of another key', () => new Yubikey().touch()],
    ['of another key with the same public id', ({ publicId }) => new Yubikey(publicId).touch()],
    ['that is cut', (key) => key.touch().slice(1)],
    ['with a letter changed', (key) => key.touch().replace(/.$/, (message) => (message === 'c' ? 'b' : 'c'))],
    ['that is a number', () => '123456'],
  ])('a code %s is wrong', async (title, otp) => {
    const uid = title.replaceAll(' ', '-');
    const { key } = await person(uid);
    expect(await isIn(uid, otp(key))).toBe(false);
    expect(await isIn(uid, key.touch())).toBe(true);
  });

  it('is found by a code, which is not used up, and not by that of another', async () => {
    const { dn, key } = await person('fay', { id: 3 });
    const otp = key.touch();
    expect(await stage.manager.Otp.Yubikey_Locate({ dn, otp })).toBe(3);
    expect(await stage.manager.Otp.Yubikey_Locate({ dn, otp: new Yubikey().touch() })).toBe(0);
    expect(await stage.manager.Otp.Yubikey_Locate({ dn, otp: '' })).toBe(0);
    expect(await isIn('fay', otp)).toBe(true);
    expect(await stage.manager.Otp.Yubikey_Locate({ dn, otp })).toBe(3);
  });

  it('is set back on the entry, and what was used stays used', async () => {
    const { dn, key } = await person('gwen');
    const otp = key.touch();
    expect(await isIn('gwen', otp)).toBe(true);
    expect(await stage.manager.Otp.Yubikey_Reset({ dn })).toBe(1);
    expect(await stateOf(dn)).toBe('0');
    expect(await isIn('gwen', otp)).toBe(false);
    expect(await isIn('gwen', key.touch())).toBe(true);
    const refusal = await refusalOf(stage.manager.Otp.Yubikey_Reset({ dn, id: 2 }));
    expect(refusal).toMatchObject({ reason: 'not_found' });
  });

  it('begins where the registration says', async () => {
    const { key } = await person('hanna', { state: String(2 * 256) });
    expect(await isIn('hanna', key.touch())).toBe(false);
    expect(await isIn('hanna', key.plugIn().touch())).toBe(true);
  });

  it('is listed, disabled, enabled and removed as any token', async () => {
    const { dn, key } = await person('ines');
    const tokenid = key.touch().slice(0, 12);
    expect(await stage.manager.Otp.User_Tokens({ dn })).toEqual([
      { id: 1, type: 'YUBIKEY', enabled: true, state: '0', tokenid },
    ]);
    await stage.manager.Otp.Token_Disable({ dn });
    expect(await isIn('ines', key.touch())).toBe(false);
    await stage.manager.Otp.Token_Enable({ dn });
    expect(await isIn('ines', key.touch())).toBe(true);
    await stage.manager.Otp.Token_Unregister({ dn });
    expect(await stage.manager.Otp.User_Tokens({ dn })).toEqual([]);
    expect(await isIn('ines', key.touch())).toBe(false);
  });

  it('that another system has written is a token: 22 bytes, and the public id as it is', async () => {
    const dn = await stage.person(people, 'jana', { userpassword: password });
    const key = new Yubikey();
    const text = (value: string) => Buffer.from(value).toString('base64');
    await stage.manager.Set_User_Data({
      dn,
      data: {
        'Otp.TokenType': text('YUBIKEY'),
        'Otp.TokenKey': Buffer.concat([key.key, key.privateId]).toString('base64'),
        'Otp.TokenID': key.publicId.toString('base64'),
        'Otp.TokenState': text('12'),
      },
    });
    expect(await isIn('jana', key.touch())).toBe(true);
  });

  it.each([
    ['key', { key: randomBytes(15).toString('base64') }],
    ['secret', { secret: randomBytes(7).toString('base64') }],
    ['public', { public: randomBytes(17).toString('base64') }],
    ['state', { state: 'x' }],
  ])('is not registered with a wrong %s', async (parameter, more) => {
    const dn = stage.nameOf(people, 'adele');
    const parameters = { ...new Yubikey().parameters, ...more };
    const refusal = await refusalOf(stage.manager.Otp.Yubikey_Register({ dn, ...parameters }));
    expect(refusal).toMatchObject({
      reason: 'invalid_params',
      detail: expect.stringContaining(`Parameter ${parameter}`),
    });
  });
});
