/** People outside of the directory, who are asked by mail, over the embedded directory and slapd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPhoneStage, type PhoneStage } from '../../../../testing/bed/phones/phone-stage.ts';
import { engines } from '../../../../testing/bed/stage.ts';

const done = { code: 1, error: '', message: 'Authentication success' };
const pending = { code: 2, error: '', message: 'Session already started' };
const failed = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid authentication request' };
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const file = Buffer.from('The contract.');
const recipient = 'zoe@example.net';
const form = 'application/x-www-form-urlencoded';

describe.each(engines)('asked by mail: %s', (engine) => {
  let phones: PhoneStage;
  let web: PhoneStage['node']['service']['web']['otp'];
  let seen = 0;
  beforeAll(async () => {
    phones = await openPhoneStage(engine, { clients: { closed: { mode: 'no_access' as const } } });
    web = phones.node.service.web.otp;
  });
  afterAll(() => phones.close());

  async function nextMail() {
    await expect.poll(() => phones.mailed.length, { timeout: 30_000 }).toBeGreaterThan(seen);
    const mail = phones.mailed[seen];
    seen += 1;
    const [url = ''] = /https:\S+\/extern\?session=[A-Za-z0-9]{32}/.exec(mail?.text ?? '') ?? [];
    const { pathname, search, searchParams } = new URL(url);
    return { mail, page: `${pathname}${search}`, link: searchParams.get('session') ?? '' };
  }
  async function begin(more: object = {}) {
    const asked = await web.externConfirm({ recipient, file, async: true, issuer: 'ACME', ...more });
    expect(asked).toMatchObject(pending);
    return { session: 'session' in asked ? (asked.session ?? '') : '', ...(await nextMail()) };
  }
  const say = (link: string, decision: string) =>
    phones.ask('POST', '/otp/extern', `session=${link}&decision=${decision}`, form);
  const check = (session: string) => web.checkConfirm({ session });

  it('confirm by the link, once, what they have seen', async () => {
    const { session, mail, page, link } = await begin();
    expect(mail).toMatchObject({ to: recipient, subject: 'ACME asks you for an answer' });
    const shown = await phones.ask('GET', page);
    expect(shown.body.toString()).toContain('ACME asks you to confirm this file');
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
    const looked = await phones.ask('GET', `/otp/externfile?session=${link}`);
    expect([looked.body, looked.headers['content-disposition']]).toEqual([
      file,
      'attachment; filename="file.bin"',
    ]);
    // Programs that look at links answer nothing.
    expect(await check(session)).toMatchObject(pending);
    expect((await say(link, 'confirm')).body.toString()).toContain('Thank you');
    expect((await say(link, 'refuse')).status).toBe(404);
    expect((await phones.ask('GET', page)).status).toBe(404);
    const answer = await check(session);
    expect(answer).toMatchObject({ ...done, session });
    const signed = Buffer.from('file' in answer ? (answer.file ?? []) : []);
    expect([signed.includes(file), signed.includes(recipient)]).toEqual([true, true]);
    expect(phones.stage.fixture.events().map(({ text }) => text)).toContainEqual(
      `Confirmation by "${recipient}": confirmed by the link that was mailed`,
    );
  });

  it('in the language of their browser, and in that of the installation where there is none', async () => {
    const { page } = await begin({ issuer: 'A & B' });
    const shown = async (languages: string) => {
      const { body } = await phones.node.service.web.answer({
        ...{ method: 'GET', url: new URL(page, 'https://login.example.org:8443/') },
        ...{ headers: new Headers({ 'accept-language': languages }), body: async () => Buffer.of() },
        ...{ address: '198.51.100.7', port: 40_000 },
      });
      return String(body);
    };
    const german = await shown('pt, de-AT;q=0.9, fr;q=0.8');
    expect(german).toContain('<html lang="de">');
    expect(german).toContain('A &#38; B bittet Sie, diese Datei zu bestätigen.');
    expect(german).toContain('(13 Byte)');
    expect(await shown('es')).toContain('<html lang="es">');
    expect(await shown('pt')).toContain('<html lang="en">');
  });

  it('sign, and refuse', async () => {
    const asked = await web.externSign({ recipient, file, async: true, mode: 'CADES' });
    const session = 'session' in asked ? (asked.session ?? '') : '';
    await say((await nextMail()).link, 'confirm');
    expect(await web.checkConfirm({ session })).toEqual(noSession);
    const answer = await web.checkSign({ session });
    expect(answer).toMatchObject({ ...done, cert: expect.anything() });
    const refused = await begin();
    await say(refused.link, 'refuse');
    expect(await check(refused.session)).toMatchObject(failed);
  });

  it('are waited for, on whatever node the answer comes', async () => {
    const asking = phones.other.service.web.otp.externConfirm({ recipient, file });
    const { link } = await nextMail();
    await say(link, 'confirm');
    expect(await asking).toMatchObject(done);
  });

  it('of a hundred answers at once, one counts', async () => {
    const { session, link } = await begin();
    const said = await Promise.all(
      Array.from({ length: 100 }, (_, at) => say(link, at % 3 ? 'confirm' : 'refuse')),
    );
    expect(said.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await check(session)).not.toMatchObject(pending);
  });

  it('are answered for neither by the system that asks, nor by a phone, nor after the end', async () => {
    const { session, link } = await begin({ timeout: 60 });
    expect((await say(session, 'confirm')).status).toBe(404);
    expect((await say('x'.repeat(32), 'confirm')).status).toBe(404);
    expect((await say(link, 'perhaps')).status).toBe(404);
    const { phone } = await phones.person();
    expect(await phone.look(session)).toBeUndefined();
    expect(await web.touchConfirm({ session })).toEqual(noSession);
    phones.stage.fixture.clock.advance(60_000);
    expect((await say(link, 'confirm')).status).toBe(404);
    const next = await begin();
    expect(await web.cancelConfirm({ session: next.session })).toMatchObject({ code: 1 });
    expect((await say(next.link, 'confirm')).status).toBe(404);
  });

  it.each<[string, object, object]>([
    ['nobody', { recipient: undefined }, badRequest],
    ['no address', { recipient: 'zoe' }, badRequest],
    ['two addresses', { recipient: 'a@example.net, b@example.net' }, badRequest],
    ['a header', { recipient: 'a@example.net\r\nBcc: b@example.net' }, badRequest],
    ['no file', { file: undefined }, badRequest],
    ['more than a month', { timeout: 2_592_001 }, badRequest],
    ['an issuer of two lines', { issuer: 'a\nb' }, badRequest],
    ['another setting', { settings: 'LoginMode=LDAP' }, badRequest],
    ['another authority', { settings: 'SignScope=eIDAS' }, badRequest],
    ['a closed client', { client: 'closed' }, failed],
  ])('are not asked with %s', async (_, more, answer) => {
    expect(await web.externConfirm({ recipient, file, async: true, ...more })).toEqual(answer);
    expect(phones.mailed).toHaveLength(seen);
  });

  it('are asked by systems only, and not without a gateway for mail', async () => {
    const body = JSON.stringify({ recipient, file: file.toString('base64') });
    expect((await phones.ask('POST', '/otp/json/otpExternConfirm/', body)).status).toBe(401);
    const bare = phones.stage.fixture.service.web.otp;
    expect(await bare.externConfirm({ recipient, file, async: true })).toMatchObject({
      error: 'ServerError',
    });
  });
});
