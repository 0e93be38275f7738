/** Records that a login leaves: the PIN before codes, the last code, its time, and how long a mobile session waits. */
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hotp } from '../../foundation/oath/hotp.ts';
import { timeStep } from '../../foundation/oath/window.ts';
import type { Service } from '../../service.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';

describe.each(engines)('on %s', (engine) => {
  let stage: Stage;
  let otp: Stage['manager']['Otp'];
  let container: string;
  let second: Awaited<ReturnType<Stage['fixture']['another']>>;
  beforeAll(async () => {
    stage = await openStage(engine);
    otp = stage.manager.Otp;
    container = await stage.container();
    second = await stage.fixture.another({
      config: { manager_auth: 'DN' },
      ports: () => ({ directory: stage.ports.directory }),
    });
  });
  afterAll(() => stage.close());

  let people = 0;
  let [dn, username, key] = ['', '', ''];
  beforeEach(async () => {
    stage.fixture.clock.advance(600_000);
    people += 1;
    username = `lasting${people}`;
    dn = await stage.person(container, username, { userpassword: 'right' });
    key = await stage.manager.Get_Random_Bytes({ length: 20 });
  });

  const set = (settings: Record<string, string | null>) =>
    stage.manager.Set_User_Settings({
      dn,
      settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [`Otp.${name}`, value])),
    });
  const source = () => ({ secret: createSecretKey(Buffer.from(key, 'base64')), digits: 6 });
  const shown = (off = 0) => hotp(source(), timeStep(stage.fixture.clock.now(), 30) + off);
  const ask = (fields: Record<string, string>, service: Service = stage.fixture.service) =>
    service.web.otp.normalLogin({ username, ldapPassword: 'right', ...fields });
  const simple = (anyPassword: string) =>
    stage.fixture.service.web.otp.simpleLogin({ username, anyPassword });
  const granted = { code: 1 };
  const refused = { code: 0, error: 'AuthFailed' };

  describe('a prefix', () => {
    beforeEach(() => otp.TOTP_Register({ dn, key }));
    const have = async (prefix = 'Pin47') => {
      await set({ OTPPrefix: 'Yes' });
      expect(await otp.Prefix_Register({ dn, prefix })).toBe(prefix);
    };

    it('has to stand before the code, exactly; what is wrong uses up no code', async () => {
      await have();
      for (const wrong of [
        shown(),
        `pin47${shown()}`,
        `Pin4${shown()}`,
        `Pin477${shown()}`,
        `${shown()}Pin47`,
        'Pin47',
      ])
        expect(await ask({ otpPassword: wrong })).toMatchObject(refused);
      stage.fixture.clock.advance(600_000);
      expect(await ask({ otpPassword: `Pin47${shown()}` })).toMatchObject(granted);
      expect(await ask({ otpPassword: `Pin47${shown()}` })).toMatchObject(refused);
      expect(await ask({ otpPassword: ` Pin47 ${shown(1).slice(0, 3)} ${shown(1).slice(3)}` })).toMatchObject(
        granted,
      );
    });

    it('belongs to the code in one text with the password, and answers a challenge', async () => {
      await have();
      expect(await simple(`right${shown()}`)).toMatchObject(refused);
      expect(await simple(`rightPin47${shown()}`)).toMatchObject({ ...granted, concat: 11 });
      const challenge = await ask({});
      if (challenge.code !== 2) throw new Error('no challenge');
      const answer = (otpPassword: string) =>
        stage.fixture.service.web.otp.challenge({ username, session: challenge.session, otpPassword });
      expect(await answer(shown(1))).toMatchObject(refused);
      expect(await answer(`Pin47${shown(1)}`)).toMatchObject(granted);
    });

    it('stands before codes of a list, and not before an emergency password', async () => {
      await have();
      await otp.List_Register({ dn });
      const [code = ''] = await otp.List_Fetch({ dn });
      await set({ OTPType: 'LIST' });
      expect(await ask({ otpPassword: code })).toMatchObject(refused);
      expect(await ask({ otpPassword: `Pin47${code}` })).toMatchObject(granted);
      const help = await otp.Emerg_Register({ dn, otp: 'help me' });
      expect(await ask({ otpPassword: `Pin47${help}` })).toMatchObject(refused);
      expect(await ask({ otpPassword: help })).toMatchObject(granted);
    });

    it('is asked for only where the setting says so and one is registered', async () => {
      await set({ OTPPrefix: 'Yes' });
      expect(await ask({ otpPassword: shown(-1) })).toMatchObject(granted);
      await otp.Prefix_Register({ dn, prefix: 'Pin47' });
      expect(await ask({ otpPassword: shown() })).toMatchObject(refused);
      await set({ OTPPrefix: 'No' });
      expect(await ask({ otpPassword: shown() })).toMatchObject(granted);
      await set({ OTPPrefix: 'Yes' });
      expect([await otp.Prefix_Unregister({ dn }), await otp.Prefix_Unregister({ dn })]).toEqual([1, false]);
      expect(await ask({ otpPassword: shown(1) })).toMatchObject(granted);
    });

    it('is registered while the setting is off, and in force once it is on', async () => {
      await otp.Prefix_Register({ dn, prefix: 'Pin47' });
      expect(await ask({ otpPassword: shown(-1) })).toMatchObject(granted);
      await set({ OTPPrefix: 'Yes' });
      expect(await ask({ otpPassword: shown() })).toMatchObject(refused);
      expect(await ask({ otpPassword: `Pin47${shown()}` })).toMatchObject(granted);
    });

    it('is made where none is given, and kept encrypted', async () => {
      await set({ OTPPrefix: 'Yes' });
      for (const prefix of ['abc', 'a'.repeat(65), 'a b c', 'pin-4711', 'pinö4711'])
        expect((await refusalOf(otp.Prefix_Register({ dn, prefix }))).detail).toBe(
          'Parameter prefix is not 4 to 64 letters and digits',
        );
      const made = await otp.Prefix_Register({ dn });
      expect(made).toMatch(/^[0-9]{6}$/);
      expect(await ask({ otpPassword: `${made}${shown()}` })).toMatchObject(granted);
      const { webadmdata = [] } = await stage.manager.Get_User_Attrs({ dn, attrs: ['webadmData'] });
      expect(webadmdata.join()).toMatch(/Otp\.Prefix=\{wcrypt\}/);
      await otp.Prefix_Register({ dn, prefix: 'Secret4711' });
      const result = JSON.stringify([stage.fixture.events(), stage.fixture.log.lines]);
      expect([result.includes('Secret4711'), result.includes(made)]).toEqual([false, false]);
    });
  });

  describe('the last code', () => {
    beforeEach(() => otp.TOTP_Register({ dn, key }));
    const here = { source: '198.51.100.7' };

    it('is good once, unless the setting says otherwise', async () => {
      expect(await ask({ otpPassword: shown(), ...here })).toMatchObject(granted);
      expect(await ask({ otpPassword: shown(), ...here })).toMatchObject(refused);
    });

    it('is good again from the same place for so long after the login, with the right password', async () => {
      await set({ LastOTPTime: '60' });
      const code = shown();
      const again = (fields: Record<string, string> = here) => ask({ otpPassword: code, ...fields });
      expect(await again()).toMatchObject(granted);
      stage.fixture.clock.advance(59_000);
      expect(await again()).toMatchObject(granted);
      expect(await again({ source: '198.51.100.8' })).toMatchObject(refused);
      expect(await again({})).toMatchObject(refused);
      expect(await again({ ...here, ldapPassword: 'wrong' })).toMatchObject(refused);
      stage.fixture.clock.advance(1000);
      expect(await again()).toMatchObject(refused);
    });

    it('ends with the next one, with the token, and with the setting', async () => {
      await set({ LastOTPTime: '3600' });
      const [first, next] = [shown(), shown(1)];
      const use = (otpPassword: string) => ask({ otpPassword, ...here });
      expect([await use(first), await use(next), await use(first)]).toMatchObject([
        granted,
        granted,
        refused,
      ]);
      await set({ LastOTPTime: '0' });
      expect(await use(next)).toMatchObject(refused);
      await set({ LastOTPTime: '3600' });
      expect(await use(next)).toMatchObject(granted);
      await otp.Token_Disable({ dn });
      expect(await use(next)).toMatchObject(refused);
      await otp.TOTP_Register({ dn, key: await stage.manager.Get_Random_Bytes({ length: 20 }) });
      expect(await use(next)).toMatchObject(refused);
    });

    it.each<[string, () => Promise<Record<string, string>>]>([
      ['one from nowhere in particular', async () => ({ otpPassword: shown(1) })],
      [
        'one of a login with which none is good again',
        async () => {
          await set({ LastOTPTime: '0' });
          return { otpPassword: shown(1), ...here };
        },
      ],
      ['one of a list', async () => ({ otpPassword: await listCode(), ...here })],
      ['an emergency password', async () => ({ otpPassword: await otp.Emerg_Register({ dn }), ...here })],
    ])('ends with any other code: %s', async (_, another) => {
      await set({ LastOTPTime: '300' });
      const last = { otpPassword: shown(), ...here };
      expect([await ask(last), await ask(last)]).toMatchObject([granted, granted]);
      expect(await ask(await another())).toMatchObject(granted);
      await set({ OTPType: 'TOKEN', LastOTPTime: '300' });
      expect(await ask(last)).toMatchObject(refused);
    });

    async function listCode(): Promise<string> {
      await otp.List_Register({ dn });
      await set({ OTPType: 'LIST' });
      const [code = ''] = await otp.List_Fetch({ dn });
      return code;
    }

    it('of many places that use a code at once on two nodes, one has it', async () => {
      await set({ LastOTPTime: '60' });
      const places = [1, 2, 3, 4].map((host) => `198.51.100.${host}`);
      const otpPassword = shown();
      const logins = [...places, ...places].map((source, index) =>
        ask({ otpPassword, source }, (index % 2 ? second : stage.fixture).service),
      );
      const answers = await Promise.all(logins);
      const winners = new Set(answers.flatMap(({ code }, index) => (code === 1 ? [places[index % 4]] : [])));
      expect(winners.size).toBe(1);
    });

    it('of a HOTP token is good again likewise, with a PIN before it too; the counter stays', async () => {
      await otp.HOTP_Register({ dn, key });
      await set({ LastOTPTime: '60', OTPPrefix: 'Yes' });
      await otp.Prefix_Register({ dn, prefix: 'Pin47' });
      const code = hotp(source(), 0);
      expect(await ask({ otpPassword: `Pin47${code}`, ...here })).toMatchObject(granted);
      expect(await ask({ otpPassword: code, ...here })).toMatchObject(refused);
      expect(await ask({ otpPassword: `Pin47${code}`, ...here })).toMatchObject(granted);
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ state: '1' }]);
    });
  });

  it('the last login is among the data, on every node, and no login writes it to the entry', async () => {
    await otp.TOTP_Register({ dn, key });
    const read = async () => {
      const { 'Otp.LastLogin': value = '' } = await stage.manager.Get_User_Data({
        dn,
        data: ['Otp.LastLogin'],
      });
      return Buffer.from(value, 'base64').toString();
    };
    const now = () => new Date(stage.fixture.clock.now()).toISOString().slice(0, 19).replace('T', ' ');
    expect(await stage.manager.Get_User_Data({ dn, data: ['Otp.LastLogin'] })).toEqual({});
    expect(await ask({ otpPassword: '000000' })).toMatchObject(refused);
    expect(await read()).toBe('');
    await ask({ otpPassword: shown() });
    expect(await read()).toBe(now());
    stage.fixture.clock.advance(600_000);
    expect(await ask({ otpPassword: shown() }, second.service)).toMatchObject(granted);
    expect(await read()).toBe(now());
    const { webadmdata = [] } = await stage.manager.Get_User_Attrs({ dn, attrs: ['webadmData'] });
    expect(webadmdata.join()).not.toContain('LastLogin');
    const stored = Buffer.from('2099-01-01 00:00:00').toString('base64');
    await stage.manager.Set_User_Data({ dn, data: { 'Otp.LastLogin': stored } });
    expect(await read()).toBe('2099-01-01 00:00:00');
  });

  it('a mobile session waits as long as the settings say, where the call says nothing', async () => {
    await set({ MobileTimeout: '120' });
    const [own, preset] = [await otp.Mobile_Session({ dn }), await otp.Mobile_Session()];
    const states = () => Promise.all([own, preset].map((session) => otp.Mobile_Response({ session })));
    stage.fixture.clock.advance(119_000);
    expect(await states()).toEqual([2, 2]);
    stage.fixture.clock.advance(1000);
    expect(await states()).toEqual([0, 2]);
    stage.fixture.clock.advance(180_000);
    expect(await states()).toEqual([0, 0]);
  });
});
