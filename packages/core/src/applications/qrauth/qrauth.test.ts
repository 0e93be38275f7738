/** Logins and signatures by a QR code, over the embedded directory and slapd. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Phone } from '../../testing/bed/engines/phone.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';

const ok = { code: 1, error: '', message: 'Operation success' };
const failed = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid request' };
const pending = { code: 2, error: '', message: 'Session already started' };
const password = 'Correct-Horse-7';

describe.each(engines)('qrauth: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let other: Fixture;
  let manager: Stage['manager'];
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    const options = {
      config: {
        relying_party: { id: 'example.org', name: 'Example' },
        clients: { bank: { settings: { 'Otp.LoginMode': 'LDAPOTP' } } },
      },
      ports: () => stage.ports,
    };
    node = await stage.fixture.another(options);
    other = await stage.fixture.another(options);
    manager = await stage.enter({ config: options.config });
    people = await stage.container();
  });
  afterAll(async () => {
    await other.close();
    await node.close();
    await stage.close();
  });

  const post = async (body: object): Promise<Record<string, unknown>> => {
    const response = await other.service.web.answer({
      method: 'POST',
      url: new URL('https://login.example.org:8443/otp/transaction'),
      headers: new Headers({ 'content-type': 'application/json' }),
      body: async () => Buffer.from(JSON.stringify(body)),
      ...{ address: '198.51.100.7', port: 40_000 },
    });
    return JSON.parse(String(response.body));
  };
  let number = 0;
  async function person(mode: 'OTP' | 'LDAPOTP' | 'LDAPU2F') {
    number += 1;
    const username = `q${number}-${engine.toLowerCase()}`;
    const dn = await stage.person(people, username, { userpassword: password });
    const secret = randomBytes(20);
    await stage.manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': mode } });
    return { dn, username, phone: new Phone(secret, post, `Default\\${username}`) };
  }
  async function start(more: object = {}) {
    const started = await node.service.web.qrauth.start({
      client: 'shop',
      inputText: 'Log in to the shop',
      ...more,
    });
    return { started, session: 'session' in started ? started.session : '' };
  }
  const check = (session: string, ldapPassword?: string, at = node) =>
    at.service.web.qrauth.check({ session, ldapPassword });

  it('whoever scans logs in, once', async () => {
    const { username, phone } = await person('OTP');
    const { started, session } = await start();
    expect(started).toEqual({
      ...{ ...ok, session: expect.stringMatching(/^[A-Za-z0-9]{16}$/), timeout: 300 },
      ...{
        QR: expect.any(Uint8Array),
        URI: expect.stringMatching(/^watchword:\/\/login\/[A-Za-z0-9]{16}\?/),
      },
    });
    expect(await check(session)).toEqual({ ...pending, timeout: 300 });
    expect(await phone.look(session)).toMatchObject({
      kind: 'login',
      data: 'Log in to the shop',
      client: 'shop',
    });
    expect(await phone.say('confirm', session)).toMatchObject({ code: 1 });
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, at) => check(session, undefined, at % 2 ? node : other)),
    );
    expect(all.filter(({ code }) => code === 1)).toEqual([{ ...ok, username, domain: 'Default', data: '' }]);
    expect(await check(session)).toEqual(noSession);
    expect(stage.fixture.events().map(({ text }) => text)).toContainEqual(
      `Login by QR code of ${JSON.stringify(`Default\\${username}`)}: granted`,
    );
  });

  it('wants the password where the mode does, and judges it with the limits of a login', async () => {
    const { username, phone } = await person('LDAPOTP');
    const { session } = await start();
    await phone.say('confirm', session);
    expect(await check(session)).toEqual(failed);
    expect(await check(session, 'wrong')).toEqual(failed);
    expect(await check(session, password)).toMatchObject({ ...ok, username });
    const strict = await start({ client: 'bank' });
    const { phone: another } = await person('OTP');
    await another.say('confirm', strict.session);
    expect(await check(strict.session)).toEqual(failed);
    expect(await check(strict.session, password)).toMatchObject(ok);
  });

  it('stands for no FIDO2 device', async () => {
    const { phone } = await person('LDAPU2F');
    const { session } = await start();
    await phone.say('confirm', session);
    expect(await check(session, password)).toEqual(failed);
  });

  it('ends the guessing of passwords behind a phone', async () => {
    const { phone } = await person('LDAPOTP');
    const { session } = await start();
    await phone.say('confirm', session);
    for (let tries = 0; tries < 5; tries += 1) expect(await check(session, `wrong-${tries}`)).toEqual(failed);
    expect(await check(session, password)).toEqual(failed);
  });

  it('is refused by the user, and ends', async () => {
    const { phone } = await person('OTP');
    const { session } = await start();
    await phone.say('refuse', session);
    expect(await check(session)).toEqual(failed);
    const next = await start();
    expect(await node.service.web.qrauth.cancel({ session: next.session })).toEqual(ok);
    expect(await phone.look(next.session)).toBeUndefined();
    expect(await check(next.session)).toEqual(noSession);
    const late = await start();
    stage.fixture.clock.advance(300_000);
    expect(await phone.say('confirm', late.session)).toMatchObject({ code: 0 });
    expect(await check(late.session)).toEqual(noSession);
  });

  it('lets nobody in who is blocked, switched off or somebody else', async () => {
    const { dn, phone } = await person('OTP');
    const { session } = await start();
    await phone.say('confirm', session);
    await stage.manager.Otp.Block_Start({ dn });
    expect(await check(session)).toEqual(failed);
    expect(await phone.look((await start()).session)).toBeUndefined();
    await stage.manager.Otp.Block_Reset({ dn });
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.EnableLogin': 'No' } });
    expect(await check(session)).toEqual(failed);
    const thief = new Phone(randomBytes(20), post, 'Default\\nobody');
    expect(await thief.look((await start()).session)).toBeUndefined();
    expect(await new Phone(randomBytes(20), post).look((await start()).session)).toBeUndefined();
  });

  it('is typed, where the phone has no network', async () => {
    const { username, phone } = await person('LDAPOTP');
    const { session } = await start();
    const ask = await phone.look(session);
    const typed = ask ? phone.typed(session, ask) : '';
    const type = (qrauthPassword: string, ldapPassword = password) =>
      node.service.web.qrauth.offlineCheck({ username, session, ldapPassword, qrauthPassword });
    expect(await type('00000000')).toEqual(failed);
    expect(await type(typed)).toMatchObject(ok);
    expect(await type(typed)).toEqual(noSession);
    const next = (await start()).session;
    const nextAsk = await phone.look(next);
    const guess = (qrauthPassword: string) =>
      node.service.web.qrauth.offlineCheck({
        username,
        session: next,
        ldapPassword: password,
        qrauthPassword,
      });
    for (let tries = 0; tries < 5; tries += 1) await guess('00000000');
    expect(await guess(nextAsk ? phone.typed(next, nextAsk) : '')).toEqual(noSession);
  });

  it('signs what is shown, which openssl verifies', async () => {
    const { phone } = await person('OTP');
    const { session } = await start({ operation: 'sign', inputText: 'I agree to the terms.' });
    await phone.say('confirm', session);
    const signed = await check(session);
    expect(signed).toMatchObject(ok);
    const folder = mkdtempSync(join(tmpdir(), 'qrauth-'));
    writeFileSync(join(folder, 'signed.der'), Buffer.from('data' in signed ? signed.data : '', 'base64'));
    writeFileSync(join(folder, 'ca.pem'), node.authority.certificate);
    const moment = Math.floor(stage.fixture.clock.now() / 1000);
    const verify = `cms -verify -inform DER -in signed.der -CAfile ca.pem -purpose any -attime ${moment} -out content`;
    execFileSync('openssl', verify.split(' '), { cwd: folder, stdio: 'pipe' });
    expect(readFileSync(join(folder, 'content'), 'utf8')).toBe('I agree to the terms.');
    rmSync(folder, { recursive: true });
  });

  describe('decrypts on the phone', () => {
    const secret = 'The safe is 4711.';
    const encrypt = async (username: string, more: object = { inputText: secret }) => {
      const answer = await node.service.web.qrauth.encrypt({ username, ...more });
      expect(answer).toMatchObject(ok);
      return Buffer.from('data' in answer ? answer.data : []);
    };
    const open = async (inputData: Uint8Array) =>
      (await start({ operation: 'decrypt', inputText: 'Open the safe', inputData })).session;

    it('what was encrypted for it, once', async () => {
      const { username, phone } = await person('OTP');
      const envelope = await encrypt(username);
      expect(envelope.includes('4711')).toBe(false);
      const session = await open(envelope);
      const asked = await phone.look(session);
      expect(asked).toMatchObject({
        kind: 'decrypt',
        data: 'Open the safe',
        file: envelope.toString('base64'),
      });
      expect(await phone.say('confirm', session)).toEqual({ code: 0, message: 'This is not for your phone' });
      const wrong = { key: '0'.repeat(64) };
      expect(await phone.say('confirm', session, asked, wrong)).toMatchObject({ code: 0 });
      expect(await check(session)).toMatchObject(pending);
      expect(await phone.say('confirm', session, asked, { key: phone.key(asked?.file) })).toMatchObject({
        code: 1,
      });
      const all = await Promise.all(
        Array.from({ length: 100 }, (_, at) => check(session, undefined, at % 2 ? node : other)),
      );
      const granted = all.filter(({ code }) => code === 1);
      expect(granted).toEqual([
        { ...ok, username, domain: 'Default', data: Buffer.from(secret).toString('base64') },
      ]);
    });

    it('with the password where the mode wants it, and a megabyte', async () => {
      const { username, phone } = await person('LDAPOTP');
      const large = Buffer.alloc(1_048_576, 'x');
      const session = await open(await encrypt(username, { inputData: large }));
      const asked = await phone.look(session);
      await phone.say('confirm', session, asked, { key: phone.key(asked?.file) });
      expect(await check(session)).toEqual(failed);
      expect(await check(session, password)).toMatchObject({ ...ok, data: large.toString('base64') });
    });

    it('nothing that was encrypted for somebody else, nor by digits that are typed', async () => {
      const [mine, theirs] = [await person('OTP'), await person('OTP')];
      const session = await open(await encrypt(theirs.username));
      const asked = await mine.phone.look(session);
      const key = { key: theirs.phone.key(asked?.file) };
      expect(await mine.phone.say('confirm', session, asked, key)).toMatchObject({ code: 0 });
      const typed = { username: theirs.username, session, qrauthPassword: '12345678' };
      expect(await node.service.web.qrauth.offlineCheck(typed)).toEqual(badRequest);
      expect(await node.service.web.qrauth.encrypt({ username: 'nobody', inputText: secret })).toEqual(
        failed,
      );
      expect(await node.service.web.qrauth.encrypt({ username: mine.username })).toEqual(badRequest);
    });

    it('nothing that was changed', async () => {
      const { username, phone } = await person('OTP');
      const envelope = await encrypt(username);
      envelope[30] = (envelope[30] ?? 0) ^ 1;
      const session = await open(envelope);
      const asked = await phone.look(session);
      expect(await phone.say('confirm', session, asked, { key: phone.key(asked?.file) })).toMatchObject({
        code: 0,
      });
    });
  });

  it('draws the picture again, and takes no session of another operation', async () => {
    const { session } = await start();
    expect(await node.service.web.qrauth.sessionQR({ session })).toMatchObject({
      ...ok,
      timeout: 300,
    });
    for (const asking of [
      node.service.web.otp.checkConfirm({ session }),
      node.service.web.otp.checkSign({ session }),
      node.service.web.otp.cancelConfirm({ session }),
    ])
      expect(await asking).toMatchObject({ code: 0, error: 'NoSession' });
    const { username } = await person('OTP');
    const confirming = await node.service.web.otp.normalConfirm({
      username,
      data: 'Is it you there?',
      async: true,
    });
    const its = 'session' in confirming ? (confirming.session ?? '') : '';
    expect(await check(its)).toEqual(noSession);
    expect(await node.service.web.qrauth.cancel({ session: its })).toEqual(noSession);
  });

  it.each<[string, object]>([
    ['decrypt', { operation: 'decrypt' }],
    ['to decrypt what was not encrypted here', { operation: 'decrypt', inputData: Buffer.alloc(100) }],
    ['an unknown operation', { operation: 'shred' }],
    ['a signature of nothing', { operation: 'sign', inputText: '' }],
    ['a text without end', { inputText: 'x'.repeat(16_385) }],
  ])('refuses %s', async (_, more) => {
    expect((await start(more)).started).toEqual(badRequest);
  });

  it('is for systems that have shown who they are', async () => {
    const response = await node.service.web.answer({
      method: 'POST',
      url: new URL('https://login.example.org:8443/qrauth/json/qrauthStart/'),
      headers: new Headers({ 'content-type': 'application/json' }),
      body: async () => Buffer.from('{}'),
      ...{ address: '198.51.100.7', port: 40_000 },
    });
    expect(response.status).toBe(401);
    expect(await node.service.web.qrauth.status()).toMatchObject({ status: true });
  });
});
