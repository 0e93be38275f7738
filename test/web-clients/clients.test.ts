/** Clients of the field over HTTPS, on the WSDL that the server gives them: status, logins, a challenge, a fault. */
import { execFile } from 'node:child_process';
import { scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sms } from '@watchword/core';
import { type Fixture, openFixture, openOpenssl } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { webServiceServer } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeScryptHash } from '../../packages/core/src/foundation/text/secret/scrypt-hash.ts';
import { KeptSender } from '../../packages/core/src/messaging/testing/kept-sender.ts';
import { codeNow, give, token, withoutLimits } from '../login/people.ts';
import { restClients, type Server, soapClients } from './clients.ts';

const sms = new KeptSender<Sms>();
const account = 'portal-Pä55';
function hashOf(secret: string): string {
  const salt = Buffer.from('salt of a test.');
  const [N, r, p] = [2 ** 14, 8, 1];
  return writeScryptHash({ ln: 14, r, p, salt, hash: scryptSync(secret, salt, 32, { N, r, p }) });
}

/** What it is made of shows that every character comes through. */
const [username, password] = ['alice', 'Pä55 <b>&"\'+%€'];

let fixture: Fixture;
let listener: Listener;
let folder: string;
let server: Server;
beforeAll(async () => {
  const clients = { portal: { allowed_options: ['-LDAP' as const] } };
  fixture = await openFixture({
    config: { ...withoutLimits.config, clients, sms_accounts: { portal: { hash: hashOf(account) } } },
    ports: () => ({ senders: { sms } }),
  });
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Set_User_Password', { dn, password });
  await give(fixture, username, token('TOTP'));
  folder = await mkdtemp(join(tmpdir(), 'watchword-clients-'));
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'Clients CA', days: 2 }, ports);
  const tls = await issueServerCertificate(
    authority,
    { names: ['localhost'], addresses: [], days: 1 },
    ports,
  );
  await writeFile(join(folder, 'alice.pem'), await certificateOf(dn));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authority.certificate);
  listener = await serve(webServiceServer(fixture.service), {
    host: 'localhost',
    port: 0,
    tls,
  });
  server = { url: listener.url, ca };
});
afterAll(async () => {
  await listener.close();
  await fixture.close();
  await rm(folder, { recursive: true });
});

/** Signed for Alice, and set on her entry. @returns PEM */
async function certificateOf(dn: string): Promise<string> {
  const openssl = await openOpenssl();
  const subject = `/CN=Default\\\\${username}/UID=${username}/DC=Default/description=USER`;
  const { request } = await openssl.request(subject);
  await openssl.close();
  const { result } = await fixture.call('Sign_certificate_Request', { request });
  const pem = String(result);
  const usercertificate = [pem.replace(/-----[^-]+-----|\s/g, '')];
  await fixture.call('Set_User_Attrs', { dn, attrs: { usercertificate }, values: true });
  return pem;
}

/** Each login has a code of its own. */
function nextCode(): string {
  fixture.clock.advance(30_000);
  return codeNow(fixture);
}

describe.each(Object.entries({ ...soapClients, ...restClients }))('%s', (_, client) => {
  it('asks how the service is', async () => {
    const answer = await client('otpStatus', {}, server);
    expect(String(answer.status)).toBe('true');
    expect(answer.message).toMatch(/^Server: .+\nSystem: .+\nListener: /);
  });

  it('logs in, with null where the domain would stand', async () => {
    const fields = { username, domain: null, ldapPassword: password, otpPassword: nextCode() };
    const answer = await client('otpNormalLogin', fields, server);
    expect(answer).toMatchObject({ message: 'Authentication success' });
    expect([Number(answer.code), answer.error || '']).toEqual([1, '']);
    const again = await client('otpNormalLogin', fields, server);
    expect(again).toMatchObject({ error: 'AuthFailed', message: 'Invalid username or password' });
    expect(Number(again.code)).toBe(0);
  });

  it('sends an SMS to several numbers', async () => {
    const before = sms.taken.length;
    const fields = {
      username: 'portal',
      password: account,
      mobile: { String: ['+491511111111', '+491522222222'] },
    };
    const answer = await client(
      'smsSend',
      { ...fields, text: 'Grüße & <mehr>', type: null, sender: 'Example' },
      server,
    );
    expect(answer).toMatchObject({ message: 'SMS send success' });
    await sms.message(before + 2);
    expect(
      sms.taken
        .slice(before)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(['+491511111111', '+491522222222']);
    expect(sms.taken.at(-1)).toMatchObject({ text: 'Grüße & <mehr>', sender: 'Example', isFlash: false });
    const signing = { ...fields, mobile: { String: ['+491511111111'] }, text: 'A link', timeout: '60' };
    expect(await client('smsSign', signing, server)).toMatchObject({ message: 'SMS send success' });
    await sms.message(before + 3);
    expect(String((await client('smsStatus', {}, server)).status)).toBe('true');
    fixture.clock.advance(86_400_000);
  });

  it('is challenged and answers', async () => {
    const asked = await client('otpNormalLogin', { username, domain: null, ldapPassword: password }, server);
    expect(asked).toMatchObject({ message: 'Enter your TOKEN password', otpChallenge: 'TOKEN' });
    const answer = { username, domain: null, session: String(asked.session), otpPassword: nextCode() };
    expect(await client('otpChallenge', answer, server)).toMatchObject({ message: 'Authentication success' });
  });
});

describe.each(Object.entries(soapClients))('%s', (_, client) => {
  it('asks with the name only, as plug-ins of two steps do, and answers with the code', async () => {
    const ask = { username, domain: null, anyPassword: null, client: 'portal', source: null, settings: null };
    const asked = await client('otpSimpleLogin', { ...ask, options: '-LDAP' }, server);
    expect(asked).toMatchObject({ message: 'Enter your TOKEN password', otpChallenge: 'TOKEN' });
    expect([Number(asked.code), Number(asked.timeout)]).toEqual([2, 90]);
    const answer = { username, domain: null, session: String(asked.session), otpPassword: nextCode() };
    expect(await client('otpChallenge', answer, server)).toMatchObject({ message: 'Authentication success' });
    const nobody = await client('otpSimpleLogin', { ...ask, username: 'nobody', options: '-LDAP' }, server);
    expect({ ...nobody, session: '' }).toEqual({ ...asked, session: '' });
  });

  it('understands a fault', async () => {
    const answer = await client('otpLogin', { username: 'x'.repeat(1 << 17) }, server);
    expect(answer).toMatchObject({
      fault: expect.stringMatching(/Client$/),
      text: expect.stringContaining('a request body has at most 65536 bytes'),
    });
  });
});

describe('ten megabytes', () => {
  it.each(['otp/', 'otp/json/otpNormalLogin/'])('to %s are refused, and kept nowhere', async (path) => {
    const file = join(folder, 'large');
    await writeFile(file, `<a>${'x'.repeat(10 << 20)}</a>`);
    const send = () =>
      promisify(execFile)('curl', [
        '-sS',
        '--cacert',
        server.ca,
        '--data-binary',
        `@${file}`,
        server.url + path,
      ]);
    expect((await send()).stdout).toContain('a request body has at most 1048576 bytes');
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 10; n += 1) await send();
    expect(process.memoryUsage().rss - before).toBeLessThan(50 << 20);
  });
});

describe('the guide', () => {
  const guide = readFileSync(new URL('../../docs/guide/web-services.md', import.meta.url), 'utf8');
  const shown = [...guide.matchAll(/^((?:\w+=\$\()?curl [\s\S]*?)\n# (.+)$/gm)].map(
    ([, line = '', answer = '']) => ({
      line,
      answer,
    }),
  );

  it('is found', () => {
    expect(shown.length).toBeGreaterThan(3);
  });

  it.each(shown)('$line', async ({ line, answer }) => {
    const command = line.replaceAll('data/ca.pem', '$CA').replaceAll('https://localhost:8443/', server.url);
    const env = { PATH: process.env.PATH, CA: server.ca, PASSWORD: password, CODE: nextCode() };
    const { stdout } = await promisify(execFile)('bash', ['-c', command], { env, cwd: folder });
    expect(stdout).toBe(answer);
  });
});
