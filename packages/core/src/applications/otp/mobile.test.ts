/** Soft-token registration, on both engines. */
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hotp } from '../../foundation/oath/hotp.ts';
import { timeStep } from '../../foundation/oath/window.ts';
import type { Service } from '../../service.ts';
import { webRequest } from '../../testing/bed/children/echo.ts';
import { forgiving } from '../../testing/bed/forgiving.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';
import { readOnlyService } from '../../testing/read-only.ts';

const confirmed = { code: 1, message: 'Registration confirmed' };
const refused = { code: 0, message: 'Invalid code' };
const over = { code: 0, message: 'Session not started or timedout' };

describe.each(engines)('soft tokens: %s', (engine) => {
  let stage: Stage;
  let otp: Stage['manager']['Otp'];
  let container: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    otp = stage.manager.Otp;
    container = await stage.container();
  });
  afterAll(() => stage.close());

  let people = 0;
  let [dn, username, key] = ['', '', ''];
  beforeEach(async () => {
    stage.fixture.clock.advance(600_000);
    people += 1;
    username = `${engine}${people}`.toLowerCase();
    dn = await stage.person(container, username);
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'OTP' } });
    key = await stage.manager.Get_Random_Bytes({ length: 20 });
  });

  /** Returns the code of the app, `off` steps from now. */
  const shown = (off = 0, counter = timeStep(stage.fixture.clock.now(), 30)) =>
    hotp({ secret: createSecretKey(Buffer.from(key, 'base64')), digits: 6 }, counter + off);
  const scan = (session: string) =>
    otp.TOTP_URI({ name: 'T', key, userid: username, domain: 'Default', session });
  const post = async (body: unknown, service: Service = stage.fixture.service) => {
    const headers = { 'content-type': 'application/json' };
    const response = await service.web.answer(
      webRequest('/otp/mobile', { body: JSON.stringify(body), headers }),
    );
    expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    return JSON.parse(String(response.body));
  };
  const respond = (session: string) => otp.Mobile_Response({ session });
  const logIn = async (otpPassword: string) =>
    (await stage.fixture.service.web.otp.normalLogin({ username, otpPassword })).code === 1;
  const nextStep = () => stage.fixture.clock.advance(30_000);

  describe('interactive', () => {
    it('waits for the scan in the portal, and then registers', async () => {
      const session = await forgiving(otp).Mobile_Session({ timeout: '300' });
      expect(session).toMatch(/^[a-zA-Z0-9]{16,17}$/);
      await scan(session);
      expect(await respond(session)).toBe(2);
      const device = { id: 'app-1', model: 'Phone 9', serial: 'S/N 4711', push: 'push-token' };
      expect(await post({ session, otp: shown(), device })).toEqual(confirmed);
      expect(await respond(session)).toBe(1);
      expect(await otp.User_Tokens({ dn })).toEqual([]);
      expect(await otp.TOTP_Register({ dn, key, session })).toBe(1);
      expect(await otp.User_Tokens({ dn })).toMatchObject([
        { id: 1, type: 'TOTP', enabled: true, tokenid: 'push-token', serial: 'S/N 4711', model: 'Phone 9' },
      ]);
    });

    it('refuses a login with the confirming code, and accepts the next one', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      await scan(session);
      await post({ session, otp: shown() });
      await otp.TOTP_Register({ dn, key, session });
      expect(await logIn(shown())).toBe(false);
      nextStep();
      expect(await logIn(shown())).toBe(true);
    });

    it('nor can it when the same secret is registered again', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      await scan(session);
      await post({ session, otp: shown() });
      await otp.TOTP_Register({ dn, key, session });
      await otp.TOTP_Register({ dn, key });
      expect([await logIn(shown()), await logIn(shown(1))]).toEqual([false, true]);
    });

    it('keeps digits and time step of the URI, whatever the settings are', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      const shape = { digits: 8, period: 60 } as const;
      await otp.TOTP_URI({ name: 'T', key, userid: username, domain: 'Default', session, ...shape });
      const eight = (off: number) => {
        const counter = timeStep(stage.fixture.clock.now(), shape.period) + off;
        return hotp({ secret: createSecretKey(Buffer.from(key, 'base64')), digits: 8 }, counter);
      };
      expect(await post({ session, otp: shown() })).toEqual(refused);
      expect(await post({ session, otp: eight(0) })).toEqual(confirmed);
      await otp.TOTP_Register({ dn, key, session });
      expect([await logIn(eight(0)), await logIn(eight(1).slice(2)), await logIn(eight(1))]).toEqual([
        false,
        false,
        true,
      ]);
      await otp.TOTP_Register({ dn, key: await stage.manager.Get_Random_Bytes({ length: 20 }) });
      const { 'Otp.TokenShape': kept = '' } = await stage.manager.Get_User_Data({ dn });
      expect(Buffer.from(kept, 'base64').toString()).toBe('6/30');
    });

    it('a HOTP token likewise', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      await forgiving(otp).HOTP_URI({
        name: 'T',
        key,
        userid: username,
        domain: 'Default',
        session,
        state: 5,
      });
      expect(await post({ session, otp: shown(0, 4) })).toEqual(refused);
      expect(await post({ session, otp: shown(0, 6) })).toEqual(confirmed);
      expect(await refusalOf(otp.TOTP_Register({ dn, key, session }))).toMatchObject({
        reason: 'invalid_params',
      });
      expect(await otp.HOTP_Register({ dn, key, counter: 5, session })).toBe(1);
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ type: 'HOTP', state: '7' }]);
      expect([await logIn(shown(0, 6)), await logIn(shown(0, 7))]).toEqual([false, true]);
    });

    it('keeps the algorithm of the URI, and refuses another at registration', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      const names = { name: 'T', userid: username, domain: 'Default' };
      const algorithm = 'SHA512';
      await otp.TOTP_URI({ ...names, key, session, algorithm });
      const shownBy = (off: number) => {
        const source = { secret: Buffer.from(key, 'base64'), digits: 6, algorithm } as const;
        return hotp(source, timeStep(stage.fixture.clock.now(), 30) + off);
      };
      expect(await post({ session, otp: shown() })).toEqual(refused);
      expect(await post({ session, otp: shownBy(0) })).toEqual(confirmed);
      const other = await refusalOf(otp.TOTP_Register({ dn, key, session, algorithm: 'SHA1' }));
      expect(other.detail).toBe('Parameter algorithm is not that of the session');
      expect(await otp.TOTP_Register({ dn, key, session, algorithm })).toBe(1);
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ algorithm }]);
      expect([await logIn(shown(1)), await logIn(shownBy(1))]).toEqual([false, true]);
    });

    it('only what was scanned is registered, and only for whom the session was begun', async () => {
      const session = await otp.Mobile_Session({ timeout: 300, dn });
      await scan(session);
      await post({ session, otp: shown() });
      const other = await stage.manager.Get_Random_Bytes({ length: 20 });
      expect(await refusalOf(otp.TOTP_Register({ dn, key: other, session }))).toEqual({
        reason: 'invalid_params',
        detail: 'Parameter key is not that of the session',
      });
      const somebody = await stage.person(container, `other${people}`);
      expect(await refusalOf(otp.TOTP_Register({ dn: somebody, key, session }))).toEqual({
        reason: 'invalid_params',
        detail: 'Parameter dn is not that of the session',
      });
      expect(await otp.TOTP_Register({ dn, key, session, id: 2 })).toBe(1);
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ id: 2 }]);
    });
  });

  describe('detached', () => {
    const begin = async () => {
      const session = await forgiving(otp).Mobile_Session({ timeout: 300, pincode: 1234 });
      expect(await otp.TOTP_Register({ dn, key, session })).toBe(1);
      await scan(session);
      return session;
    };

    it('attaches the token with the scan, not before', async () => {
      const session = await begin();
      expect([await otp.User_Tokens({ dn }), await otp.User_Methods({ dn }), await logIn(shown(-1))]).toEqual(
        [...[[], [], false]],
      );
      expect(await post({ session, otp: shown(), pincode: '1234' })).toEqual(confirmed);
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ id: 1, type: 'TOTP', enabled: true }]);
      expect(await logIn(shown())).toBe(false);
      nextStep();
      expect(await logIn(shown())).toBe(true);
      expect(await respond(session)).toBe(1);
    });

    it('uses the algorithm of the waiting registration in the URI, and refuses another', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      await otp.TOTP_Register({ dn, key, session, algorithm: 'SHA512' });
      const names = { name: 'T', userid: username, domain: 'Default' };
      const other = await refusalOf(otp.TOTP_URI({ ...names, key, session, algorithm: 'SHA1' }));
      expect(other.detail).toBe('Parameter algorithm is not that of the session');
      expect(await scan(session)).toContain('&algorithm=SHA512&');
    });

    it('refuses the URI of a token other than the waiting one, which goes on waiting', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      await otp.TOTP_Register({ dn, key, session });
      const names = { name: 'T', userid: username, domain: 'Default' };
      const other = await stage.manager.Get_Random_Bytes({ length: 20 });
      for (const write of [
        () => otp.TOTP_URI({ ...names, key: other, session }),
        () => otp.TOTP_URI({ ...names, key: other, session, tinyurl: true }),
        () => otp.HOTP_URI({ ...names, key, session }),
      ])
        expect(await refusalOf(write())).toEqual({
          reason: 'invalid_params',
          detail: 'Parameter key is not that of the session',
        });
      await scan(session);
      expect(await post({ session, otp: shown() })).toEqual(confirmed);
    });

    it('uses nothing up where the service may not write to the entry, and says whose it is', async () => {
      const session = await begin();
      const { fixture } = stage;
      const directory = readOnlyService(stage.ports.directory);
      const node = await fixture.another({ ports: () => ({ directory }) });
      const right = JSON.stringify({ session, otp: shown(), pincode: '1234' });
      const headers = { 'content-type': 'application/json' };
      for (let n = 0; n < 6; n += 1) {
        const response = await node.service.web.answer(webRequest('/otp/mobile', { body: right, headers }));
        expect([response.status, JSON.parse(String(response.body)).message]).toEqual([503, 'Server error']);
      }
      expect(node.log.lines.filter(({ level }) => level === 'error')[0]?.fields).toMatchObject({
        dn,
        attribute: 'webadmData',
        cure: expect.stringMatching(/^give \S+ write access to webadmData below /),
      });
      const text = 'Mobile session: refused: right, but the token could not be kept on the entry';
      expect(fixture.events().at(-1)).toMatchObject({ dn, text });
      expect(await respond(session)).toBe(2);
      expect(await post({ session, otp: shown(), pincode: '1234' })).toEqual(confirmed);
    });

    it('keeps the present token of the slot working until the scan', async () => {
      await otp.TOTP_Register({ dn, key: Buffer.from('98765432109876543210').toString('base64') });
      const old = createSecretKey(Buffer.from('98765432109876543210'));
      const session = await begin();
      expect(await logIn(hotp({ secret: old, digits: 6 }, timeStep(stage.fixture.clock.now(), 30)))).toBe(
        true,
      );
      await post({ session, otp: shown(), pincode: '1234' });
      nextStep();
      expect(await logIn(hotp({ secret: old, digits: 6 }, timeStep(stage.fixture.clock.now(), 30)))).toBe(
        false,
      );
      expect(await logIn(shown())).toBe(true);
    });

    it('leaves no token after a session that ends unconfirmed', async () => {
      const session = await begin();
      stage.fixture.clock.advance(300_000);
      expect([await respond(session), await post({ session, otp: shown(), pincode: '1234' })]).toEqual([
        0,
        over,
      ]);
      expect([await otp.User_Tokens({ dn }), await logIn(shown())]).toEqual([[], false]);
      expect(await refusalOf(otp.TOTP_Register({ dn, key, session }))).toMatchObject({ reason: 'not_found' });
    });

    it('attaches no registration that was cancelled or replaced', async () => {
      const first = await begin();
      expect(await otp.Token_Unregister({ dn })).toBe(1);
      expect(await post({ session: first, otp: shown(), pincode: '1234' })).toEqual(over);
      expect([await respond(first), await otp.User_Tokens({ dn })]).toEqual([0, []]);
      const [second, third] = [await begin(), await begin()];
      expect(await post({ session: second, otp: shown(), pincode: '1234' })).toEqual(over);
      expect(await post({ session: third, otp: shown(), pincode: '1234' })).toEqual(confirmed);
      expect(await otp.User_Tokens({ dn })).toHaveLength(1);
    });

    it('attaches no token to a deleted user', async () => {
      const session = await begin();
      await stage.manager.Remove_LDAP_Object({ dn });
      expect(await post({ session, otp: shown(), pincode: '1234' })).toEqual(over);
      expect(await respond(session)).toBe(0);
    });
  });

  describe('a session is for one token of one user', () => {
    const notOf = (parameter: string) => ({
      reason: 'invalid_params',
      detail: `Parameter ${parameter} is not that of the session`,
    });

    it.each(['before', 'after'])('%s the scan, whoever registers', async (order) => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      if (order === 'after') {
        await scan(session);
        await post({ session, otp: shown() });
      }
      const other = await stage.person(container, `second${order}${people}`);
      expect(await otp.TOTP_Register({ dn, key, session })).toBe(1);
      expect(await refusalOf(otp.TOTP_Register({ dn: other, key, session }))).toEqual(notOf('dn'));
      expect(await refusalOf(otp.TOTP_Register({ dn, key, session, id: 2 }))).toEqual(notOf('id'));
      expect(await otp.TOTP_Register({ dn, key, session })).toBe(1);
      if (order === 'before') {
        await scan(session);
        await post({ session, otp: shown() });
      }
      expect([await otp.User_Tokens({ dn }), await otp.User_Tokens({ dn: other })]).toMatchObject([
        [{ id: 1 }],
        [],
      ]);
    });

    it('whom its URI names, it is for', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      await scan(session);
      const name = `named${people}`;
      const other = await stage.person(container, name);
      expect(await refusalOf(otp.TOTP_Register({ dn: other, key, session }))).toEqual(notOf('dn'));
      const uri = { name: 'T', key, userid: name, domain: 'Default', session };
      expect(await refusalOf(otp.TOTP_URI(uri))).toEqual(notOf('userid'));
      expect(await otp.TOTP_Register({ dn, key, session })).toBe(1);
    });

    /** Returns those who could register, each by the other node than the one before. */
    const registered = async (session: string, wanted: readonly { dn: string; id: number }[]) => {
      const second = (await stage.enter({})).Otp;
      const nodes = [otp, second];
      const answers = await Promise.allSettled(
        wanted.map((one, index) => nodes[index % 2]?.TOTP_Register({ ...one, key, session })),
      );
      return wanted.filter((_, index) => answers[index]?.status === 'fulfilled');
    };

    it('gives the token to one of several users who are registered at once', async () => {
      const names = [1, 2, 3, 4].map((number) => `race${people}n${number}`);
      const dns = await Promise.all(names.map((name) => stage.person(container, name)));
      const session = await otp.Mobile_Session({ timeout: 300 });
      const [first, ...more] = await registered(
        session,
        dns.map((one) => ({ dn: one, id: 1 })),
      );
      expect(more).toEqual([]);
      for (const [index, userid] of names.entries()) {
        const uri = otp.TOTP_URI({ name: 'T', key, userid, domain: 'Default', session });
        if (dns[index] === first?.dn) await uri;
        else expect(await refusalOf(uri)).toEqual(notOf('userid'));
      }
      await post({ session, otp: shown() });
      const tokens = await Promise.all(dns.map((one) => otp.User_Tokens({ dn: one })));
      expect(tokens.flat()).toHaveLength(1);
      expect(tokens[dns.indexOf(first?.dn ?? '')]).toHaveLength(1);
    });

    it('gives the token to one of several slots that are requested with the scan', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      await scan(session);
      const [slots] = await Promise.all([
        registered(
          session,
          [1, 2, 3, 4].map((id) => ({ dn, id })),
        ),
        post({ session, otp: shown() }),
      ]);
      expect(slots).toHaveLength(1);
      expect(await otp.User_Tokens({ dn })).toMatchObject([{ id: slots[0]?.id }]);
    });
  });

  describe('a confirmation', () => {
    it('trims a PIN, and treats spaces only as no PIN', async () => {
      const session = await otp.Mobile_Session({ timeout: 300, pincode: ' 08\t15 ' });
      await scan(session);
      expect(await post({ session, otp: shown(), pincode: '' })).toEqual(refused);
      expect(await post({ session, otp: shown(), pincode: '08\t15' })).toEqual(confirmed);
      const open = await otp.Mobile_Session({ timeout: 300, pincode: ' ' });
      await scan(open);
      expect(await post({ session: open, otp: shown() })).toEqual(confirmed);
    });

    it('needs the PIN and a code of the secret that was scanned, and tells not which was wrong', async () => {
      const session = await otp.Mobile_Session({ timeout: 300, pincode: '0815' });
      await scan(session);
      expect(await post({ session, otp: shown() })).toEqual(refused);
      expect(await post({ session, otp: shown(), pincode: '0816' })).toEqual(refused);
      expect(await post({ session, otp: shown(50), pincode: '0815' })).toEqual(refused);
      expect(await respond(session)).toBe(2);
      expect(
        await post({ session, otp: ` ${shown().slice(0, 3)} ${shown().slice(3)}`, pincode: '0815' }),
      ).toEqual(confirmed);
      expect(await post({ session, otp: shown(1), pincode: '0815' })).toEqual(over);
      expect(await respond(session)).toBe(1);
    });

    it('fails for good with five wrong codes or PINs', async () => {
      const session = await otp.Mobile_Session({ timeout: 300, pincode: '0815' });
      await scan(session);
      const wrong = { session, otp: shown(50), pincode: '0815' };
      for (let tries = 1; tries <= 4; tries += 1) expect(await post(wrong)).toEqual(refused);
      expect(await post({ session, otp: shown(), pincode: '9999' })).toEqual(over);
      expect(await post({ session, otp: shown(), pincode: '0815' })).toEqual(over);
      expect(await respond(session)).toBe(0);
    });

    it('judges five codes at most, however many arrive at once', async () => {
      const session = await otp.Mobile_Session({ timeout: 300 });
      await scan(session);
      const node = await stage.fixture.another();
      const codes = [...Array.from({ length: 100 }, (_, off) => shown(off + 50)), shown()];
      const answers = await Promise.all(
        codes.map((otp, index) => post({ session, otp }, index % 2 ? node.service : stage.fixture.service)),
      );
      await node.close();
      expect(answers.filter(({ message }) => message === refused.message)).toHaveLength(4);
      expect(answers.filter(({ code }) => code === 1)).toEqual([]);
      expect(await post({ session, otp: shown() })).toEqual(over);
    });

    it('succeeds once, however many come at once', async () => {
      const node = await stage.fixture.another();
      for (let round = 0; round < 10; round += 1) {
        const session = await otp.Mobile_Session({ timeout: 300 });
        await scan(session);
        const offs = [-1, 0, 1, 0];
        const answers = await Promise.all(
          offs.map((off, index) =>
            post({ session, otp: shown(off) }, index % 2 ? node.service : stage.fixture.service),
          ),
        );
        expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
        expect(await respond(session)).toBe(1);
      }
      await node.close();
    });

    it('leaves no token waiting when the scan arrives with the registration', async () => {
      for (let round = 0; round < 20; round += 1) {
        const session = await otp.Mobile_Session({ timeout: 300 });
        await scan(session);
        nextStep();
        await Promise.all([post({ session, otp: shown() }), otp.TOTP_Register({ dn, key, session })]);
        expect(await otp.User_Tokens({ dn })).toHaveLength(1);
        nextStep();
        expect(await logIn(shown())).toBe(true);
        await otp.Token_Unregister({ dn });
        key = await stage.manager.Get_Random_Bytes({ length: 20 });
      }
    });

    it('writes the owner of the token to the event log, without a secret', async () => {
      const session = await otp.Mobile_Session({ timeout: 300, pincode: '0815' });
      await otp.TOTP_Register({ dn, key, session });
      await scan(session);
      const before = stage.fixture.events().length;
      await post({ session: 'aB3dE5fG7hJ9kL1m', otp: shown() });
      await post({ session, otp: shown(), pincode: '0816' });
      await post({ session, otp: shown(), pincode: '0815' });
      const events = stage.fixture.events().slice(before);
      expect(events).toMatchObject([
        { application: 'Otp', client: '192.0.2.1', text: 'Mobile session: refused' },
        { application: 'Otp', client: '192.0.2.1', text: 'Mobile session: confirmed', dn },
      ]);
      for (const secret of [session, shown(), '0815', '0816'])
        expect(JSON.stringify(events)).not.toContain(secret);
    });
  });

  it('answers a short address with the URI while the session is open', async () => {
    const session = await otp.Mobile_Session({ timeout: 300 });
    const uri = await scan(session);
    const shared = async () =>
      stage.fixture.service.web.answerShared(webRequest(`/ws/otp/?action=qruri&session=${session}`));
    expect(await shared()).toMatchObject({ status: 404 });
    const label = { name: 'T', key, userid: username, domain: 'Default', session };
    expect(await otp.TOTP_URI({ ...label, tinyurl: true })).toBe(
      `https://localhost:4443/ws/otp/?action=qruri&session=${session}`,
    );
    expect(await shared()).toEqual({
      status: 200,
      headers: expect.objectContaining({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
      }),
      body: uri,
    });
    await post({ session, otp: shown() });
    expect(await shared()).toMatchObject({ status: 404 });
  });

  it('stores neither a usable session id nor a clear secret', async () => {
    const session = await otp.Mobile_Session({ timeout: 300, pincode: '0815' });
    const put: string[] = [];
    const node = await stage.enter({
      ports: ({ store }) => ({
        store: new Proxy(store, {
          get: (target, name) => {
            const member = Reflect.get(target, name);
            if (name !== 'put') return typeof member === 'function' ? member.bind(target) : member;
            return (...args: Parameters<typeof store.put>) => {
              put.push(args[0], Buffer.from(args[1]).toString('latin1'));
              return target.put(...args);
            };
          },
        }),
      }),
    });
    await node.Otp.TOTP_URI({ name: 'T', key, userid: username, domain: 'Default', session });
    await node.Otp.TOTP_Register({ dn, key, session });
    expect(put.length).toBeGreaterThanOrEqual(4);
    for (const secret of [session, key.slice(0, 10), 'otpauth', dn]) expect(put.join()).not.toContain(secret);
  });
});
