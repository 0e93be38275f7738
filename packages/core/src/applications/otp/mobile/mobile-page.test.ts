/** The page of a mobile session in Chromium as a phone has it, with JavaScript switched off. */
import { createSecretKey } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Listener, serve, webHandler } from '../../../../../node/src/http/index.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { totp } from '../../../foundation/oath/totp.ts';
import { type Browser, launchBrowser, type Page } from '../../../testing/bed/engines/browser.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';

const key = Buffer.from('12345678901234567890');
const phone = { width: 360, height: 640 };

let fixture: Fixture;
let listener: Listener;
let browser: Browser;
beforeAll(async () => {
  fixture = await openFixture();
  const { web } = fixture.service;
  listener = await serve(
    webHandler((request) => web.answer(request)),
    { host: '127.0.0.1', port: 0 },
  );
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await listener.close();
  await fixture.close();
});

let page: Page;
/** Addresses that were asked for, with the address that was passed on, and what the browser objected to. */
let asked: [method: string, url: string, referer: string | undefined][];
let complaints: string[];
beforeEach(async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone, isMobile: true });
  page = await context.newPage();
  asked = [];
  complaints = [];
  page.on('request', (request) => {
    asked.push([request.method(), request.url(), request.headers().referer]);
  });
  page.on('console', (message) => complaints.push(message.text()));
});
afterEach(() => page.context().close());

const call = async (method: string, params: object) => (await fixture.call(method, params)).result;
async function begin(pincode?: string): Promise<string> {
  const session = String(await call('Otp.Mobile_Session', { timeout: 300, ...(pincode && { pincode }) }));
  const label = { name: 'T', userid: 'alice', domain: 'Default', session };
  await call('Otp.TOTP_URI', { ...label, key: key.toString('base64') });
  return session;
}
const shown = () => totp({ secret: createSecretKey(key), digits: 6, period: 30 }, fixture.clock.now());
const open = (session: string) => page.goto(`${listener.url}otp/mobile?session=${session}`);
const heading = () => page.getByRole('heading', { level: 1 }).textContent();

describe('the page', () => {
  it('takes the code and says that it was right', async () => {
    const session = await begin();
    expect((await open(session))?.status()).toBe(200);
    expect([await page.title(), await heading()]).toEqual(['Confirm your token', 'Confirm your token']);
    await page.getByLabel('Code').fill(shown());
    await page.getByRole('button', { name: 'Confirm' }).click();
    expect(await heading()).toBe('Token confirmed');
    expect(await call('Otp.Mobile_Response', { session })).toBe(1);
  });

  it('speaks the language of the browser', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'fr-CH' });
    const french = await context.newPage();
    await french.goto(`${listener.url}otp/mobile?session=${await begin()}`);
    expect(await french.locator('html').getAttribute('lang')).toBe('fr');
    await french.getByLabel('Code').fill('000000');
    await french.getByRole('button', { name: 'Confirmer' }).click();
    await french.getByText('Le code n’était pas juste. Veuillez réessayer.').waitFor();
    await context.close();
  });

  it('asks for the PIN where there is one, says what was wrong, and lets it be tried again', async () => {
    const session = await begin('0815');
    await open(session);
    await page.getByLabel('Code').fill(shown());
    await page.getByLabel('PIN').fill('4711');
    await page.getByLabel('PIN').press('Enter');
    expect(await page.getByRole('alert').textContent()).toBe(
      'The code or the PIN was not right. Please try again.',
    );
    expect(await page.getByLabel('Code').getAttribute('aria-describedby')).toBe('wrong');
    await page.getByLabel('Code').fill(shown());
    await page.getByLabel('PIN').fill('0815');
    await page.getByRole('button').click();
    expect(await heading()).toBe('Token confirmed');
  });

  it('ends with the session', async () => {
    const session = await begin();
    await open(session);
    for (let tries = 1; tries <= 5; tries += 1) {
      await page.getByLabel('Code').fill('000000');
      await page.getByRole('button').click();
    }
    expect(await heading()).toBe('Not available');
    expect((await open(session))?.status()).toBe(404);
    expect((await open('"><script>'))?.status()).toBe(404);
    expect(await page.content()).not.toContain('script');
  });

  it('says that it is not the code where the token cannot be kept, and takes it later', async () => {
    const { dn } = fixture.users.alice;
    const session = await begin();
    await call('Activate_LDAP_Object', { dn });
    await call('Otp.TOTP_Register', { dn, key: key.toString('base64'), session });
    const { modify } = fixture.ports.directory.service;
    fixture.ports.directory.service.modify = () => Promise.reject(new ServiceError('permission_denied'));
    await open(session);
    await page.getByLabel('Code').fill(shown());
    await page.getByRole('button').click();
    expect(await heading()).toBe('Not possible now');
    fixture.ports.directory.service.modify = modify;
    await open(session);
    await page.getByLabel('Code').fill(shown());
    await page.getByRole('button').click();
    expect(await heading()).toBe('Token confirmed');
  });

  it('is as wide as the phone, and its fields are large enough for a thumb', async () => {
    await open(await begin('0815'));
    for (const field of [page.getByLabel('Code'), page.getByLabel('PIN'), page.getByRole('button')]) {
      const box = await field.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.width);
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.getByLabel('Code').getAttribute('autocomplete')).toBe('one-time-code');
    expect(await page.getByLabel('Code').getAttribute('inputmode')).toBe('numeric');
  });

  it('asks nobody else, passes no address on, and keeps the session out of the next one', async () => {
    const session = await begin();
    await open(session);
    // The style that the policy allows is in force: nothing was refused.
    expect(await page.locator('button').boundingBox()).toMatchObject({ height: expect.any(Number) });
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button').click();
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    expect(asked).toEqual([
      ['GET', `${listener.url}otp/mobile?session=${session}`, undefined],
      ['POST', `${listener.url}otp/mobile?action=mobile`, undefined],
    ]);
    expect(complaints).toEqual([]);
  });

  it('comes with headers that keep others out', async () => {
    const response = await open(await begin());
    expect(response?.headers()).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]+='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
    });
  });
});

describe('what is no confirmation', () => {
  const post = (body: string, type = 'application/json') =>
    fetch(`${listener.url}otp/mobile`, { method: 'POST', body, headers: { 'content-type': type } });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a name twice', '{"session":"a","session":"b"}'],
    ['a session that is no text', '{"session":{}}'],
    ['a code that is no text', '{"session":"a","otp":["1"]}'],
    ['a device that is none', '{"session":"a","otp":"1","device":"x"}'],
    ['a device of lists', '{"session":"a","otp":"1","device":{"id":[]}}'],
    ['too much', JSON.stringify({ session: 'x'.repeat(17_000) })],
  ])('is refused: %s', async (_, body) => {
    const answer = await post(body);
    expect([answer.status, await answer.json()]).toEqual([400, { code: 0, message: 'Invalid request' }]);
  });

  it('is answered as a session that is not there', async () => {
    for (const session of ['', 'short', 'aB3dE5fG7hJ9kL1m', '../../etc/passwd', 'ä'.repeat(16)])
      expect(await (await post(JSON.stringify({ session, otp: '1' }))).json()).toEqual({
        ...{ code: 0, message: 'Session not started or timedout' },
      });
    const form = await post('session=aB3dE5fG7hJ9kL1m&otp=1', 'application/x-www-form-urlencoded');
    expect(form.status).toBe(404);
  });
});
