/**
 * Both bundled servers behind a real nginx, asked by curl from several addresses of loopback: who the client is, is
 * what nginx says, and nobody else can say so.
 */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningServers, readConfiguration, startServers } from '@watchword/cli';
import { Dn } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { type Nginx, type Openssl, openOpenssl, startNginx } from '@watchword/core/testing/bed';
import { type Engines, openEngines } from '@watchword/engines';
import type { CertifiedKey } from '@watchword/pki';
import { managerCommand } from '@watchword/server-manager';
import { webServiceCommand } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const base = 'dc=example,dc=org';
const admin = 'admin:Adm1n-of-all';
const [office, desk, elsewhere] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const systems = '/CN=vpn/description=CLIENT';

let folder: string;
let engines: Engines;
let running: RunningServers;
let openssl: Openssl;
let nginx: Nginx;
const log = new KeptLog();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-proxy-'));
  openssl = await openOpenssl();
  const { config } = readConfiguration(await write('watchword.yaml', settings), {});
  engines = await openEngines(config, log);
  await addAdministrator();
  running = await startServers([managerCommand, webServiceCommand], config, engines);
  const own = await signed('/CN=nginx/description=CLIENT');
  const behind = running.listeners.map(({ url }) => url);
  nginx = await startNginx({ behind, server: await openssl.certify('/CN=localhost'), own });
});
afterAll(async () => {
  await nginx.stop();
  await running.close();
  await openssl.close();
  await rm(folder, { recursive: true });
});

const settings = `
data: data
directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
super_admins: ["uid=admin,${base}"]
manager: {port: 0}
ws: {port: 0}
manager_session: 60
manager_clients: [${office}, ${desk}]
reverse_proxies: [127.0.0.1]
proxy_headers: {certificate: Client-Cert}
websrvs: {otp: {require: certificate}}
limits: {login_failure_delay_ms: 0}
ws_url: https://login.example.com
`;

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

async function addAdministrator(): Promise<void> {
  const dn = Dn.parse(`uid=admin,${base}`);
  const attributes = { objectclass: ['inetOrgPerson'], cn: ['admin'], sn: ['admin'] };
  await engines.directory.service.add(dn, new Map(Object.entries(attributes)));
  await engines.directory.service.setPassword(dn, 'Adm1n-of-all', { mustChange: false });
}

interface Way {
  /** The address that curl asks from. */
  readonly from: string;
  /** Left out: by nginx. */
  readonly directly?: boolean;
  readonly headers?: readonly string[];
  readonly certificate?: CertifiedKey;
}

/** What curl gets: the status, and the body. */
async function curl(server: 'manager' | 'ws', path: string, way: Way, ...more: readonly string[]) {
  const index = server === 'manager' ? 0 : 1;
  const url = way.directly ? running.listeners[index]?.url : nginx.urls[index];
  const headers = (way.headers ?? []).flatMap((header) => ['-H', header]);
  const { certificate } = way;
  const shown = certificate
    ? [
        '--cert',
        await write('cert.pem', certificate.certificate),
        '--key',
        await write('key.pem', certificate.key),
      ]
    : [];
  const to = new URL(path, url).href.replace('localhost', '127.0.0.1');
  const usual = ['-sSk', '--max-time', '20', '--interface', way.from, '-w', '\n%{http_code}'];
  const { stdout } = await run('curl', [...usual, ...headers, ...shown, ...more, to]);
  const [, text = '', status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? [];
  return { text, status: Number(status) };
}

async function call(method: string, params: object, way: Way, login = admin) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await curl('manager', 'manag/', way, '-u', login, '-d', body);
  return { ...answer, ...(answer.text.startsWith('{') && JSON.parse(answer.text)) };
}

async function signed(subject: string): Promise<CertifiedKey> {
  const { key, request } = await openssl.request(subject);
  const { result } = await call('Sign_certificate_Request', { request }, { from: office, directly: true });
  return { key, certificate: String(result) };
}

const statusOf = async (way: Way) => (await curl('ws', 'otp/json/otpStatus/', way)).status;

describe('the address of a client', () => {
  /** The reason of the refusal, or `done`; without an answer of the Manager the status. */
  async function asked(way: Way, login = admin): Promise<string | number> {
    const { result, error, status } = await call('Get_Random_Bytes', { length: 4 }, way, login);
    return error?.reason ?? (result === undefined ? status : 'done');
  }

  it('decides about manager_clients, by nginx as without', async () => {
    expect(await asked({ from: office })).toBe('done');
    expect(await asked({ from: office, directly: true })).toBe('done');
    expect(await asked({ from: elsewhere })).toBe('client_refused');
    expect(await asked({ from: elsewhere, directly: true })).toBe('client_refused');
  });

  it('is not what the client writes', async () => {
    const headers = [`X-Forwarded-For: ${office}`];
    expect(await asked({ from: elsewhere, headers })).toBe('client_refused');
    expect(await asked({ from: elsewhere, headers, directly: true })).toBe('client_refused');
    expect(await asked({ from: office, headers: ['X-Forwarded-For: garbage'] })).toBe('done');
    expect(await asked({ from: '127.0.0.1', directly: true, headers: ['X-Forwarded-For: garbage'] })).toBe(
      400,
    );
  });

  it('stands in the audit', async () => {
    const dn = `ou=people,${base}`;
    await call(
      'Create_LDAP_Object',
      { dn, attrs: { objectclass: ['organizationalUnit'] } },
      { from: office },
    );
    const line = log.lines.findLast(({ fields }) => fields.audit === true)?.message;
    expect(line).toContain(dn);
    expect(line).toContain(`[${office}`);
  });

  it('is the one whose failures are counted', async () => {
    let strangers = 0;
    /** How many are judged before one is refused; a failure comes back every 3 s of a clock that nobody holds. */
    const judged = async (way: Way) => {
      for (let n = 0; n < 100; n += 1) {
        strangers += 1;
        if ((await asked(way, `nobody-${strangers}:wrong`)) === 'too_many_attempts') return n;
      }
      return Number.POSITIVE_INFINITY;
    };
    expect(await judged({ from: desk })).toBeGreaterThanOrEqual(20);
    expect(await judged({ from: desk, directly: true })).toBeLessThan(20);
    expect(await asked({ from: office }, 'nobody:wrong')).toBe('credentials_refused');
  });
});

it('descriptions name the address that clients use, whatever host nginx asks for', async () => {
  const addresses = async (way: Way) => {
    const { text } = await curl('ws', 'otp?wsdl', way);
    const index = await curl('ws', '', way);
    return [/<soap:address location="([^"]+)"/.exec(text)?.[1], /SOAP +(\S+)/.exec(index.text)?.[1]];
  };
  const outer = 'https://login.example.com/otp/';
  expect(await addresses({ from: office })).toEqual([outer, outer]);
  expect(await addresses({ from: office, directly: true })).toEqual([outer, outer]);
});

it('a session goes on by nginx as without', async () => {
  const jar = join(folder, 'jar');
  const body = ['-d', '{"jsonrpc": "2.0", "id": 1, "method": "Get_Random_Bytes", "params": {"length": 4}}'];
  for (const way of [{ from: office }, { from: office, directly: true }]) {
    const begun = await curl('manager', 'manag/', way, '-u', admin, '-c', jar, ...body);
    expect([begun.status, await readFile(jar, 'utf8')]).toEqual([200, expect.stringContaining('SVCMANAG')]);
    expect((await curl('manager', 'manag/', way, '-b', jar, ...body)).status).toBe(200);
    await rm(jar);
  }
});

describe('the certificate of a client', () => {
  let vpn: CertifiedKey;
  beforeAll(async () => {
    vpn = await signed(systems);
  });

  it('opens a service', async () => {
    expect(await statusOf({ from: elsewhere, certificate: vpn })).toBe(200);
    expect(await statusOf({ from: elsewhere, certificate: vpn, directly: true })).toBe(200);
  });

  it('is not that of nginx, and not what the client writes', async () => {
    const { raw } = new X509Certificate(vpn.certificate);
    const headers = [`Client-Cert: :${raw.toString('base64')}:`];
    expect(await statusOf({ from: elsewhere })).toBe(401);
    expect(await statusOf({ from: elsewhere, headers })).toBe(401);
    expect(await statusOf({ from: elsewhere, headers, directly: true })).toBe(401);
    const certificate = await openssl.certify(systems);
    expect(await statusOf({ from: elsewhere, headers, certificate })).toBe(401);
    expect(await statusOf({ from: '127.0.0.1', headers, directly: true })).toBe(200);
  });

  it('is checked here, whatever nginx lets pass', async () => {
    expect(await statusOf({ from: elsewhere, certificate: await openssl.certify(systems) })).toBe(401);
    const administrators = await signed(`/CN=uid=admin,${base}/description=ADMIN`);
    expect(await statusOf({ from: elsewhere, certificate: administrators })).toBe(401);
  });

  it('opens nothing any more when it is revoked', async () => {
    const serial = new X509Certificate(vpn.certificate).serialNumber;
    const way = { from: office, directly: true };
    expect((await call('Revoke_Certificate', { serial }, way)).result).toBe(true);
    expect(await statusOf({ from: elsewhere, certificate: vpn })).toBe(401);
  });
});
