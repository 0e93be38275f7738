/** nginx in front of two sites, and people in Chromium who log in once for both. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeTransport } from '@watchword/client/node';
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { webServiceServer } from '@watchword/server-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Browser,
  launchBrowser,
  type Page,
} from '../../packages/core/src/testing/bed/engines/browser.ts';
import { nginxConfiguration } from '../../packages/core/src/testing/bed/engines/nginx.ts';
import { accepting, boundToUs, freePorts } from '../../packages/core/src/testing/bed/scratch.ts';
import { createGate } from './gate.ts';

const secret = '0123456789abcdef0123456789abcdef01234567';

let folder: string;
let fixture: Fixture;
let services: Listener;
let gate: Server;
let site: Server;
let nginx: ChildProcess;
let url: string;
let browser: Browser;
let closeTransport: () => Promise<void>;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function startNginx(): Promise<number> {
  const [port = 0] = await freePorts(1);
  const text = (await readFile(new URL('nginx.conf', import.meta.url), 'utf8'))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('127.0.0.1:8090', `127.0.0.1:${portOf(gate)}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${portOf(site)}`)
    .replaceAll('/etc/nginx/', '');
  await writeFile(join(folder, 'nginx.conf'), nginxConfiguration([text]));
  const [command, ...args] = boundToUs(['/usr/sbin/nginx', '-p', folder, '-c', 'nginx.conf', '-e', 'stderr']);
  nginx = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await accepting(port);
  return port;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-nginx-'));
  const sha256 = createHash('sha256').update(secret).digest('hex');
  fixture = await openFixture({ config: { api_keys: { '7': { sha256, services: ['otp', 'sso'] } } } });
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'Gate tests', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: [], days: 1 };
  const tls = await issueServerCertificate(authority, names, ports);
  await writeFile(join(folder, 'app.pem'), tls.certificate);
  await writeFile(join(folder, 'app.key'), tls.key);
  services = await serve(webServiceServer(fixture.service), { host: 'localhost', port: 0, tls });
  const transport = nodeTransport({ ca: authority.certificate });
  closeTransport = transport.close;
  const asking = { url: services.url, apiKey: `7_${secret}`, fetch: transport.fetch };
  gate = await listening(createGate({ ...asking, client: 'gate' }));
  const greet = createServer((request, response) => {
    response.end(`<p>${request.url} for ${request.headers['x-user']}</p>`);
  });
  site = await listening(greet);
  url = `https://localhost:${await startNginx()}`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (nginx) {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
  }
  for (const server of [gate, site]) {
    server?.closeAllConnections();
    server?.close();
  }
  await closeTransport?.();
  await services?.close();
  await fixture?.close();
  await rm(folder, { recursive: true });
});

let code: string;
beforeEach(async () => {
  // A new day: nothing is left of failures, and of codes.
  fixture.clock.advance(86_400_000);
  const { dn } = fixture.users.alice;
  code = String((await fixture.call('Otp.Emerg_Register', { dn, expires: 86_400 })).result);
});

const open = async (javaScriptEnabled = true): Promise<Page> =>
  (await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled })).newPage();

async function logIn(page: Page, password = fixture.users.alice.password): Promise<void> {
  await page.fill('#username', 'alice');
  await page.fill('#password', password);
  await page.click('button');
}

async function answer(page: Page, typed = code): Promise<void> {
  await page.fill('#code', typed);
  await page.click('button');
}

describe.each([
  ['with JavaScript', true],
  ['without', false],
])('%s', (_, javaScriptEnabled) => {
  it('somebody logs in with a password and a code, comes to where it wanted to, and logs out', async () => {
    const page = await open(javaScriptEnabled);
    await page.goto(`${url}/orders?page=2&sort=date`);
    expect(await page.title()).toBe('Log in');
    await logIn(page);
    expect(await page.textContent('label')).toBe('Enter your EMERGENCY password');
    await answer(page);
    expect(page.url()).toBe(`${url}/orders?page=2&sort=date`);
    expect(await page.textContent('p')).toBe('/orders?page=2&sort=date for alice');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: '__Host-sso', httpOnly: true, secure: true, sameSite: 'Lax' });
    await page.setContent('');
    await page.goto(`${url}/gate/login`);
    // The form that a site would have.
    const status = await page.request.post(`${url}/gate/logout`, { headers: { origin: url } });
    expect(status.status()).toBe(200);
    await page.goto(`${url}/orders`);
    expect(await page.title()).toBe('Log in');
    await page.context().close();
  });
});

it('a wrong password and a wrong code let nobody in, and the right code still does', async () => {
  const page = await open();
  await page.goto(url);
  await logIn(page, 'wrong');
  expect(await page.textContent('[role=alert]')).toBe('Invalid username or password');
  await logIn(page);
  await answer(page, '000000');
  expect(await page.textContent('[role=alert]')).toBe('Invalid username or password');
  expect((await page.context().cookies()).length).toBe(0);
  await answer(page);
  expect(await page.textContent('p')).toBe('/ for alice');
  await page.context().close();
});

it('whoever is deactivated is out at the next request', async () => {
  const page = await open();
  await page.goto(url);
  await logIn(page);
  await answer(page);
  expect(await page.textContent('p')).toBe('/ for alice');
  await fixture.call('Deactivate_LDAP_Object', { dn: fixture.users.alice.dn });
  await page.goto(url);
  expect(await page.title()).toBe('Log in');
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
  await page.context().close();
});

it.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/.//evil.example',
  'javascript:alert(1)',
])('a link to the login does not lead to %s', async (to) => {
  const page = await open();
  await page.goto(`${url}/gate/login?to=${to}`);
  const kept = await page.inputValue('input[name=to]');
  expect(new URL(kept, url).origin).toBe(url);
  expect(kept).toMatch(/^\/(?!\/)/);
  await page.context().close();
});

it('nobody asks the gate past nginx, and no other site logs anybody in or out', async () => {
  const page = await open();
  expect((await page.request.get(`${url}/gate/check`)).status()).toBe(404);
  for (const path of ['/gate/login', '/gate/logout'])
    for (const headers of [{}, { origin: 'https://evil.example' }])
      expect((await page.request.post(`${url}${path}`, { headers, data: 'a=1' })).status()).toBe(403);
  const forged = await page.request.get(url, { headers: { 'x-user': 'admin', cookie: '__Host-sso=x' } });
  expect(await forged.text()).toContain('Log in');
  await page.context().close();
});

it('names do not become HTML', async () => {
  const page = await open();
  await page.goto(`${url}/gate/login?to=/"><script>alert(1)</script>`);
  expect(await page.locator('script').count()).toBe(0);
  await page.fill('#username', '"><b>alice');
  await page.fill('#password', 'x');
  await page.click('button');
  expect(await page.locator('b').count()).toBe(0);
  await page.context().close();
});
