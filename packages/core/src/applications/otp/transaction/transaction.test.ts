/** Transactions that users confirm and sign on the phone, over the embedded directory and slapd. */
import { execFileSync } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Push } from '../../../ports/sending/sender.ts';
import { Phone } from '../../../testing/bed/engines/phone.ts';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../../../testing/bed/stage.ts';

const done = { code: 1, error: '', message: 'Authentication success' };
const failed = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid authentication request' };
const serverError = { code: 0, error: 'ServerError', message: 'Server error' };
const text = 'Pay <b>100 EUR</b> to ACME?';

describe.each(engines)('transactions: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let other: Fixture;
  let people: string;
  const pushed: Push[] = [];
  beforeAll(async () => {
    stage = await openStage(engine);
    const push = { send: async (message: Push) => void pushed.push(message), close: async () => {} };
    const { clock: moved } = stage.fixture;
    const clock = {
      now: () => moved.now(),
      every: (milliseconds: number, task: () => void) => moved.every(milliseconds, task),
      // Who waits for a user waits for this test.
      sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 20)),
    };
    const options = {
      config: {
        ...{ request_settings: ['127.0.0.1'], clients: { closed: { mode: 'no_access' as const } } },
        app_scheme: 'example-app',
      },
      ports: () => ({ ...stage.ports, clock, senders: { push } }),
    };
    node = await stage.fixture.another(options);
    other = await stage.fixture.another(options);
    people = await stage.container();
  });
  afterAll(async () => {
    await other.close();
    await node.close();
    await stage.close();
  });

  const post =
    (at: Fixture) =>
    async (body: object): Promise<Record<string, unknown>> => {
      const response = await at.service.web.answer({
        method: 'POST',
        url: new URL('https://login.example.org:8443/otp/transaction'),
        headers: new Headers({ 'content-type': 'application/json' }),
        body: async () => Buffer.from(JSON.stringify(body)),
        ...{ address: '198.51.100.7', port: 40_000 },
      });
      return JSON.parse(String(response.body));
    };
  let number = 0;
  async function person(more: Record<string, string> = {}, device = 'test:phone') {
    number += 1;
    const username = `t${number}-${engine.toLowerCase()}`;
    const dn = await stage.person(people, username, { userpassword: 'Correct-Horse-7' });
    const secret = randomBytes(20);
    await stage.manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
    const data = { 'Otp.TokenID': Buffer.from(device).toString('base64') };
    await stage.manager.Set_User_Data({ dn, data });
    if (Object.keys(more).length > 0) await stage.manager.Set_User_Settings({ dn, settings: more });
    return { dn, username, phone: new Phone(secret, post(node)), elsewhere: new Phone(secret, post(other)) };
  }
  async function begin(username: string, more: object = {}) {
    const asked = { username, data: text, async: true, issuer: 'ACME', ...more };
    const begun = await node.service.web.otp.normalConfirm(asked);
    const session = 'session' in begun ? (begun.session ?? '') : '';
    return { begun, session };
  }
  const check = (session: string, at = node) => at.service.web.otp.checkConfirm({ session });

  it('confirms a transaction once, over the content that the user has seen', async () => {
    const { username, phone, elsewhere } = await person();
    const { begun, session } = await begin(username);
    expect(begun).toEqual({
      ...{ code: 2, error: '', session: expect.stringMatching(/^[A-Za-z0-9]{16}$/), timeout: 300 },
      message: expect.stringMatching(
        /^example-app:\/\/confirm\/[A-Za-z0-9]{16}\?version=1&.*challenge=[a-z0-9]{32}&signature=[a-z0-9]{32}&client=[a-z0-9]{26}&issuer=[a-z0-9]{26}&config=[a-z0-9]{8}$/,
      ),
    });
    expect(await check(session)).toEqual({
      ...{ code: 2, error: '', message: 'Session already started', session, timeout: 300 },
    });
    expect(await elsewhere.look(session)).toMatchObject({ kind: 'confirm', issuer: 'ACME', data: text });
    const seen = await phone.look(session);
    expect(await elsewhere.say('confirm', session)).toMatchObject({ code: 1 });
    expect(await phone.say('confirm', session, seen)).toEqual({ code: 0, message: noSession.message });
    expect(await check(session)).toEqual({ ...done, session });
    expect(await check(session, other)).toEqual({ ...done, session });
    expect(stage.fixture.events().filter(({ text }) => text.includes('confirmed on the phone'))).not.toEqual(
      [],
    );
  });

  it('accepts one of a hundred concurrent answers', async () => {
    const { username, phone, elsewhere } = await person();
    const { session } = await begin(username);
    const seen = await phone.look(session);
    const said = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        (at % 2 ? phone : elsewhere).say(at % 3 ? 'confirm' : 'refuse', session, seen),
      ),
    );
    expect(said.filter(({ code }) => code === 1)).toHaveLength(1);
  });

  it('lists transactions for the system that began them only', async () => {
    const { username, phone } = await person();
    const { session } = await begin(username);
    const refused = (await begin(username, { timeout: 60 })).session;
    await phone.say('refuse', refused);
    const list = async (at: Fixture, operation: 'list' | 'listLogin' | 'listConfirm') => {
      const answer = await at.service.web.otp[operation]({});
      expect(answer).toMatchObject({ ...done, code: '1' });
      const all: { readonly session: string }[] = JSON.parse('jsonData' in answer ? answer.jsonData : '');
      return all.filter((one) => [session, refused].includes(one.session));
    };
    const asked = { type: 'confirm', username, domain: 'Default', issuer: 'ACME', data: text };
    const both = [
      expect.objectContaining({ ...asked, session, status: 'pending', timeout: 300 }),
      expect.objectContaining({ ...asked, session: refused, status: 'refused', timeout: 0 }),
    ];
    expect(await list(node, 'list')).toEqual(expect.arrayContaining(both));
    expect(await list(other, 'listConfirm')).toHaveLength(2);
    expect(await list(node, 'listLogin')).toEqual([]);
    stage.fixture.clock.advance(300_000);
    expect(await list(node, 'list')).toContainEqual(expect.objectContaining({ session, status: 'expired' }));
    const response = await node.service.web.answer({
      method: 'POST',
      url: new URL('https://login.example.org:8443/otp/json/otpList/'),
      headers: new Headers({ 'content-type': 'application/json' }),
      body: async () => Buffer.from('{}'),
      ...{ address: '127.0.0.1', port: 40_000 },
    });
    expect(String(response.body)).not.toContain(session);
  });

  it('pushes to the phone and waits for the answer', async () => {
    const { username, phone } = await person();
    pushed.splice(0);
    const asking = node.service.web.otp.normalConfirm({ username, data: text, issuer: 'ACME' });
    await expect.poll(() => pushed.length).toBe(1);
    const [{ to, title, body, data } = { to: '', title: '', body: '', data: {} }] = pushed;
    expect({ to, title, body }).toEqual({
      to: 'test:phone',
      title: 'Confirmation requested',
      body: 'ACME asks you to confirm something. Open the app to see the details.',
    });
    expect(JSON.stringify(pushed)).not.toContain('100 EUR');
    const session = new URL(String(Reflect.get(data, 'uri'))).searchParams.get('session') ?? '';
    expect(await phone.say('refuse', session)).toMatchObject({ code: 1 });
    expect(await asking).toEqual({ ...failed, comment: 'Refused by the user' });
  });

  it('does not wait when no push reaches the user', async () => {
    const { username } = await person({}, 'a serial number');
    expect(await node.service.web.otp.normalConfirm({ username, data: text })).toEqual(failed);
    expect((await begin(username)).begun).toMatchObject({ code: 2 });
  });

  it('ends a transaction when it expires or is cancelled', async () => {
    const { username, phone } = await person();
    const { session } = await begin(username, { timeout: 60 });
    stage.fixture.clock.advance(60_000);
    expect(await phone.say('confirm', session)).toMatchObject({ code: 0 });
    expect(await check(session)).toEqual(noSession);
    const next = await begin(username);
    expect(await node.service.web.otp.cancelConfirm({ session: next.session })).toEqual({
      ...done,
      message: 'Mobile authentication canceled',
    });
    expect(await phone.look(next.session)).toBeUndefined();
    expect(await check(next.session)).toEqual(noSession);
    expect(await node.service.web.otp.cancelConfirm({ session: next.session })).toEqual(noSession);
  });

  it('accepts typed digits, with at most five wrong tries', async () => {
    const { username, phone } = await person();
    const { session } = await begin(username);
    const ask = await phone.look(session);
    const typed = ask ? phone.typed(session, ask) : '';
    const type = (of: string, response: string) =>
      node.service.web.otp.offlineConfirm({ session: of, response });
    const wrong = typed.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    expect(await type(session, wrong)).toEqual({ ...failed, comment: 'Wrong response' });
    expect(await type(session, typed)).toEqual({ ...done, session });
    expect(await type(session, typed)).toEqual(noSession);
    const next = (await begin(username)).session;
    const nextAsk = await phone.look(next);
    for (let tries = 0; tries < 5; tries += 1) await type(next, wrong);
    expect(await type(next, nextAsk ? phone.typed(next, nextAsk) : '')).toEqual(noSession);
  });

  it('refuses another phone, and one that has seen other content', async () => {
    const { username, phone } = await person();
    const { session } = await begin(username);
    const thief = new Phone(randomBytes(20), post(node));
    expect(await thief.look(session)).toBeUndefined();
    const ask = await phone.look(session);
    if (!ask) throw new Error('nothing is asked');
    for (const changed of [
      { data: text.replace('100', '1') },
      { issuer: 'Bank' },
      { client: 'other' },
      { kind: 'sign' },
      { file: '' },
    ])
      expect(await phone.say('confirm', session, { ...ask, ...changed })).toMatchObject({ code: 0 });
    const other = (await begin(username)).session;
    expect(await phone.say('confirm', other, ask)).toMatchObject({ code: 0 });
    expect(await check(session)).toMatchObject({ code: 2 });
  });

  it('ends when the user is blocked, deactivated or without a token', async () => {
    const { dn, username, phone } = await person();
    const sessions = [(await begin(username)).session, (await begin(username)).session];
    await stage.manager.Otp.Block_Start({ dn });
    expect(await phone.look(sessions[0] ?? '')).toBeUndefined();
    expect((await begin(username)).begun).toEqual(failed);
    await stage.manager.Otp.Block_Reset({ dn });
    expect(await phone.look(sessions[0] ?? '')).toBeDefined();
    await stage.manager.Otp.Token_Disable({ dn });
    expect(await phone.look(sessions[1] ?? '')).toBeUndefined();
    expect((await begin(username)).begun).toEqual(failed);
  });

  it('shows a QR code, also again', async () => {
    const { username } = await person();
    const ask = { username, data: text, qrFormat: 'PNG' };
    const shown = await node.service.web.otp.confirmQRCode(ask);
    expect(shown).toMatchObject({ code: 1, timeout: 300, message: expect.stringMatching(/^example-app:/) });
    const image = Buffer.from('qrImage' in shown ? (shown.qrImage ?? []) : []);
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    const session = 'session' in shown ? shown.session : '';
    pushed.splice(0);
    const touched = await node.service.web.otp.touchConfirm({ session, sendPush: true });
    expect(touched).toMatchObject({ code: 1, timeout: 300 });
    expect(
      Buffer.from('qrImage' in touched ? (touched.qrImage ?? []) : [])
        .subarray(0, 3)
        .toString(),
    ).toBe('GIF');
    await expect.poll(() => pushed.length).toBe(1);
  });

  /** Returns what openssl finds in a signature of ours. */
  function verified(cms: Uint8Array | readonly number[]) {
    const folder = mkdtempSync(join(tmpdir(), 'signed-'));
    writeFileSync(join(folder, 'signed.der'), Buffer.from(cms));
    writeFileSync(join(folder, 'ca.pem'), node.authority.certificate);
    const moment = Math.floor(stage.fixture.clock.now() / 1000);
    const verify = `cms -verify -inform DER -in signed.der -CAfile ca.pem -purpose any -attime ${moment} -out content -signer signer.pem`;
    execFileSync('openssl', verify.split(' '), { cwd: folder, stdio: 'pipe' });
    const [content, signer] = ['content', 'signer.pem'].map((name) => readFileSync(join(folder, name)));
    rmSync(folder, { recursive: true });
    return { content, signer: new X509Certificate(signer as Buffer) };
  }

  it('seals a file for the installation, which openssl verifies', async () => {
    const file = Buffer.from('The annual report.\n');
    const sealed = await node.service.web.otp.seal({ file, client: 'archive', settings: 'SignScope=Local' });
    expect(sealed).toMatchObject(done);
    const { content, signer } = verified('file' in sealed ? sealed.file : []);
    expect(content).toEqual(file);
    expect(signer.subject).toBe('CN=localhost + description=SEAL');
    expect(signer.keyUsage).not.toContain('1.3.6.1.5.5.7.3.2');
    expect(node.events().at(-1)?.text).toMatch(
      /^Seal of a file of 19 bytes, SHA-256 [0-9a-f]{64} at "archive": sealed$/,
    );
    const listed = await stage.manager.List_Certificates({ client: 'archive' });
    expect(listed).toMatchObject([{ status: 'valid' }]);
  });

  it.each([
    ['no file', {}],
    ['too small a file', { file: Buffer.from('1234') }],
    ['a form that is not made here', { file: Buffer.from('12345'), mode: 'PADES' }],
    ['another authority', { file: Buffer.from('12345'), settings: 'SignScope=eIDAS' }],
    ['a signature of another authority', { file: Buffer.from('12345'), settings: 'SignScope=Global' }],
    ['another setting', { file: Buffer.from('12345'), settings: 'LoginMode=LDAP' }],
  ])('refuses to seal with %s', async (_, request) => {
    expect(await node.service.web.otp.seal(request)).toEqual(badRequest);
  });

  it('refuses to seal for a closed client', async () => {
    const file = Buffer.from('12345');
    expect(await node.service.web.otp.seal({ file, client: 'closed' })).toEqual(failed);
    expect(node.events().at(-1)?.text).toContain('refused: the client closed is closed');
  });

  it('shows a QR code to older clients, and accepts digits of a phone without a network', async () => {
    const { username, phone } = await person();
    const shown = await node.service.web.otp.offlineQRCode({ username, data: text, qrFormat: 'NONE' });
    const session = 'session' in shown ? (shown.session ?? '') : '';
    const ask = await phone.look(session);
    const response = phone.typed(session, ask as NonNullable<typeof ask>);
    expect(await node.service.web.otp.offlineConfirm({ session, response })).toMatchObject(done);
  });

  it('signs a file, which openssl verifies, with a certificate that cannot log in', async () => {
    const { dn, username, phone } = await person();
    const file = Buffer.from('The contract, with all that is in it.\n');
    const begun = await node.service.web.otp.normalSign({ username, file, async: true });
    const session = 'session' in begun ? (begun.session ?? '') : '';
    const ask = await phone.look(session);
    expect(ask).toMatchObject({ kind: 'sign', file: file.toString('base64'), data: '' });
    await phone.say('confirm', session);
    const signed = await node.service.web.otp.checkSign({ session });
    expect(signed).toMatchObject(done);
    expect(await other.service.web.otp.checkSign({ session })).toEqual(signed);
    const [cms, cert] = 'file' in signed ? [signed.file ?? [], signed.cert ?? []] : [[], []];
    const { content, signer } = verified(cms);
    expect(content).toEqual(file);
    const certificate = new X509Certificate(Buffer.from(cert));
    expect(signer.fingerprint256).toBe(certificate.fingerprint256);
    expect(certificate.subject).toContain(`\\${username}`);
    expect(certificate.keyUsage).not.toContain('1.3.6.1.5.5.7.3.2');
    expect(await stage.manager.List_Certificates({ dn })).toMatchObject([{ status: 'valid' }]);
    const login = await node.service.web.otp.pkiLogin({ certificate: certificate.toString() });
    expect(login).toEqual(failed);
  });

  it('returns a PDF signature for a PDF, and CMS for others, with or without content', async () => {
    const { username, phone } = await person();
    const document = await PDFDocument.create();
    document.addPage().drawText('The contract.');
    const pdf = Buffer.from(await document.save());
    const sign = async (more: object) => {
      const begun = await node.service.web.otp.normalSign({ username, file: pdf, async: true, ...more });
      const session = 'session' in begun ? (begun.session ?? '') : '';
      await phone.say('confirm', session);
      const signed = await node.service.web.otp.checkSign({ session });
      return Buffer.from('file' in signed ? (signed.file ?? []) : []);
    };
    for (const mode of ['', 'auto', 'PADES']) {
      const signed = await sign({ mode });
      expect(signed.subarray(0, pdf.length).equals(pdf)).toBe(true);
      expect(signed.includes('ETSI.CAdES.detached')).toBe(true);
    }
    expect((await sign({ mode: 'CADES' })).includes(pdf)).toBe(true);
    const detached = await sign({ mode: 'CADES', settings: 'CaDESMode=Detached,SignScope=Local' });
    expect([detached.includes(pdf), detached.length > 500]).toEqual([false, true]);
    const sealed = await node.service.web.otp.seal({ file: pdf, mode: 'PADES' });
    expect(Buffer.from('file' in sealed ? sealed.file : []).includes('ETSI.CAdES.detached')).toBe(true);
    const asked = { username, file: pdf, async: true };
    for (const more of [
      { mode: 'XADES' },
      { mode: 'PADES', file: Buffer.from('The contract.') },
      { file: Buffer.from('%PDF-1.7 of nothing') },
      { settings: 'SignScope=Global' },
      { settings: 'SignScope=eIDAS' },
      { settings: 'CaDESMode=Parallel' },
    ])
      expect(await node.service.web.otp.normalSign({ ...asked, ...more })).toEqual(badRequest);
  });

  it.each<[string, object, object]>([
    ['nothing to show', { data: '' }, badRequest],
    ['too little', { data: '0123456789' }, badRequest],
    ['too much', { data: 'x'.repeat(16_385) }, badRequest],
    ['a small file', { file: Buffer.from('1234') }, badRequest],
    ['nobody, and a small file', { username: 'nobody-at-all', file: Buffer.from('1234') }, failed],
    ['a source that is none, and a small file', { source: 'here', file: Buffer.from('1234') }, serverError],
    ['no time', { timeout: 0 }, badRequest],
    ['more than a month', { timeout: 2_592_001 }, badRequest],
    ['an issuer of two lines', { issuer: 'a\nb' }, badRequest],
    ['nobody', { username: 'nobody-at-all' }, failed],
    ['another domain', { domain: 'Elsewhere' }, failed],
  ])('refuses a transaction with %s', async (_, more, answer) => {
    const { username } = await person();
    expect((await begin(username, more)).begun).toEqual(answer);
  });

  it('names the transaction by a URI of the scheme that the app has registered', async () => {
    const { username } = await person();
    const fields =
      'version=\\d+&timestamp=[a-z0-9]+&reqtime=\\d+&session=[A-Za-z0-9]{16}&challenge=[a-z0-9]{32}&signature=[a-z0-9]{32}' +
      '(&file=[a-z0-9]*)?&client=[a-z0-9]{26}&issuer=[a-z0-9]{26}(&flags=ta)?';
    const file = Buffer.from('The contract.');
    const asked = { username, async: true, client: 'vpn', issuer: 'ACME' };
    const web = node.service.web.otp;
    for (const begun of [
      await web.normalConfirm({ ...asked, data: text }),
      await web.normalConfirm({ ...asked, file }),
    ])
      expect(begun.message).toMatch(
        new RegExp(`^example-app://confirm/[a-z0-9]+\\?${fields}&config=[a-z0-9]{8}$`),
      );
    const signing = await web.normalSign({ ...asked, file });
    expect(signing.message).toMatch(
      new RegExp(`^example-app://sign/[a-z0-9]+\\?${fields}&scope=local&config=[a-z0-9]{8}$`),
    );
  });

  it('refuses a file of five bytes for a QR code, and accepts it for a push message', async () => {
    const { username } = await person();
    const asked = { username, file: Buffer.from('12345'), async: true };
    for (const operation of ['confirmQRCode', 'signQRCode'] as const)
      expect(await node.service.web.otp[operation](asked)).toEqual(badRequest);
    expect(await node.service.web.otp.normalConfirm(asked)).toMatchObject({ code: 2 });
  });

  it('refuses when the settings say so, without a token, and in an unsupported mode', async () => {
    const { username } = await person({ 'Otp.EnableConfirm': 'No' });
    expect((await begin(username)).begun).toEqual(failed);
    await stage.person(people, `none-${engine.toLowerCase()}`);
    expect((await begin(`none-${engine.toLowerCase()}`)).begun).toEqual(failed);
    const sign = { username: (await person()).username, file: Buffer.from('12345'), async: true };
    expect(await node.service.web.otp.normalSign({ ...sign, mode: 'XADES' })).toEqual(badRequest);
    expect(await node.service.web.otp.normalSign({ ...sign, file: undefined, data: text })).toEqual(
      badRequest,
    );
  });

  it('hides a transaction from strangers, other systems and calls of the other kind', async () => {
    const { username } = await person();
    const { session } = await begin(username);
    expect(await node.service.web.otp.checkSign({ session })).toEqual(noSession);
    const from = async (address: string) => {
      const response = await node.service.web.answer({
        method: 'POST',
        url: new URL('https://login.example.org:8443/otp/json/otpCheckConfirm/'),
        headers: new Headers({ 'content-type': 'application/json' }),
        body: async () => Buffer.from(JSON.stringify({ session })),
        ...{ address, port: 40_000 },
      });
      return response.status === 200 ? JSON.parse(String(response.body)) : response.status;
    };
    expect([await from('198.51.100.7'), await from('127.0.0.1')]).toEqual([401, noSession]);
  });

  it.each(['', '{', '[]', '{"session":1}', '{"decision":"perhaps"}', `{"session":"${'x'.repeat(5000)}"}`])(
    'answer a phone that posts %s',
    async (body) => {
      const response = await node.service.web.answer({
        method: 'POST',
        url: new URL('https://login.example.org:8443/otp/transaction'),
        headers: new Headers({ 'content-type': 'application/json' }),
        body: async () => Buffer.from(body),
        ...{ address: '198.51.100.7', port: 40_000 },
      });
      expect([response.status, JSON.parse(String(response.body))]).toEqual([
        400,
        { code: 0, message: 'Invalid request' },
      ]);
    },
  );
});
