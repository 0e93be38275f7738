/** Pages of other origins in Chromium, with the typed client: those that are listed work, and the others do not (CORS). */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Handler } from '@watchword/core';
import { type Fixture, openFixture, scratchFolder } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve, webHandler } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { managerServer } from '@watchword/server-manager';
import { webServiceServer } from '@watchword/server-ws';

import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, launchBrowser } from '../../packages/core/src/testing/bed/engines/browser.ts';
import { codeNow, dnOf, give, token, withoutLimits } from '../login/people.ts';

const password = 'Tea at six';

let fixture: Fixture;
let browser: Browser;
/** Closed in order. */
const listeners: Listener[] = [];
/** Origins: a page that is listed, one that is not, and the servers, which are of another site than both. */
let [listed, unlisted, manager, ws] = ['', '', '', ''];

beforeAll(async () => {
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'Browser CA', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 };
  const tls = await issueServerCertificate(authority, names, ports);
  const open = async (handler: Handler, host: string): Promise<string> => {
    const listener = await serve(handler, { host: '127.0.0.1', port: 0, tls });
    listeners.push(listener);
    return `https://${host}:${listener.port}`;
  };
  const page = await portal();
  [listed, unlisted] = [await open(page, '127.0.0.1'), await open(page, '127.0.0.1')];
  const origins = { manager_origins: [listed], ws_origins: [listed] };
  fixture = await openFixture({ config: { ...withoutLimits.config, ...origins } });
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Set_User_Password', { dn, password });
  await give(fixture, 'alice', token('TOTP'));
  const { service, core } = fixture;
  manager = await open(managerServer(service, core.config), 'localhost');
  ws = await open(webServiceServer(service), 'localhost');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const listener of listeners) await listener.close();
  await fixture?.close();
});

/** An empty page with the client in it, as a bundler makes it. */
async function portal(): Promise<Handler> {
  const folder = await scratchFolder('portal');
  const entry = fileURLToPath(new URL('../../packages/client/src/index.ts', import.meta.url));
  await build({
    ...{ entry: { client: entry }, outDir: folder, format: 'iife', globalName: 'watchword' },
    ...{ platform: 'browser', config: false, silent: true },
  });
  const script = await readFile(join(folder, 'client.global.js'));
  await rm(folder, { recursive: true });
  const html = '<!doctype html><title>Portal</title><script src="client.js"></script>';
  return webHandler(async ({ url }) =>
    url.pathname.endsWith('/client.js')
      ? { status: 200, headers: { 'content-type': 'text/javascript' }, body: script }
      : { status: 200, headers: { 'content-type': 'text/html' }, body: html },
  );
}

/** Runs a script in the page of an origin, with the client there. */
async function inPage(origin: string, script: string): Promise<unknown> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  const result = await page.evaluate(script);
  await context.close();
  return result;
}

function login(): string {
  fixture.clock.advance(30_000);
  const request = { username: 'alice', ldapPassword: password, otpPassword: codeNow(fixture) };
  return `watchword.createWebServices({ url: '${ws}/' }).otp.normalLogin(${JSON.stringify(request)})
    .then(({ code }) => code, ({ reason }) => reason)`;
}

function count(): string {
  const { username, password } = fixture.admin;
  const options = { url: `${manager}/manag/`, username, password };
  return `watchword.createManager(${JSON.stringify(options)}).Check_LDAP_Object({ dn: '${dnOf(fixture, 'alice')}' })
    .then((result) => result, ({ reason }) => reason)`;
}

describe('a page of an origin that is listed', () => {
  it('logs a user in', async () => expect(await inPage(listed, login())).toBe(1));

  it('calls the Manager', async () => expect(await inPage(listed, count())).toBe(true));
});

describe('a page of an origin that is not listed', () => {
  it('cannot log in: the browser asks first, and no login is tried', async () => {
    const result = fixture.countEvents('OPTIONS otp (rest) is not answered there');
    expect(await inPage(unlisted, login())).toBe('network');
    expect(fixture.countEvents('OPTIONS otp (rest) is not answered there') - result).toBe(1);
    expect(fixture.events().at(-1)?.text).toBe('Refused: OPTIONS otp (rest) is not answered there');
  });

  it('cannot call the Manager', async () => expect(await inPage(unlisted, count())).toBe('network'));

  it('cannot post a form', async () => {
    const form = `fetch('${ws}/otp/json/otpNormalLogin/', {
      method: 'POST', mode: 'no-cors', credentials: 'include', body: 'username=alice',
    }).then(() => 'sent')`;
    expect(await inPage(unlisted, form)).toBe('sent');
    expect(fixture.events().at(-1)?.text).toMatch(/^Refused: .+by a page of another site$/);
  });
});
