/** OCRA tokens: registered, resynchronised, and logins with them, over the embedded directory and slapd. */
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OcraInput, ocra, parseSuite } from '../../../foundation/oath/ocra.ts';
import { totp } from '../../../foundation/oath/totp.ts';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { engines, openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';
import { readOnlyService } from '../../../testing/read-only.ts';

const password = 'Correct-Horse-7';
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const granted = { code: 1, message: 'Authentication success' };
const secret = Buffer.from('12345678901234567890');
const key = secret.toString('base64');
const usual = 'OCRA-1:HOTP-SHA1-6:QN06-T1M';
const counted = 'OCRA-1:HOTP-SHA1-8:C-QN08';
const pinned = 'OCRA-1:HOTP-SHA256-8:QA08-PSHA1';

describe.each(engines)('OCRA tokens: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  /** A node whose service may not write to the directory. */
  let readOnly: Fixture;
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    node = await stage.fixture.another({
      config: { settings: { 'Otp.MaxTries': '1000' } },
      ports: () => stage.ports,
    });
    readOnly = await stage.fixture.another({
      ports: () => ({ ...stage.ports, directory: readOnlyService(stage.ports.directory) }),
    });
    people = await stage.container();
  });
  afterAll(async () => {
    await readOnly.close();
    await node.close();
    await stage.close();
  });

  /** Returns the response of the token. */
  const shows = (suite: string, input: OcraInput) => {
    const parsed = parseSuite(suite);
    if (!parsed) throw new Error(suite);
    return ocra(createSecretKey(secret), parsed, { time: node.clock.now(), ...input });
  };
  async function person(uid: string, suite = usual, more: object = {}) {
    const dn = await stage.person(people, uid, { userpassword: password });
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.OCRASuite': suite } });
    expect(await stage.manager.Otp.OCRA_Register({ dn, key, ...more })).toBe(1);
    return dn;
  }
  async function challenge(username: string) {
    const login = await node.service.web.otp.normalLogin({ username, ldapPassword: password });
    const { session, message, code } = { session: '', ...login };
    expect(code).toBe(2);
    return { session, message, question: /^Enter your TOKEN password for (\S+)$/.exec(message)?.[1] ?? '' };
  }
  const answer = (username: string, session: string, otpPassword: string) =>
    node.service.web.otp.challenge({ username, session, otpPassword });
  async function isIn(username: string, suite: string, input: Omit<OcraInput, 'question'> = {}) {
    const { session, question } = await challenge(username);
    return (await answer(username, session, shows(suite, { question, ...input }))).code === 1;
  }

  it('a question is asked, and its answer logs in, once and for its session only', async () => {
    const dn = await person('adele');
    const [one, two] = [await challenge('adele'), await challenge('adele')];
    expect(one.question).toMatch(/^[0-9]{6}$/);
    expect(one.question).not.toBe(two.question);
    const right = shows(usual, { question: one.question });
    expect(await answer('adele', two.session, right)).toMatchObject(refused);
    expect(await answer('adele', one.session, '000000')).toMatchObject(refused);
    expect(await answer('adele', one.session, right)).toMatchObject(granted);
    expect(await answer('adele', one.session, right)).toMatchObject({ error: 'NoSession' });
    expect(node.events().at(-1)).toMatchObject({ dn });
    expect(await stage.manager.Otp.User_Tokens({ dn })).toEqual([
      { id: 1, type: 'OCRA', enabled: true, state: '0', suite: usual },
    ]);
  });

  it('no code is right without a question, and none is blamed', async () => {
    const dn = await person('bea');
    const login = { username: 'bea', ldapPassword: password, otpPassword: shows(usual, { question: '' }) };
    expect(await node.service.web.otp.normalLogin(login)).toMatchObject(refused);
    expect(node.events().at(-1)?.text).toContain('nothing that the code could be tried with');
    expect(await stage.manager.Otp.Block_Check({ dn })).toMatchObject({ codes: 0 });
  });

  it('of fifty answers at once to one question, one is let in', async () => {
    await person('cleo');
    const { session, question } = await challenge('cleo');
    const right = shows(usual, { question });
    const all = await Promise.all(Array.from({ length: 50 }, () => answer('cleo', session, right)));
    expect(all.filter(({ code }) => code === 1)).toHaveLength(1);
  });

  it('the time may be a window off, and no more', async () => {
    await person('dora');
    for (const [minutes, is] of [
      [0, true],
      [1, true],
      [-1, true],
      [2, false],
      [-2, false],
    ] as const)
      expect([minutes, await isIn('dora', usual, { time: node.clock.now() + minutes * 60_000 })]).toEqual([
        minutes,
        is,
      ]);
  });

  it('a counter only rises, within its window, and stands on the entry', async () => {
    const dn = await person('ella', counted, { state: '5' });
    expect(await isIn('ella', counted, { counter: 4 })).toBe(false);
    expect(await isIn('ella', counted, { counter: 5 })).toBe(true);
    expect(await isIn('ella', counted, { counter: 5 })).toBe(false);
    expect(await isIn('ella', counted, { counter: 16 })).toBe(true);
    expect(await isIn('ella', counted, { counter: 10 })).toBe(false);
    expect(await isIn('ella', counted, { counter: 28 })).toBe(false);
    expect(await stage.manager.Otp.User_Tokens({ dn })).toMatchObject([{ state: '17' }]);
  });

  it('a counter stays used when the entry is set back', async () => {
    // All tests share one secret, and the store knows its counters: these are above those of the test before.
    const dn = await person('lena', counted, { state: '40' });
    expect(await isIn('lena', counted, { counter: 40 })).toBe(true);
    const data = { 'Otp.TokenState': Buffer.from('40').toString('base64') };
    await stage.manager.Set_User_Data({ dn, data });
    expect(await isIn('lena', counted, { counter: 40 })).toBe(false);
    expect(await isIn('lena', counted, { counter: 41 })).toBe(true);
  });

  it('a counter that the entry cannot keep logs nobody in, and is not used up', async () => {
    await person('nola', counted, { state: '60' });
    const { session, question } = await challenge('nola');
    const otpPassword = shows(counted, { counter: 60, question });
    const { code } = await readOnly.service.web.otp.challenge({ username: 'nola', session, otpPassword });
    expect(code).toBe(0);
    expect(await isIn('nola', counted, { counter: 60 })).toBe(true);
  });

  it('a PIN belongs to the answer, and can be set anew', async () => {
    const dn = await person('fay', pinned, { key: Buffer.alloc(32, 1).toString('base64'), pin: '1234' });
    const show = (pin: string, question: string) => {
      const suite = parseSuite(pinned);
      return suite ? ocra(createSecretKey(Buffer.alloc(32, 1)), suite, { question, pin }) : '';
    };
    const tries = async (pin: string) => {
      const { session, question } = await challenge('fay');
      expect(question).toMatch(/^[A-Z2-9]{8}$/);
      return (await answer('fay', session, show(pin, question))).code;
    };
    expect([await tries('1234'), await tries('1235')]).toEqual([1, 0]);
    expect(await stage.manager.Otp.OCRA_Setpin({ dn, pin: '1235' })).toBe(1);
    expect([await tries('1234'), await tries('1235')]).toEqual([0, 1]);
    const { webadmdata } = Object(await stage.manager.Get_User_Attrs({ dn, attrs: ['webadmdata'] }));
    expect(String(webadmdata)).toMatch(/TokenPin=\{wcrypt\}/);
  });

  it('stands beside another token: the code of either answers', async () => {
    const dn = await person('gwen');
    const other = createSecretKey(Buffer.alloc(20, 7));
    await stage.manager.Otp.TOTP_Register({ dn, key: Buffer.alloc(20, 7).toString('base64'), id: 2 });
    expect(await isIn('gwen', usual)).toBe(true);
    const { session } = await challenge('gwen');
    const code = totp({ secret: other, digits: 6, period: 30 }, node.clock.now());
    expect(await answer('gwen', session, code)).toMatchObject(granted);
    const login = { username: 'gwen', ldapPassword: password };
    node.clock.advance(30_000);
    const next = totp({ secret: other, digits: 6, period: 30 }, node.clock.now());
    expect(await node.service.web.otp.normalLogin({ ...login, otpPassword: next })).toMatchObject(granted);
  });

  it('keeps its suite when the setting changes, and is disabled and removed as any token', async () => {
    const dn = await person('hanna');
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.OCRASuite': counted } });
    expect(await isIn('hanna', usual)).toBe(true);
    await stage.manager.Otp.Token_Disable({ dn });
    expect(
      await node.service.web.otp.normalLogin({ username: 'hanna', ldapPassword: password }),
    ).toMatchObject(refused);
    await stage.manager.Otp.Token_Unregister({ dn });
    expect(await stage.manager.Otp.User_Tokens({ dn })).toEqual([]);
  });

  describe('a resynchronisation', () => {
    it('puts the counter forward', async () => {
      const dn = await person('ines', counted);
      expect(await stage.manager.Otp.OCRA_Resync_Counter({ dn, counter: 100 })).toBe(1);
      expect(await stage.manager.Otp.OCRA_Resync_Counter({ dn, counter: 100 })).toBe(false);
      expect(await isIn('ines', counted, { counter: 99 })).toBe(false);
      expect(await isIn('ines', counted, { counter: 100 })).toBe(true);
    });

    it('finds the counter by two answers in a row, which are used up', async () => {
      const dn = await person('jana', counted);
      const at = (counter: number) => shows(counted, { counter, question: '12345678' });
      const resync = (one: number, two: number) =>
        stage.manager.Otp.OCRA_Resync_Sequence({ dn, otp1: at(one), otp2: at(two), challenge: '12345678' });
      expect(await resync(500, 502)).toBe(false);
      expect(await resync(500, 501)).toBe(1);
      expect(await resync(500, 501)).toBe(false);
      expect(await isIn('jana', counted, { counter: 501 })).toBe(false);
      expect(await isIn('jana', counted, { counter: 502 })).toBe(true);
    });

    it('finds how far the clock is off', async () => {
      const dn = await person('kim');
      const late = () => node.clock.now() - 3600_000;
      expect(await isIn('kim', usual, { time: late() })).toBe(false);
      const otp = shows(usual, { question: '424242', time: late() });
      expect(await stage.manager.Otp.OCRA_Resync_Time({ dn, otp: '000000', challenge: '424242' })).toBe(
        false,
      );
      expect(await stage.manager.Otp.OCRA_Resync_Time({ dn, otp, challenge: '424242' })).toBe(1);
      expect(await stage.manager.Otp.User_Tokens({ dn })).toMatchObject([{ state: '0:-60' }]);
      expect(await isIn('kim', usual, { time: late() })).toBe(true);
      expect(await isIn('kim', usual)).toBe(true);
    });

    it.each<[string, (dn: string) => Promise<unknown>]>([
      ['a suite without a counter', (dn) => stage.manager.Otp.OCRA_Resync_Counter({ dn, counter: 1 })],
      ['a suite without a PIN', (dn) => stage.manager.Otp.OCRA_Setpin({ dn, pin: '1234' })],
      ['no question', (dn) => stage.manager.Otp.OCRA_Resync_Time({ dn, otp: '1', challenge: 'x' })],
    ])('is refused for %s', async (_, call) => {
      expect(await refusalOf(call(stage.nameOf(people, 'adele')))).toMatchObject({
        reason: 'invalid_params',
      });
    });

    it('is refused for another token, and where there is none', async () => {
      const dn = stage.nameOf(people, 'gwen');
      for (const id of [2, 3])
        expect(await refusalOf(stage.manager.Otp.OCRA_Resync_Counter({ dn, counter: 1, id }))).toMatchObject({
          ...{ reason: 'not_found', detail: expect.stringMatching(/^No (OCRA )?token \d of/) },
        });
    });
  });

  it.each([
    ['a key of 19 bytes', usual, { key: Buffer.alloc(19).toString('base64') }, 'Parameter key'],
    ['a PIN that the suite has not', usual, { pin: '1234' }, 'Parameter pin'],
    ['a counter that the suite has not', usual, { state: '1' }, 'Parameter state'],
    ['no PIN', pinned, {}, 'Missing parameter pin'],
    ['a short PIN', pinned, { pin: '123' }, 'Parameter pin'],
    ['a state that is none', counted, { state: 'x' }, 'Parameter state'],
  ])('is not registered with %s', async (_, suite, more, detail) => {
    const dn = stage.nameOf(people, 'adele');
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.OCRASuite': suite } });
    const refusal = await refusalOf(stage.manager.Otp.OCRA_Register({ dn, key, id: 5, ...more }));
    expect(refusal).toMatchObject({ reason: 'invalid_params', detail: expect.stringContaining(detail) });
  });

  it.each(['OCRA-1', 'OCRA-1:HOTP-SHA1-6:QN08-S064'])(
    'the setting takes no suite that logs nobody in: %s',
    async (suite) => {
      const set = stage.manager.Set_User_Settings({
        dn: stage.nameOf(people, 'adele'),
        settings: { 'Otp.OCRASuite': suite },
      });
      expect(await refusalOf(set)).toMatchObject({ reason: 'invalid_params' });
    },
  );
});
