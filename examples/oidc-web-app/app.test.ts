/** Two applications of other people, and people in Chromium who log in once for both, with JavaScript and without. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { nodeTransport } from '@watchword/client/node';
import { type Fixture, freePorts, openFixture } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve } from '@watchword/node/http';
import { openIdEngine } from '@watchword/openid';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { webServiceServer } from '@watchword/server-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Browser,
  launchBrowser,
  type Page,
  plugInDevice,
} from '../../packages/core/src/testing/bed/engines/browser.ts';
import { createApp } from './app.ts';

const secret = 'the-secret-of-an-application';

let fixture: Fixture;
let services: Listener;
let apps: TlsServer[] = [];
let urls: readonly string[];
let browser: Browser;
let closeTransport: () => Promise<void>;

beforeAll(async () => {
  const [port = 0, wiki = 0, shop = 0] = await freePorts(3);
  urls = [`https://localhost:${wiki}`, `https://localhost:${shop}`];
  const sha256 = createHash('sha256').update(secret).digest('hex');
  const clients = Object.fromEntries(
    urls.map((url, at) => [
      `app${at}`,
      { sha256, redirect_uris: [`${url}/callback`], post_logout_redirect_uris: [`${url}/`] },
    ]),
  );
  fixture = await openFixture({
    config: {
      ws_url: `https://localhost:${port}`,
      openid_clients: clients,
      relying_party: { id: 'localhost' },
    },
    ports: () => ({ openid: openIdEngine }),
  });
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'OpenID tests', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: [], days: 1 };
  const tls = await issueServerCertificate(authority, names, ports);
  services = await serve(webServiceServer(fixture.service), { host: 'localhost', port, tls });
  const transport = nodeTransport({ ca: authority.certificate });
  closeTransport = transport.close;
  const asking = {
    clientSecret: secret,
    issuer: `${services.url}openid`,
    fetch: transport.fetch as typeof fetch,
  };
  apps = await Promise.all(
    urls.map(async (url, at) => {
      const app = await createApp({ ...asking, clientId: `app${at}`, url });
      const [answer] = app.listeners('request') as [Parameters<typeof createTlsServer>[1]];
      const server = createTlsServer({ cert: tls.certificate, key: tls.key }, answer);
      server.listen(Number(new URL(url).port), '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const app of apps) {
    app.closeAllConnections();
    app.close();
  }
  await closeTransport?.();
  await services?.close();
  await fixture?.close();
});

let code: string;
beforeEach(async () => {
  const { dn } = fixture.users.alice;
  code = String((await fixture.call('Otp.Emerg_Register', { dn, expires: 86_400 })).result);
});

const open = async (javaScriptEnabled: boolean): Promise<Page> =>
  (await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: 'de-AT' })).newPage();

async function logIn(page: Page): Promise<void> {
  const { password } = fixture.users.alice;
  await page.fill('#username', 'alice');
  await page.fill('#password', password);
  await page.click('button');
  await page.fill('#code', code);
  await page.click('button');
}

describe.each([
  ['with JavaScript', true],
  ['without', false],
])('%s', (_, javaScriptEnabled) => {
  it('somebody logs in once for two applications, and logs out of both', async () => {
    const [wiki = '', shop = ''] = urls;
    const page = await open(javaScriptEnabled);
    await page.goto(wiki);
    await page.click('#login');
    expect(await page.title()).toBe('Anmelden');
    await logIn(page);
    expect(page.url()).toBe(`${wiki}/`);
    expect(await page.textContent('main')).toContain('Welcome, ');
    await page.goto(`${shop}/login`);
    expect(page.url()).toBe(`${shop}/`);
    expect(await page.textContent('main')).toContain('(alice)');
    await page.click('#logout');
    expect(await page.title()).toBe('Abmelden');
    await page.click('button[name=logout]');
    expect(page.url()).toBe(`${shop}/`);
    await page.goto(`${wiki}/login`);
    expect(await page.title()).toBe('Anmelden');
  });

  it('a wrong password is told, and the next one is tried', async () => {
    const page = await open(javaScriptEnabled);
    await page.goto(`${urls[0]}/login`);
    await page.fill('#username', 'alice');
    await page.fill('#password', 'wrong');
    await page.click('button');
    expect(await page.textContent('[role=alert]')).toBe(
      'Der Name, das Passwort oder der Code war nicht richtig.',
    );
    await logIn(page);
    expect(page.url()).toBe(`${urls[0]}/`);
  });
});

describe('with a security key', () => {
  let page: Page;
  beforeAll(async () => {
    const { dn } = fixture.users.bob;
    await fixture.call('Activate_LDAP_Object', { dn });
    page = await open(true);
    await plugInDevice(page);
    await page.goto(urls[0] ?? '');
    const random = Buffer.alloc(32, 7).toString('base64');
    const asked = { username: 'bob', domain: 'Default', random };
    const options = String((await fixture.call('Otp.FIDO_Challenge', asked)).result);
    const made = await page.evaluate(
      `navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${options}) }).then(JSON.stringify)`,
    );
    const response = Buffer.from(String(made)).toString('base64');
    expect((await fixture.call('Otp.FIDO_Register', { dn, response, random })).result).toBe(1);
  });

  it.each(['LDAPU2F', 'LDAPMFA'])('somebody logs in with it in mode %s', async (mode) => {
    const { dn, password } = fixture.users.bob;
    await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': mode } });
    await fixture.call('Otp.Emerg_Register', { dn, expires: 86_400 });
    await page.goto(`${urls[0]}/login`);
    await page.fill('#username', 'bob');
    await page.fill('#password', password);
    await page.click('button');
    expect(await page.locator('#code').count()).toBe(mode === 'LDAPMFA' ? 1 : 0);
    await page.click('#touch');
    await page.waitForURL(`${urls[0]}/`);
    expect(await page.textContent('main')).toContain('(bob)');
    await page.click('#logout');
    await page.click('button[name=logout]');
  });

  it('without JavaScript it says so, and takes a code where the mode does', async () => {
    const { dn, password } = fixture.users.bob;
    const plain = await open(false);
    for (const mode of ['LDAPU2F', 'LDAPMFA']) {
      await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': mode } });
      const emergency = { dn, expires: 86_400 };
      const spare = String((await fixture.call('Otp.Emerg_Register', emergency)).result);
      await plain.goto(`${urls[0]}/login`);
      await plain.fill('#username', 'bob');
      await plain.fill('#password', password);
      await plain.click('button');
      expect(await plain.textContent('form')).toContain('nur mit JavaScript');
      if (mode === 'LDAPU2F') continue;
      await plain.fill('#code', spare);
      await plain.click('button:not(#touch)');
      expect(plain.url()).toBe(`${urls[0]}/`);
    }
  });
});

it('a code that another login was given is not taken (login CSRF)', async () => {
  const page = await open(true);
  await page.goto(`${urls[0]}/callback?code=stolen&state=stolen`);
  expect(await page.textContent('main')).toContain('begun elsewhere');
});
