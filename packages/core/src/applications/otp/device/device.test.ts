/** FIDO2 devices: registered by administrators, and logins with them, over the embedded directory and slapd. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecurityKey, type Twist } from '../../../testing/bed/engines/security-key.ts';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { engines, openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';

const password = 'Correct-Horse-7';
const party = { id: 'example.com', name: 'Example' };
const origin = 'https://login.example.com';
const granted = { code: 1, message: 'Authentication success' };
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

describe.each(engines)('FIDO2 devices: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let manager: Stage['manager'];
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    const options = { config: { relying_party: party, settings: { 'Otp.MaxTries': '1000' } } };
    node = await stage.fixture.another({ ...options, ports: () => stage.ports });
    manager = await stage.enter(options);
    people = await stage.container();
  });
  afterAll(async () => {
    await node.close();
    await stage.close();
  });

  const newKey = (more: object = {}) =>
    new SecurityKey({ rpId: party.id, origin, hasCounter: true, ...more });
  const base64 = (text: string) => Buffer.from(text).toString('base64url');

  async function register(dn: string, key: SecurityKey, more: object = {}, twist: Twist = {}) {
    const random = randomBytes(32).toString('base64url');
    return manager.Otp.FIDO_Register({ dn, response: base64(key.register(random, twist)), random, ...more });
  }
  async function person(uid: string, mode: 'LDAPU2F' | 'LDAPMFA' | 'LDAPOTP' = 'LDAPU2F') {
    const dn = await stage.person(people, uid, { userpassword: password });
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': mode } });
    return dn;
  }
  async function withKey(uid: string, mode: 'LDAPU2F' | 'LDAPMFA' | 'LDAPOTP' = 'LDAPU2F') {
    const [dn, key] = [await person(uid, mode), newKey()];
    await register(dn, key);
    return { dn, key };
  }
  const logIn = (username: string, more: object = {}) =>
    node.service.web.otp.normalLogin({ username, ldapPassword: password, ...more });
  async function challenge(username: string) {
    const answer = { session: '', u2fChallenge: '{}', ...(await logIn(username)) };
    expect(answer.code).toBe(2);
    return { ...answer, asked: JSON.parse(answer.u2fChallenge) };
  }
  const answer = (username: string, session: string, u2fResponse: string, more: object = {}) =>
    node.service.web.otp.challenge({ username, session, u2fResponse, ...more });

  describe('a login with a device', () => {
    it('asks for it, and grants what it has signed, once', async () => {
      const { dn, key } = await withKey('adele');
      const { session, asked, ...rest } = await challenge('adele');
      expect(rest).toMatchObject({ message: 'Use your security key', timeout: 90 });
      expect(rest).not.toHaveProperty('otpChallenge');
      expect(asked).toEqual({
        challenge: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
        rpId: 'example.com',
        credentialIds: [key.id.toString('base64')],
      });
      const signed = key.sign(asked.challenge);
      expect(await answer('adele', session, signed)).toMatchObject(granted);
      expect(await answer('adele', session, signed)).toMatchObject({ code: 0, error: 'NoSession' });
      expect(node.events().at(-1)).toMatchObject({
        dn,
        text: expect.stringContaining('granted by password and FIDO2'),
      });
      const next = await challenge('adele');
      expect(await answer('adele', next.session, signed)).toMatchObject(refused);
      expect(await answer('adele', next.session, key.sign(next.asked.challenge))).toMatchObject(granted);
    });

    it('is not granted by the password alone, by a code, or by an emergency code', async () => {
      const { dn } = await withKey('bea');
      const otp = String(await manager.Otp.Emerg_Register({ dn }));
      expect(await logIn('bea', { otpPassword: otp })).toMatchObject({ code: 2 });
      const { session } = await challenge('bea');
      expect(await answer('bea', session, '', { otpPassword: otp })).toMatchObject(refused);
      const text = `${password}${otp}`;
      expect(await node.service.web.otp.simpleLogin({ username: 'bea', anyPassword: text })).toMatchObject(
        refused,
      );
      expect(await logIn('bea', { ldapPassword: 'wrong' })).toMatchObject(refused);
    });

    it.each<[string, Twist]>([
      ['another key', { key: otherKey }],
      ['a page elsewhere', { origin: 'https://login.example.com.evil.test' }],
      ['a page without TLS', { origin: 'http://login.example.com' }],
      ['a page within another', { crossOrigin: true }],
      ['another relying party', { rpId: 'evil.test' }],
      ['a registration', { type: 'webauthn.create' }],
      ['nobody present', { isPresent: false }],
    ])('is not granted for %s, and still is for the right one', async (title, twist) => {
      const uid = title.replaceAll(' ', '-');
      const { key } = await withKey(uid);
      const { session, asked } = await challenge(uid);
      expect(await answer(uid, session, key.sign(asked.challenge, twist))).toMatchObject(refused);
      expect(await answer(uid, session, key.sign(asked.challenge))).toMatchObject(granted);
    });

    it.each(['x', '{}', '[]', 'null', '"x"', '{"authenticatorData":1}', '{"response":null}'])(
      'is refused for what is no answer: %.20s',
      async (text) => {
        if (!(await manager.Check_LDAP_Object({ dn: stage.nameOf(people, 'cleo') }))) await withKey('cleo');
        const { session } = await challenge('cleo');
        expect(await answer('cleo', session, text)).toMatchObject(refused);
      },
    );

    it('takes the answer of a browser as it is', async () => {
      const { key } = await withKey('dora');
      const { session, asked } = await challenge('dora');
      const flat = JSON.parse(key.sign(asked.challenge));
      const response = Object.fromEntries(
        Object.entries(flat).map(([name, value]) => [
          name,
          Buffer.from(String(value), 'base64').toString('base64url'),
        ]),
      );
      const whole = { id: key.id.toString('base64url'), type: 'public-key', response };
      expect(await answer('dora', session, JSON.stringify({ ...whole, id: 'AAAA' }))).toMatchObject(refused);
      expect(await answer('dora', session, JSON.stringify(whole))).toMatchObject(granted);
    });

    it('is refused where the counter has not risen: there may be a copy', async () => {
      const { key } = await withKey('ella');
      const one = await challenge('ella');
      expect(await answer('ella', one.session, key.sign(one.asked.challenge, { counter: 7 }))).toMatchObject(
        granted,
      );
      for (const counter of [7, 3, 0]) {
        const two = await challenge('ella');
        expect(await answer('ella', two.session, key.sign(two.asked.challenge, { counter }))).toMatchObject(
          refused,
        );
        expect(node.events().at(-1)?.text).toContain('there may be a copy of it');
      }
      const three = await challenge('ella');
      expect(
        await answer('ella', three.session, key.sign(three.asked.challenge, { counter: 8 })),
      ).toMatchObject(granted);
    });

    it('of two answers with one counter at once, one is granted', async () => {
      const { key } = await withKey('elsa');
      for (let round = 1; round <= 10; round += 1) {
        const both = [await challenge('elsa'), await challenge('elsa')];
        const signed = both.map(({ asked }) => key.sign(asked.challenge, { counter: round }));
        const answers = await Promise.all(
          both.map(({ session }, at) => answer('elsa', session, signed[at] ?? '')),
        );
        expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
      }
    });

    it('needs no counter of a device that has none', async () => {
      const dn = await person('fay');
      const key = newKey({ hasCounter: false });
      await register(dn, key);
      for (const _ of [1, 2]) {
        const { session, asked } = await challenge('fay');
        expect(await answer('fay', session, key.sign(asked.challenge))).toMatchObject(granted);
      }
    });

    it('of two answers at once to one challenge, one is granted', async () => {
      const { key } = await withKey('gwen');
      const { session, asked } = await challenge('gwen');
      const signed = Array.from({ length: 20 }, () => key.sign(asked.challenge));
      const answers = await Promise.all(signed.map((one) => answer('gwen', session, one)));
      expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
    });

    it('does not go by the device of somebody else, nor by the challenge of another session', async () => {
      const [hanna, ines] = [await withKey('hanna'), await withKey('ines')];
      const [of, other] = [await challenge('hanna'), await challenge('hanna')];
      expect(await answer('hanna', of.session, ines.key.sign(of.asked.challenge))).toMatchObject(refused);
      expect(await answer('hanna', of.session, hanna.key.sign(other.asked.challenge))).toMatchObject(refused);
      expect(await answer('ines', of.session, ines.key.sign(of.asked.challenge))).toMatchObject(refused);
      expect(await answer('hanna', of.session, hanna.key.sign(of.asked.challenge))).toMatchObject(granted);
    });

    it('is refused for who has no device, and for one that is disabled or removed', async () => {
      const dn = await person('jana');
      expect(await logIn('jana')).toMatchObject(refused);
      const key = newKey();
      await register(dn, key);
      const { session, asked } = await challenge('jana');
      await manager.Otp.FIDO_Disable({ dn });
      expect(await answer('jana', session, key.sign(asked.challenge))).toMatchObject(refused);
      expect(await logIn('jana')).toMatchObject(refused);
      await manager.Otp.FIDO_Enable({ dn });
      const again = await challenge('jana');
      await manager.Otp.FIDO_Unregister({ dn });
      expect(await answer('jana', again.session, key.sign(again.asked.challenge))).toMatchObject(refused);
    });

    it('is no way in where only a code is wanted', async () => {
      const { dn, key } = await withKey('kim', 'LDAPMFA');
      const { session, asked } = await challenge('kim');
      await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAPOTP' } });
      expect(await answer('kim', session, key.sign(asked.challenge))).toMatchObject(refused);
    });
  });

  describe('LDAPMFA', () => {
    it('takes a code or a device, whichever comes', async () => {
      const { dn, key } = await withKey('lea', 'LDAPMFA');
      expect(await challenge('lea')).toMatchObject({ message: 'Use your security key' });
      const otp = String(await manager.Otp.Emerg_Register({ dn }));
      const both = await challenge('lea');
      expect(both).toMatchObject({
        message: 'Enter your EMERGENCY password or use your security key',
        otpChallenge: 'EMERG',
      });
      expect(await answer('lea', both.session, key.sign(both.asked.challenge))).toMatchObject(granted);
      const { session } = await challenge('lea');
      expect(await answer('lea', session, '', { otpPassword: otp })).toMatchObject(granted);
      expect(await logIn('lea', { otpPassword: otp })).toMatchObject(granted);
    });
  });

  describe('under a refusal', () => {
    it('a password and a code do not stand in for the device, and the answer to a challenge of before still counts', async () => {
      const { dn, key } = await withKey('mia');
      await manager.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': '3' } });
      const otp = String(await manager.Otp.Emerg_Register({ dn }));
      const { session, asked } = await challenge('mia');
      for (const _ of [1, 2, 3]) await logIn('mia', { ldapPassword: 'wrong' });
      expect(await logIn('mia')).toMatchObject({ code: 0 });
      expect(await logIn('mia', { otpPassword: otp })).toMatchObject({ code: 0 });
      expect(await answer('mia', session, key.sign(asked.challenge))).toMatchObject(granted);
    });
  });

  describe('a registration', () => {
    it('begins with what a browser takes', async () => {
      const { dn, key } = await withKey('nina');
      const random = randomBytes(16).toString('base64url');
      const options = JSON.parse(
        String(
          await manager.Otp.FIDO_Challenge({
            username: 'nina',
            domain: 'Default',
            random,
            appid: 'https://old.example.com',
          }),
        ),
      );
      expect(options).toMatchObject({
        challenge: random,
        rp: { id: 'example.com', name: 'Example' },
        user: { name: 'nina', displayName: 'Default\\nina' },
        excludeCredentials: [{ id: key.id.toString('base64url'), type: 'public-key' }],
        extensions: { appidExclude: 'https://old.example.com' },
      });
      expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
      expect(JSON.stringify(options)).not.toContain(dn);
    });

    it('is listed, by slots, and takes the place of the one before', async () => {
      const dn = await person('olga');
      const [one, two] = [newKey(), newKey()];
      await register(dn, one, { name: 'blue' });
      await register(dn, two, { id: 3 });
      const registered = expect.stringMatching(/^\d{4}-/);
      const row = { type: 'FIDO2', enabled: true, registered, transports: ['usb'] };
      expect(await manager.Otp.User_Devices({ dn })).toEqual([
        { id: 1, name: 'blue', ...row },
        { id: 3, ...row },
      ]);
      expect(await refusalOf(register(dn, one, { id: 2 }))).toMatchObject({ reason: 'already_exists' });
      await register(dn, newKey(), { name: 'green' });
      expect(await manager.Otp.User_Devices({ dn })).toMatchObject([{ id: 1, name: 'green' }, { id: 3 }]);
      expect(await manager.Otp.Factor_Rename({ dn, factor: 'FIDO2', id: 3, name: 'spare' })).toBe(1);
      expect((await manager.Otp.User_Devices({ dn }))[1]).toEqual({ id: 3, name: 'spare', ...row });
      expect(await manager.Otp.FIDO_Enable({ dn })).toBe(false);
      expect(await manager.Otp.FIDO_Unregister({ dn, id: 2 })).toBe(false);
      expect(await refusalOf(manager.Otp.FIDO_Disable({ dn, id: 2 }))).toMatchObject({ reason: 'not_found' });
      expect(await manager.Otp.User_Methods({ dn })).toEqual(['FIDO2']);
    });

    it.each<[string, Twist]>([
      ['a page elsewhere', { origin: 'https://evil.test' }],
      ['another relying party', { rpId: 'evil.test' }],
      ['a login', { type: 'webauthn.get' }],
    ])('is refused for %s', async (_, twist) => {
      const dn = stage.nameOf(people, 'nina');
      const refusal = await refusalOf(register(dn, newKey(), { id: 5 }, twist));
      expect(refusal).toMatchObject({
        reason: 'invalid_params',
        detail: expect.stringContaining('Parameter response'),
      });
    });

    it.each([
      ['another challenge', { random: randomBytes(32).toString('base64url') }, 'response'],
      ['a short challenge', { random: 'AAAA' }, 'random'],
      ['a long one', { random: randomBytes(65).toString('base64url') }, 'random'],
      ['no answer', { response: 'e30' }, 'response'],
      ['no JSON', { response: 'x' }, 'response'],
      ['a name of two lines', { name: 'a\nb' }, 'name'],
    ])('is refused for %s', async (_, more, parameter) => {
      const dn = stage.nameOf(people, 'nina');
      const detail = expect.stringContaining(`Parameter ${parameter}`);
      expect(await refusalOf(register(dn, newKey(), { id: 5, ...more }))).toMatchObject({
        reason: 'invalid_params',
        detail,
      });
    });

    it('of nobody is refused', async () => {
      const random = randomBytes(16).toString('base64url');
      const asked = manager.Otp.FIDO_Challenge({ username: 'nobody', domain: 'Default', random });
      expect(await refusalOf(asked)).toMatchObject({ reason: 'not_found' });
      expect(await refusalOf(register(stage.nameOf(people, 'nobody'), newKey()))).toMatchObject({
        reason: 'not_found',
      });
    });

    it('stands sealed on the entry, and bound to it', async () => {
      const { dn } = await withKey('pia');
      const { webadmdata = [] } = Object(await manager.Get_User_Attrs({ dn, attrs: ['webadmdata'] }));
      expect(String(webadmdata)).toMatch(/FIDODevice=\{wcrypt\}/);
      const other = await person('quinn');
      await manager.Set_User_Attrs({ dn: other, attrs: { webadmdata } });
      expect(await logIn('quinn')).toMatchObject({ code: 0 });
    });
  });

  it('without a relying party there are no devices, and nobody is shut out by the mode', async () => {
    const { manager: bare } = stage;
    const dn = stage.nameOf(people, 'nina');
    const random = randomBytes(16).toString('base64url');
    const detail = expect.stringContaining('relying_party');
    expect(
      await refusalOf(bare.Otp.FIDO_Challenge({ username: 'nina', domain: 'Default', random })),
    ).toMatchObject({ reason: 'unavailable', detail });
    expect(
      await refusalOf(bare.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAPU2F' } })),
    ).toMatchObject({ reason: 'invalid_params', detail });
    const login = await stage.fixture.service.web.otp.normalLogin({
      username: 'nina',
      ldapPassword: password,
    });
    expect(login).toMatchObject(refused);
  });
});
