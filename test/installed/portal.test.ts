/** What was packed serves people: the Admin Portal and the page of their own, with all files of both; and signs a PDF by a link. */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createManager, createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { readMessage } from '@watchword/core/testing/bed';
import { Agent, fetch, type RequestInit } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyPdf } from './empty-pdf.ts';
import { type Installation, openInstallation, placeOf, type Server } from './installation.ts';

const run = promisify(execFile);
const ada = { username: 'ada', password: 'the first Pa55word' };
const alice = { username: 'alice', password: 'alice-Pa55word' };
const dn = 'uid=alice,ou=people,dc=example,dc=com';

let installation: Installation;
let manager: Server;
let ws: Server;
let agent: Agent;
/** Of the authority of both servers. */
let ca: string;

beforeAll(async () => {
  installation = await openInstallation();
  await installation.write('first-password', `${ada.password}\n`);
  const base = ['--base', 'dc=example,dc=com', '--name', ada.username, '--password-file', 'first-password'];
  await installation.run('watchword-manager', 'init', '--config', 'watchword.yaml', ...base);
  const made = await readFile(join(installation.folder, 'watchword.yaml'), 'utf8');
  const more = [
    'mail: {type: folder, folder: messages}',
    'trusted_callers: ["127.0.0.1/32"]',
    'settings: {Otp.LoginMode: LDAP}',
  ];
  await installation.write('watchword.yaml', [made, ...more, ''].join('\n'));
  manager = await installation.serve('watchword-manager', '--config', 'watchword.yaml');
  ws = await installation.serve('watchword-ws', '--config', 'watchword.yaml');
  ca = await readFile(join(installation.folder, 'data', 'ca.pem'), 'utf8');
  agent = new Agent({ connect: { ca } });
  const transport = nodeTransport({ ca });
  const administrator = createManager({
    url: new URL('manag/', manager.url).href,
    ...ada,
    fetch: transport.fetch,
  });
  const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'Alice', sn: 'Archer' };
  await administrator.Create_LDAP_Object({ dn, attrs: { ...attrs, userpassword: alice.password } });
  await transport.close();
});
afterAll(async () => {
  await agent.close();
  await Promise.all([manager.stop(), ws.stop()]);
  await installation.close();
});

const get = (url: URL, options: RequestInit = {}) => fetch(url, { dispatcher: agent, ...options });
const json = { 'content-type': 'application/json' };

describe.each([
  ['admin', 'server-manager', () => manager],
  ['self', 'server-ws', () => ws],
] as const)('/%s/', (site, packed, server) => {
  it('is a page that runs nothing but its own, with all files that were packed', async () => {
    const at = new URL(`${site}/`, server().url);
    const page = await get(at);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    const named = [...(await page.text()).matchAll(/(?:src|href)="(\/\w+\/[^"]+)"/g)];
    expect(named.length).toBeGreaterThan(1);
    for (const [, path = ''] of named)
      expect([path, (await get(new URL(path, at))).status]).toEqual([path, 200]);
    const folder = join(installation.folder, placeOf(`@watchword/${packed}`), 'dist/portal', site, 'assets');
    const scripts = (await readdir(folder)).filter((name) => /\.(?:js|css)$/.test(name));
    expect(scripts.length).toBeGreaterThan(10);
    for (const name of scripts) {
      const file = await get(new URL(`assets/${name}`, at), { headers: { 'accept-encoding': 'br' } });
      expect([name, file.status, file.headers.get('content-encoding')]).toEqual([name, 200, 'br']);
      expect(file.headers.get('cache-control')).toContain('immutable');
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(0);
    }
  });

  it('signs somebody in, and runs a call', async () => {
    const at = new URL(`${site}/`, server().url);
    const isAdmin = site === 'admin';
    const body = JSON.stringify(isAdmin ? ada : alice);
    const entered = await get(new URL('session', at), { method: 'POST', headers: json, body });
    const result = new Map(Object.entries(Object(await entered.json())));
    expect([entered.status, result.get('kind')]).toEqual([200, 'signed-in']);
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const call = isAdmin ? { method: 'Who_Am_I' } : { method: 'SelfDesk.Overview', params: { dn } };
    const called = await get(new URL('rpc', at), {
      method: 'POST',
      headers: { ...json, cookie, 'x-csrf-token': String(result.get('csrf')) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
    });
    expect(await called.json()).toMatchObject({ id: 1, result: expect.any(Object) });
  });
});

describe('a PDF', () => {
  it('is signed by who follows the link in the mail, by the program that was packed for it', async () => {
    const transport = nodeTransport({ ca });
    const { otp } = createWebServices({ url: ws.url, fetch: transport.fetch });
    const asked = await otp.externSign({
      ...{ recipient: 'zoe@example.net', file: emptyPdf(), mode: 'PADES', async: true, issuer: 'ACME' },
    });
    expect(asked).toMatchObject({ code: 2 });
    const session = 'session' in asked ? (asked.session ?? '') : '';
    const link = await readMessage(join(installation.folder, 'messages'), /extern\?session=\w+/);
    const page = await get(new URL(`otp/${link}`, ws.url));
    expect(await page.text()).toContain('ACME asks you to sign this file');
    const form = new URLSearchParams({ session: link.split('=')[1] ?? '', decision: 'confirm' });
    const said = await get(new URL('otp/extern', ws.url), { method: 'POST', body: form });
    expect(await said.text()).toContain('Thank you');
    const answer = await otp.checkSign({ session });
    await transport.close();
    expect(answer).toMatchObject({ code: 1 });
    const signed = join(installation.folder, 'signed.pdf');
    await writeFile(signed, Buffer.from(String('file' in answer ? answer.file : ''), 'base64'));
    const { stdout } = await run('pdfsig', ['-nocert', signed]);
    expect(stdout).toContain('Signature Validation: Signature is Valid.');
    expect(stdout).toContain('Total document signed');
  });
});
