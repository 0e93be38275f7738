/** Tokens through the Manager, on both engines: what is stored, and which codes log in then. */
import { execFileSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toBase32 } from '../../foundation/oath/base32.ts';
import { hotp } from '../../foundation/oath/hotp.ts';
import { timeStep } from '../../foundation/oath/window.ts';
import { forgiving } from '../../testing/bed/forgiving.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** Secret and key of each test: a code that was used for one user is used for all that have the secret. */
let [secret, key] = ['', ''];
const code = (counter: number, digits = 6) =>
  hotp({ secret: createSecretKey(Buffer.from(secret)), digits }, counter);

describe.each(engines)('tokens: %s', (engine) => {
  let stage: Stage;
  let manager: Stage['manager'];
  let otp: Stage['manager']['Otp'];
  let container: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    manager = stage.manager;
    otp = manager.Otp;
    container = await stage.container();
  });
  afterAll(() => stage.close());

  /** Every test has a user of its own, and no failures of the others count any more. */
  let people = 0;
  let dn: string;
  let username: string;
  beforeEach(async () => {
    stage.fixture.clock.advance(600_000);
    people += 1;
    username = `${engine}${people}`.toLowerCase();
    secret = `1234567890${String(people).padStart(10, '0')}`;
    key = base64(secret);
    dn = await stage.person(container, username);
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'OTP' } });
  });

  const logIn = async (otpPassword: string): Promise<boolean> => {
    const { code } = await stage.fixture.service.web.otp.normalLogin({ username, otpPassword });
    return code === 1;
  };
  const step = (period = 30) => timeStep(stage.fixture.clock.now(), period);
  const stored = async () => {
    const data = Object.entries(await manager.Get_User_Data({ dn }));
    return Object.fromEntries(data.map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]));
  };

  describe('registered', () => {
    it('stores tokens under the keys of the interface, with the secret encrypted', async () => {
      expect(await otp.HOTP_Register({ dn, key, counter: 5 })).toBe(1);
      expect(await otp.TOTP_Register({ dn, key, id: 2 })).toBe(1);
      expect(await stored()).toEqual({
        ...{ 'Otp.TokenType': 'HOTP', 'Otp.TokenKey': secret, 'Otp.TokenState': '5' },
        ...{ 'Otp.Token2Type': 'TOTP', 'Otp.Token2Key': secret, 'Otp.Token2State': '0:0' },
        ...{ 'Otp.TokenShape': '6/30', 'Otp.Token2Shape': '6/30' },
      });
      const { webadmdata = [] } = await manager.Get_User_Attrs({ dn, attrs: ['webadmData'] });
      expect(webadmdata.join()).toMatch(/Otp\.TokenKey=\{wcrypt\}/);
      expect(webadmdata.join()).not.toContain(key.slice(0, 8));
    });

    it('starts tokens at `counter` or `state`', async () => {
      await forgiving(otp).HOTP_Register({ dn, key, counter: '7' });
      const begun = { id: 1, type: 'HOTP', enabled: true, state: '7', algorithm: 'SHA1' };
      expect(await otp.User_Tokens({ dn })).toEqual([begun]);
      await otp.HOTP_Register({ dn, key, state: '9' });
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ state: '9' }]);
      await otp.TOTP_Register({ dn, key, state: '41152263:-2' });
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ type: 'TOTP', state: '41152263:-2' }]);
    });

    it('accepts each code once, and stores the counter on the entry', async () => {
      // RFC 4226, appendix D.
      await otp.HOTP_Register({ dn, key: base64('12345678901234567890'), counter: 0 });
      expect([await logIn('755224'), await logIn('755224'), await logIn('969429')]).toEqual([
        true,
        false,
        true,
      ]);
      expect(await logIn('287082')).toBe(false);
      expect(await stored()).toMatchObject({ 'Otp.TokenState': '4' });
    });

    it.each([
      [10, 6],
      [19, 6],
      [32, 8],
      [64, 10],
      [65, 8],
      [128, 6],
    ])('accepts keys of %i bytes and codes of %i digits', async (length, digits) => {
      const long = Buffer.alloc(length, 'x');
      await manager.Set_User_Settings({ dn, settings: { 'Otp.OTPLength': String(digits) } });
      await otp.TOTP_Register({ dn, key: long.toString('base64') });
      expect(await logIn(hotp({ secret: createSecretKey(long), digits }, step()))).toBe(true);
    });

    it('refuses a key of another length, an unknown slot and a bad state, but first an unknown user', async () => {
      const short = base64('123456789');
      const refusals = await Promise.all([
        refusalOf(otp.HOTP_Register({ dn, key: short })),
        refusalOf(otp.TOTP_Register({ dn, key: base64('x'.repeat(129)) })),
        refusalOf(otp.TOTP_Register({ dn, key, id: 11 })),
        refusalOf(otp.TOTP_Register({ dn, key, state: 'x' })),
        refusalOf(otp.HOTP_Register({ dn, key, state: '1:1' })),
      ]);
      expect(refusals.map(({ reason }) => reason)).toEqual(Array(5).fill('invalid_params'));
      expect(refusals[0]?.detail).toBe('Parameter key is not 10 to 128 bytes');
      const nobody = `uid=nobody,${container}`;
      expect(await refusalOf(otp.TOTP_Register({ dn: nobody, key: short, state: 'x' }))).toEqual({
        reason: 'not_found',
        detail: `LDAP object '${nobody}' does not exist`,
      });
    });

    it.each(['HOTP', 'TOTP'] as const)(
      'keep the shape of %s codes when the settings change',
      async (type) => {
        const current = (digits: number, period: number) => code(type === 'TOTP' ? step(period) : 0, digits);
        await manager.Set_User_Settings({ dn, settings: { 'Otp.OTPLength': '8', 'Otp.TOTPTimeStep': '60' } });
        await otp[`${type}_Register`]({ dn, key });
        await manager.Set_User_Settings({
          dn,
          settings: { 'Otp.OTPLength': null, 'Otp.TOTPTimeStep': null },
        });
        expect([await logIn(current(6, 30)), await logIn(current(8, 60))]).toEqual([false, true]);
      },
    );

    describe.each([
      ['SHA1', 32],
      ['SHA1', 64],
      ['SHA512', 20],
    ] as const)('with %s said and keys of %i bytes', (algorithm, length) => {
      let [long, args]: [Buffer, string[]] = [Buffer.alloc(0), []];
      beforeEach(() => {
        long = Buffer.alloc(length, secret);
        args = [`--totp=${algorithm.toLowerCase()}`, '-'];
      });
      const theirs = (...how: string[]) =>
        execFileSync('oathtool', [...how, ...args], { input: long.toString('hex'), encoding: 'utf8' }).trim();
      const current = (off = 0) =>
        theirs(`--now=@${Math.floor(stage.fixture.clock.now() / 1000) + 30 * off}`);

      it('accepts codes of that algorithm, and stores and reports it', async () => {
        const token = { dn, key: long.toString('base64'), algorithm };
        expect(await otp.TOTP_Register(token)).toBe(1);
        expect(await stored()).toMatchObject({ 'Otp.TokenShape': `6/30/${algorithm}` });
        expect(await otp.User_Tokens({ dn })).toMatchObject([{ type: 'TOTP', algorithm }]);
        expect([await logIn(current()), await logIn(current())]).toEqual([true, false]);
      });

      it('resynchronises by a code when the clock is far off', async () => {
        await otp.TOTP_Register({ dn, key: long.toString('base64'), algorithm });
        expect(await otp.TOTP_Resync({ dn, otp: current(-120) })).toBe(1);
        expect(await logIn(current(-119))).toBe(true);
      });

      it('accepts codes of HOTP tokens, also far ahead', async () => {
        args = ['-'];
        const at = (counter: number) =>
          hotp({ secret: createSecretKey(long), digits: 6, algorithm }, counter);
        if (algorithm === 'SHA1') expect(at(3)).toBe(theirs('--hotp', '--counter=3'));
        await otp.HOTP_Register({ dn, key: long.toString('base64'), counter: 0, algorithm });
        expect(await logIn(at(3))).toBe(true);
        expect(await otp.HOTP_Resync_Sequence({ dn, otp1: at(900), otp2: at(901) })).toBe(1);
        expect(await logIn(at(902))).toBe(true);
      });
    });

    it('stores no algorithm when it is the default of the key length, as other systems do', async () => {
      const long = Buffer.alloc(32, secret);
      await otp.TOTP_Register({ dn, key: long.toString('base64'), algorithm: 'SHA256' });
      expect(await stored()).toMatchObject({ 'Otp.TokenShape': '6/30' });
      await manager.Set_User_Data({ dn, data: { 'Otp.TokenShape': null } });
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ algorithm: 'SHA256' }]);
      expect(await logIn(hotp({ secret: createSecretKey(long), digits: 6 }, step()))).toBe(true);
    });

    it.each(['hex', 'base32'] as const)('refuses a key in %s', async (form) => {
      const bytes = Buffer.from(secret);
      const wrong = form === 'hex' ? bytes.toString('hex') : toBase32(bytes);
      for (const call of [
        () => otp.TOTP_Register({ dn, key: wrong }),
        () => otp.HOTP_Register({ dn, key: wrong }),
        () => otp.OCRA_Register({ dn, key: wrong }),
        () => otp.Yubikey_Register({ dn, key: wrong, secret: 'h5Lr/ibM', public: 'LTROgw==' }),
        () => otp.TOTP_URI({ name: 'T', key: wrong, userid: username, domain: 'Default' }),
        () => otp.HOTP_URI({ name: 'T', key: wrong, userid: username, domain: 'Default' }),
        () => otp.TOTP_Verify({ otp: '123456', key: wrong, length: 6 }),
        () => otp.HOTP_Verify({ otp: '123456', key: wrong, length: 6 }),
      ])
        expect(await refusalOf(call())).toMatchObject({
          reason: 'invalid_params',
          detail: expect.stringMatching(/^Parameter key is (hexadecimal|Base32), not base64: /),
        });
    });

    it('refuses an unknown algorithm', async () => {
      const none = forgiving(otp).TOTP_Register({ dn, key, algorithm: 'MD5' });
      expect(await refusalOf(none)).toEqual({
        reason: 'invalid_params',
        detail: 'Parameter algorithm is none of SHA1, SHA256, SHA512',
      });
    });

    it('uses the settings for tokens of earlier versions, which stored no shape', async () => {
      await otp.HOTP_Register({ dn, key });
      await manager.Set_User_Data({ dn, data: { 'Otp.TokenShape': null } });
      await manager.Set_User_Settings({ dn, settings: { 'Otp.OTPLength': '8' } });
      expect([await logIn(code(0, 6)), await logIn(code(0, 8))]).toEqual([false, true]);
    });

    it('replaces everything in the slot', async () => {
      await otp.TOTP_Register({ dn, key });
      await otp.Token_Disable({ dn });
      await otp.Expire_Start({ dn, expires: 5 });
      await otp.TOTP_Register({ dn, key: base64('98765432109876543210') });
      const fresh = { id: 1, type: 'TOTP', enabled: true, state: '0:0', algorithm: 'SHA1' };
      expect(await otp.User_Tokens({ dn })).toEqual([fresh]);
    });
  });

  describe('resynchronised', () => {
    it('moves the counter forward, never back', async () => {
      await otp.HOTP_Register({ dn, key, counter: 10 });
      expect(await otp.HOTP_Resync_Counter({ dn, counter: 100 })).toBe(1);
      expect(await otp.HOTP_Resync_Counter({ dn, counter: 100 })).toBe(false);
      expect(await otp.HOTP_Resync_Counter({ dn, counter: 3 })).toBe(false);
      expect([await logIn(code(3)), await logIn(code(100))]).toEqual([false, true]);
    });

    it('resynchronises by two codes in a row, and claims both', async () => {
      await otp.HOTP_Register({ dn, key, counter: 0 });
      expect(await logIn(code(900))).toBe(false);
      expect(await otp.HOTP_Resync_Sequence({ dn, otp1: code(900), otp2: code(902) })).toBe(false);
      expect(await otp.HOTP_Resync_Sequence({ dn, otp1: code(900), otp2: code(901) })).toBe(1);
      expect(await otp.HOTP_Resync_Sequence({ dn, otp1: code(900), otp2: code(901) })).toBe(false);
      expect(await stored()).toMatchObject({ 'Otp.TokenState': '902' });
      expect([await logIn(code(901)), await logIn(code(902))]).toEqual([false, true]);
    });

    it('takes the highest counter of concurrent resynchronisations', async () => {
      await otp.HOTP_Register({ dn, key, counter: 0 });
      const results = await Promise.all([
        ...[40, 10, 30, 20].map((counter) => otp.HOTP_Resync_Counter({ dn, counter })),
        ...[300, 200].map((at) => otp.HOTP_Resync_Sequence({ dn, otp1: code(at), otp2: code(at + 1) })),
      ]);
      expect(results).toContain(1);
      expect(await stored()).toMatchObject({ 'Otp.TokenState': '302' });
    });

    it('stores the drift of the clock, and claims the code', async () => {
      await otp.TOTP_Register({ dn, key });
      const hours = 120;
      expect(await logIn(code(step() - hours))).toBe(false);
      expect(await otp.TOTP_Resync({ dn, otp: code(step() - hours) })).toBe(1);
      expect(await stored()).toMatchObject({ 'Otp.TokenState': `${step() - hours}:-${hours}` });
      expect(await logIn(code(step() - hours))).toBe(false);
      expect(await logIn(code(step() - hours + 1))).toBe(true);
      expect(await logIn(code(step()))).toBe(true);
    });

    it('refuses time steps before an accepted one', async () => {
      await otp.TOTP_Register({ dn, key });
      expect(await logIn(code(step()))).toBe(true);
      expect(await otp.TOTP_Resync({ dn, otp: code(step() - 100) })).toBe(false);
      expect(await otp.TOTP_Resync({ dn, otp: code(step() + 100) })).toBe(1);
      expect(await otp.TOTP_Resync({ dn, otp: '000000' })).toBe(false);
    });

    it('refuses a code in a resynchronisation and a login at the same time', async () => {
      await otp.TOTP_Register({ dn, key });
      for (let round = 0; round < 10; round += 1) {
        stage.fixture.clock.advance(60_000);
        const [isIn, isFound] = await Promise.all([
          logIn(code(step())),
          otp.TOTP_Resync({ dn, otp: code(step()) }),
        ]);
        expect([isIn, isFound]).toEqual(isIn ? [true, false] : [false, 1]);
      }
    });

    it('takes the latest time step of concurrent resynchronisations', async () => {
      await otp.TOTP_Register({ dn, key });
      for (let round = 0; round < 10; round += 1) {
        stage.fixture.clock.advance(3_600_000);
        const codes = [10, 40, 20, 30].map((off) => code(step() + off));
        await Promise.all(codes.map((one) => otp.TOTP_Resync({ dn, otp: one })));
        expect(await stored()).toMatchObject({ 'Otp.TokenState': `${step() + 40}:40` });
      }
    });

    it('refuses a token of another kind or an empty slot', async () => {
      await otp.TOTP_Register({ dn, key });
      expect(await refusalOf(otp.HOTP_Resync_Counter({ dn, counter: 1 }))).toEqual({
        reason: 'not_found',
        detail: `No HOTP token 1 of LDAP object '${dn}'`,
      });
      expect(await refusalOf(otp.TOTP_Resync({ dn, otp: '123456', id: 2 }))).toMatchObject({
        reason: 'not_found',
      });
    });
  });

  describe('kept', () => {
    it('disables and enables tokens', async () => {
      await otp.HOTP_Register({ dn, key });
      expect(await otp.Token_Disable({ dn })).toBe(1);
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ enabled: false }]);
      expect([await otp.User_Methods({ dn }), await logIn(code(0))]).toEqual([[], false]);
      expect(await otp.Token_Enable({ dn })).toBe(1);
      expect([await otp.User_Methods({ dn }), await logIn(code(0))]).toEqual([['TOKEN'], true]);
      expect(await refusalOf(otp.Token_Enable({ dn, id: 3 }))).toMatchObject({ reason: 'not_found' });
    });

    it('accepts codes again when a token that wrong codes disabled is enabled', async () => {
      await manager.Set_User_Password({ dn, password: 'a-Pa55word' });
      await manager.Set_User_Settings({
        dn,
        settings: { 'Otp.LoginMode': 'LDAPOTP', 'Otp.MaxTries': '1000' },
      });
      await otp.HOTP_Register({ dn, key });
      const { web } = stage.fixture.service;
      const attempt = (otpPassword: string) =>
        web.otp.normalLogin({ username, ldapPassword: 'a-Pa55word', otpPassword });
      for (let wrong = 0; wrong < 100; wrong += 1) {
        stage.fixture.clock.advance(60_000);
        expect((await attempt('000000')).code).toBe(0);
      }
      expect([(await attempt(code(0))).code, await otp.User_Tokens({ dn })]).toMatchObject([
        0,
        [{ enabled: false }],
      ]);
      expect(await otp.Token_Enable({ dn })).toBe(1);
      stage.fixture.clock.advance(600_000);
      expect((await attempt(code(0))).code).toBe(1);
    });

    it('sets and removes the expiry of a token', async () => {
      await otp.HOTP_Register({ dn, key });
      expect(await otp.Expire_Check({ dn })).toBe(false);
      expect(await otp.Expire_Start({ dn, expires: 1 })).toBe(1);
      const at = new Date(stage.fixture.clock.now() + 86_400_000)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' ');
      expect(await otp.Expire_Check({ dn })).toBe(at);
      stage.fixture.clock.advance(86_400_000);
      expect(await logIn(code(0))).toBe(false);
      expect(await otp.Expire_Reset({ dn })).toBe(1);
      expect([await otp.Expire_Check({ dn }), await logIn(code(0))]).toEqual([false, true]);
      expect(await refusalOf(otp.Expire_Start({ dn, expires: 366 }))).toMatchObject({
        reason: 'invalid_params',
      });
    });

    it('sets an expiry at registration when the settings say so', async () => {
      await manager.Set_User_Settings({ dn, settings: { 'Otp.TokenExpire': '30' } });
      await otp.HOTP_Register({ dn, key });
      const end = stage.fixture.clock.now() + 30 * 86_400_000;
      expect(await otp.Expire_Check({ dn })).toBe(new Date(end).toISOString().slice(0, 19).replace('T', ' '));
    });

    it('removes a token with everything that belongs to it', async () => {
      await otp.HOTP_Register({ dn, key });
      await otp.HOTP_Register({ dn, key, id: 10 });
      await otp.Expire_Start({ dn });
      expect(await otp.Token_Unregister({ dn })).toBe(1);
      expect(await otp.Token_Unregister({ dn })).toBe(false);
      expect(Object.keys(await stored())).toEqual(
        ['Type', 'Key', 'State', 'Shape'].map((part) => `Otp.Token10${part}`),
      );
    });
  });

  describe('spare codes', () => {
    it('returns, stores and accepts an emergency password', async () => {
      await otp.HOTP_Register({ dn, key });
      const given = await otp.Emerg_Register({ dn, maxuse: 2 });
      expect(given).toMatch(/^[0-9]{6}$/);
      const bytes = Buffer.from((await manager.Get_User_Data({ dn }))['Otp.EmergOTP'] ?? '', 'base64');
      expect(bytes).toHaveLength(26);
      const start = Math.floor(stage.fixture.clock.now() / 1000);
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([start, start + 3600]);
      expect(bytes.readUInt16BE(24)).toBe(2);
      expect(await otp.User_Methods({ dn })).toEqual(['TOKEN', 'EMERGENCY']);
      expect([await logIn(given), await logIn(given), await logIn(given)]).toEqual([true, true, false]);
      expect(await otp.Emerg_Unregister({ dn })).toBe(false);
    });

    it('accepts a chosen emergency password until it expires or is removed', async () => {
      expect(await forgiving(otp).Emerg_Register({ dn, otp: 4815162342, expires: 300 })).toBe('4815162342');
      expect(await logIn('4815162342')).toBe(true);
      stage.fixture.clock.advance(300_000);
      expect(await logIn('4815162342')).toBe(false);
      expect(await otp.Emerg_Unregister({ dn })).toBe(1);
      const refusals = [{ expires: 299 }, { expires: 86_401 }, { otp: '123' }, { maxuse: 65_536 }];
      for (const wrong of refusals)
        expect(await refusalOf(otp.Emerg_Register({ dn, ...wrong }))).toMatchObject({
          reason: 'invalid_params',
        });
    });

    it('accepts each code of a printed list once, in any order', async () => {
      await manager.Set_User_Settings({ dn, settings: { 'Otp.OTPType': 'LIST' } });
      expect(await refusalOf(otp.List_Fetch({ dn }))).toMatchObject({ reason: 'not_found' });
      expect(await otp.List_Register({ dn, size: 3, algo: 'sha256' as 'SHA256' })).toBe(1);
      const [first = '', second = '', third = ''] = await otp.List_Fetch({ dn });
      expect([await logIn(third), await logIn(third), await logIn(first)]).toEqual([true, false, true]);
      expect(await otp.List_Fetch({ dn })).toEqual([second]);
      expect(await otp.List_State({ dn })).toEqual({ size: 3, used: 2 });
      expect([await otp.List_Unregister({ dn }), await otp.List_Unregister({ dn })]).toEqual([1, false]);
      expect(await logIn(second)).toBe(false);
    });

    it('makes as many list codes as the setting says', async () => {
      await otp.List_Register({ dn });
      expect(await otp.List_State({ dn })).toEqual({ size: 20, used: 0 });
      await manager.Set_User_Settings({ dn, settings: { 'Otp.ListSize': '100' } });
      await otp.List_Register({ dn });
      expect(await otp.List_State({ dn })).toEqual({ size: 100, used: 0 });
      expect(await refusalOf(otp.List_Register({ dn, size: 101 }))).toMatchObject({
        reason: 'invalid_params',
      });
    });
  });

  it('begins blocks by failures or by an administrator, and ends them by time or by an administrator', async () => {
    await otp.HOTP_Register({ dn, key });
    const free = { blocked: false, seconds: 0, passwords: 0, codes: 0 };
    expect(await otp.Block_Check({ dn })).toEqual(free);
    expect(await otp.Block_Start({ dn, expires: 60 })).toBe(1);
    expect(await otp.Block_Check({ dn })).toMatchObject({ blocked: true, seconds: 60 });
    expect(await logIn(code(0))).toBe(false);
    stage.fixture.clock.advance(60_000);
    expect(await logIn(code(0))).toBe(true);
    await otp.Block_Start({ dn });
    stage.fixture.clock.advance(365 * 86_400_000);
    expect(await logIn(code(1))).toBe(false);
    expect(await otp.Block_Reset({ dn })).toBe(1);
    expect([await otp.Block_Check({ dn }), await logIn(code(1))]).toEqual([free, true]);
    expect(await logIn('000000')).toBe(false);
    const { passwords, codes } = await otp.Block_Check({ dn });
    expect(passwords + codes).toBe(1);
  });

  it('reports a lockout at a known source, which an administrator can end', async () => {
    await otp.HOTP_Register({ dn, key });
    expect(await logIn(code(0))).toBe(true);
    for (let failures = 0; failures < 5; failures += 1) await logIn('000000');
    expect(await otp.Block_Check({ dn })).toMatchObject({ blocked: true, seconds: 300 });
    await otp.Block_Reset({ dn });
    expect([(await otp.Block_Check({ dn })).blocked, await logIn(code(1))]).toEqual([false, true]);
  });

  it('writes no secret to the log or the event log', async () => {
    const before = stage.fixture.events().length;
    const long = base64('abcdefghijklmnopqrst');
    await otp.HOTP_Register({ dn, key: long });
    await otp.HOTP_Resync_Sequence({ dn, otp1: '314159', otp2: '271828' });
    await otp.TOTP_Resync({ dn, otp: '314159' }).catch(() => {});
    await otp.Emerg_Register({ dn, otp: '31415926' });
    await otp.List_Register({ dn });
    const codes = await otp.List_Fetch({ dn });
    const session = await otp.Mobile_Session({ timeout: 60, pincode: '27182818' });
    await otp.TOTP_Register({ dn, key: long, session });
    const events = stage.fixture.events().slice(before);
    expect(events.length).toBe(7);
    const result = JSON.stringify([events, stage.fixture.log.lines]);
    const secrets = [long.slice(0, 10), 'abcdefghij', '314159', '271828', session, ...codes];
    for (const one of secrets) expect(result).not.toContain(one);
    expect(events[0]?.text).toContain('key="***"');
  });
});
