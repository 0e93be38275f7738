/** The Admin Portal where `admin_auth` is PKI: over TLS with certificates of all kinds, behind a proxy, and in a browser that has one. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { administratorSubject, type Openssl, openOpenssl } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { type CertifiedKey, openAuthority } from '@watchword/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOf } from './axe.ts';
import { type Ground, openGround } from './ground.ts';

const day = 86_400_000;
const extensions = ['keyUsage = keyCertSign, cRLSign'];

let openssl: Openssl;
let authority: CertifiedKey;
let ground: Ground;
let trusted: string;
let manager: Manager;
let own: CertifiedKey;

beforeAll(async () => {
  openssl = await openOpenssl();
  authority = await openssl.certify('/CN=Issuing', { isAuthority: true, extensions });
  ground = await openGround({
    WATCHWORD_ADMIN_AUTH: 'PKI',
    // Programs of this machine get in with a password alone.
    WATCHWORD_MANAGER_CLIENTS: '"127.0.0.1", "::1"',
    WATCHWORD_CA__CERTIFICATE: await fileOf('issuing.pem', authority.certificate),
    WATCHWORD_CA__KEY: await fileOf('issuing.key', authority.key),
    WATCHWORD_LIMITS__LOGIN_FAILURE_DELAY_MS: '0',
    WATCHWORD_LIMITS__USER_FAILURES: '1000',
  });
  trusted = await readFile(ground.ca, 'utf8');
  const { username, password } = ground.administrator;
  const { fetch } = nodeTransport({ ca: trusted });
  manager = createManager({ url: ground.manager, username, password, fetch });
  own = await enrol(administratorSubject(ground.administrator.dn));
});
afterAll(async () => {
  await ground.close();
  await openssl.close();
});

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(openssl.folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

async function enrol(subject: string): Promise<CertifiedKey> {
  const { key, request: csr } = await openssl.request(subject);
  return { key, certificate: String(await manager.Sign_certificate_Request({ request: csr, expires: 7 })) };
}

const revoke = ({ certificate }: CertifiedKey) =>
  manager.Revoke_Certificate({ serial: new X509Certificate(certificate).serialNumber });

interface Visit {
  readonly shown?: Partial<CertifiedKey>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Of the site; left out: of the first node. */
  readonly admin?: string;
}

/** Asks for `/admin/session`: signs in where there is a body. */
async function visit({ shown = {}, headers = {}, body, admin = ground.admin }: Visit) {
  const sent = request(new URL('session', admin), {
    ...{ ca: trusted, cert: shown.certificate, key: shown.key, agent: false },
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(body && JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  const [cookie = ''] = answer.headers['set-cookie']?.[0]?.split(';') ?? [];
  return { status: answer.statusCode, cookie, ...JSON.parse(await text(answer)) };
}

const signIn = (shown: Partial<CertifiedKey>, more: object = {}) =>
  visit({ shown, body: { password: ground.administrator.password, ...more } });

const refused = { status: 401, cookie: '', reason: 'credentials_refused' };

describe('over TLS', () => {
  it('lets in who shows the certificate and the password, and runs calls with both only', async () => {
    const entered = await signIn(own);
    expect(entered).toMatchObject({ status: 200, kind: 'signed-in', administrator: ground.administrator.dn });
    const headers = { cookie: entered.cookie };
    expect(await visit({ shown: own, headers })).toMatchObject({ signedIn: true });
    const another = await enrol(administratorSubject(ground.administrator.dn));
    expect(await visit({ shown: another, headers })).toMatchObject({ signedIn: false, certificate: 'taken' });
    expect(await visit({ headers })).toMatchObject({ signedIn: false, certificate: 'none' });
    expect(await visit({ shown: own, headers })).toMatchObject({ signedIn: true });
    await revoke(own);
    expect(await visit({ shown: own, headers })).toMatchObject({ signedIn: false });
    expect(await signIn(own)).toMatchObject(refused);
    own = another;
  });

  it('refuses who shows none, or has not the password of its holder', async () => {
    expect(await visit({})).toMatchObject({ signedIn: false, mode: 'PKI', certificate: 'none' });
    expect(await signIn({})).toMatchObject({ ...refused, message: expect.stringContaining('needed') });
    expect(await signIn(own, { password: 'wrong' })).toMatchObject(refused);
    expect(await signIn(own, { password: ground.carol.password })).toMatchObject(refused);
    expect(await signIn(own, { username: 'carol', password: ground.carol.password })).toMatchObject(refused);
    expect(await signIn(own, { username: 'carol' })).toMatchObject(refused);
  });

  it('refuses certificates of another authority, out of time, and put on record nowhere', async () => {
    const subject = administratorSubject(ground.administrator.dn);
    const namesake = await openssl.certify('/CN=Issuing', { isAuthority: true, extensions });
    const past = { ...systemClock, now: () => systemClock.now() - 30 * day };
    const { key, request: csr } = await openssl.request(subject);
    const issuing = await openAuthority(authority, { clock: past, random: systemRandom });
    const url = 'https://localhost/crl';
    const { pem } = await issuing.issue(await issuing.read(csr), {
      days: 1,
      listUrl: url,
      statusUrl: url,
    });
    for (const shown of [
      await openssl.certify(subject),
      await openssl.certify(subject, { by: namesake }),
      { key, certificate: pem },
    ]) {
      expect(await visit({ shown })).toMatchObject({ signedIn: false, certificate: 'unfit' });
      expect(await signIn(shown)).toMatchObject(refused);
    }
    // TLS takes it, and nobody has signed it here for anybody.
    const smuggled = await openssl.certify(subject, { by: authority });
    expect(await signIn(smuggled)).toMatchObject(refused);
  });

  it('refuses the certificate of somebody who is no administrator, and of a calling system', async () => {
    const { carol } = ground;
    const shown = await enrol(administratorSubject(carol.dn));
    expect(await signIn(shown, { password: carol.password })).toMatchObject(refused);
    expect(await signIn(shown)).toMatchObject(refused);
    const system = await enrol('/CN=vpn/description=CLIENT');
    expect(await signIn(system)).toMatchObject(refused);
  });

  it('takes the certificate that a proxy passes on, and from a proxy no other', async () => {
    const { admin, close } = await ground.startNode({
      WATCHWORD_REVERSE_PROXIES: '"127.0.0.1", "::1"',
      WATCHWORD_PROXY_HEADERS__CERTIFICATE: 'Client-Cert',
    });
    const passed = ({ certificate }: CertifiedKey) => ({
      'client-cert': `:${new X509Certificate(certificate).raw.toString('base64')}:`,
    });
    const body = { password: ground.administrator.password };
    try {
      expect(await visit({ admin, body, headers: passed(own) })).toMatchObject({
        status: 200,
        kind: 'signed-in',
      });
      const forged = await openssl.certify(administratorSubject(ground.administrator.dn));
      expect(await visit({ admin, headers: passed(forged) })).toMatchObject({ certificate: 'unfit' });
      expect(await visit({ admin, body, headers: passed(forged), shown: own })).toMatchObject(refused);
      expect(await visit({ admin, body, shown: own })).toMatchObject(refused);
      // Whoever comes past the proxy writes what he likes into the header.
      expect(await visit({ body, headers: passed(own) })).toMatchObject(refused);
    } finally {
      await close();
    }
  });
});

describe('in a browser', () => {
  const having = ({ certificate, key }: CertifiedKey) =>
    ground.open({
      locale: 'en-US',
      clientCertificates: [
        { origin: new URL(ground.admin).origin, cert: Buffer.from(certificate), key: Buffer.from(key) },
      ],
    });

  it('a certificate and the password let in, until it is revoked', async () => {
    const shown = await enrol(administratorSubject(ground.administrator.dn));
    const page = await having(shown);
    await page.goto(ground.admin);
    await page.getByText('Your browser has shown a certificate.').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('the certificate is not that of an administrator').waitFor();
    await page.getByLabel('Password').fill(ground.administrator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
    await revoke(shown);
    await page.getByRole('link', { name: 'Directory' }).click();
    await page.getByText('Your session is over. Please sign in again.').waitFor();
  });

  it('without one, the page says what to do, and asks for no password', async () => {
    const page = await ground.open({ locale: 'en-US' });
    await page.goto(ground.admin);
    await page.getByRole('alert').getByText('Choose yours when the browser asks.').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await findingsOf(page)).toEqual([]);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Look again' }).click()]);
    await page.getByRole('alert').getByText('your browser has shown none').waitFor();
  });

  it('with one that is not taken, it says so', async () => {
    const page = await having(await openssl.certify(administratorSubject(ground.administrator.dn)));
    await page.goto(ground.admin);
    await page.getByRole('alert').getByText('it is of another authority, or out of time').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
  });
});
