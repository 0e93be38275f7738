/**
 * What both bundled servers tell browsers and caches with every answer, and how they speak TLS: asked by curl and by
 * `openssl s_client`, directly and through a real nginx.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningServers, readConfiguration, startServers } from '@watchword/cli';
import { KeptLog } from '@watchword/core/testing';
import { type Nginx, type Openssl, openOpenssl, startNginx } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';
import { managerCommand } from '@watchword/server-manager';
import { webServiceCommand } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const base = 'dc=example,dc=org';
const servers = ['manager', 'ws'] as const;
type Server = (typeof servers)[number];

let folder: string;
let running: RunningServers;
let openssl: Openssl;
let nginx: Nginx;
const log = new KeptLog();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-hardening-'));
  await writeFile(join(folder, 'watchword.yaml'), settings, { mode: 0o600 });
  openssl = await openOpenssl();
  const { config } = readConfiguration(join(folder, 'watchword.yaml'), {});
  running = await startServers([managerCommand, webServiceCommand], config, await openEngines(config, log));
  const behind = running.listeners.map(({ url }) => url);
  const own = await openssl.certify('/CN=nginx');
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
reverse_proxies: [127.0.0.1]
limits: {login_failure_delay_ms: 0}
`;

type Way = 'directly' | 'through nginx';

function addressOf(server: Server, way: Way): string {
  const index = servers.indexOf(server);
  return (way === 'directly' ? running.listeners[index]?.url : nginx.urls[index]) ?? '';
}

interface Answer {
  readonly status: number;
  /** Each line of the head, the name in small letters. */
  readonly headers: readonly string[];
}

async function curl(url: string, ...options: readonly string[]): Promise<Answer> {
  const usual = ['-sSk', '--max-time', '20', '-D', '-', '-o', join(folder, 'body')];
  const { stdout } = await run('curl', [...usual, ...options, url]);
  return read(stdout);
}

function read(text: string): Answer {
  const [status = '', ...lines] = text.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [];
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(status)?.[1]),
    headers: lines.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())),
  };
}

const port = (url: string) => Number(new URL(url).port);

/** Sends bytes that no client would, over TLS. */
async function raw(server: Server, ...lines: readonly string[]): Promise<Answer> {
  const to = `127.0.0.1:${port(addressOf(server, 'directly'))}`;
  const child = spawn('openssl', ['s_client', '-quiet', '-connect', to], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.write(`${lines.join('\r\n')}\r\n\r\n`);
  const text = Buffer.concat(await child.stdout.toArray()).toString();
  if (child.exitCode === null) await once(child, 'exit');
  return read(text);
}

const safe = [
  'cache-control: no-store',
  'strict-transport-security: max-age=31536000',
  'x-content-type-options: nosniff',
];

/** Those lines that are about safety, in order: each has to be there once. */
const safety = ({ headers }: Answer) =>
  headers
    .filter((line) => /^(?:cache-control|strict-transport-security|x-content-type-options):/.test(line))
    .toSorted();

const status = '{"jsonrpc": "2.0", "id": 1, "method": "Server_Status"}';
const asked: [what: string, number, Server, path: string, ...options: string[]][] = [
  ['health', 200, 'manager', 'healthz'],
  ['readiness', 200, 'manager', 'readyz'],
  ['health, by a wrong method', 405, 'manager', 'healthz', '-X', 'DELETE'],
  ['a wrong method', 405, 'manager', 'manag/'],
  ['no login', 401, 'manager', 'manag/', '-d', status],
  ['a wrong login', 401, 'manager', 'manag/', '-d', status, '-u', 'admin:wrong'],
  ['a form of another site', 403, 'manager', 'manag/', '-d', status, '-H', 'Sec-Fetch-Site: cross-site'],
  ['nothing there', 404, 'manager', 'nothing'],
  ['a description', 200, 'manager', 'websrvs/wsdl.php?websrv=otp'],
  ['the authority', 200, 'manager', 'cacert'],
  ['revoked certificates', 200, 'manager', 'crl'],
  ['how a certificate stands', 200, 'manager', 'ocsp/', '-d', 'x'],
  ['a Host header that makes no address', 400, 'manager', 'healthz', '-H', 'Host: xn--'],
  ['health', 200, 'ws', 'healthz'],
  ['readiness', 200, 'ws', 'readyz'],
  ['the index', 200, 'ws', ''],
  ['a description', 200, 'ws', 'otp?wsdl'],
  ['the authority', 200, 'ws', 'cacert'],
  ['revoked certificates', 200, 'ws', 'crl'],
  ['REST', 200, 'ws', 'otp/json/otpStatus/'],
  ['REST without an operation', 404, 'ws', 'otp/json/nothing/'],
  ['REST from another site', 403, 'ws', 'otp/json/otpStatus/', '-H', 'Sec-Fetch-Site: cross-site'],
  ['a fault of SOAP', 500, 'ws', 'otp/', '-d', 'no XML'],
  ['a wrong method', 405, 'ws', 'otp/json/otpStatus/', '-X', 'DELETE'],
  ['nothing there', 404, 'ws', 'nothing'],
  ['the page of a QR code', 404, 'ws', 'otp/mobile?session=x'],
  ['a page that posts', 400, 'ws', 'otp/mobile', '-d', 'x', '-H', 'Content-Type: application/json'],
  ['a Host header that makes no address', 400, 'ws', 'healthz', '-H', 'Host: xn--'],
  ['an expectation that nobody has', 417, 'ws', 'healthz', '-H', 'Expect: miracles'],
];

describe.each<Way>(['directly', 'through nginx'])(
  'every answer, %s, says once that it is not kept',
  (way) => {
    // What nginx itself refuses, it answers itself.
    const reached = asked.filter(
      ([, , , , ...options]) => way === 'directly' || !/Host|Expect/.test(options.join()),
    );

    it.each(reached)('%s: %i of %s', async (_, expected, server, path, ...options) => {
      const answer = await curl(`${addressOf(server, way)}${path}`, ...options);
      expect([answer.status, ...safety(answer)]).toEqual([expected, ...safe]);
    });
  },
);

it.each<[string, number, string[]]>([
  ['no Host header', 400, ['GET /healthz HTTP/1.1', 'Connection: close']],
  ['what makes no address in HTTP/1.0 either', 400, ['GET /healthz HTTP/1.0', 'Host: a b']],
  ['no HTTP', 400, ['hello']],
  ['a header that is none', 400, ['GET / HTTP/1.1', 'Host: a', ': x', 'Connection: close']],
  ['headers that are too long', 431, ['GET / HTTP/1.1', 'Host: a', `X: ${'x'.repeat(20_000)}`]],
])('and so does what is refused before it is a request: %s', async (_, expected, lines) => {
  for (const server of servers) {
    const answer = await raw(server, ...lines);
    expect([answer.status, ...safety(answer)]).toEqual([expected, ...safe]);
  }
});

it('a request that the client made wrong is no error in the log', () => {
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

describe.each(servers)('TLS of the server %s', (server) => {
  /** What `openssl s_client` agrees on with it: `TLSv1.2 ECDHE-…`, or that it comes to nothing. */
  async function agreed(...options: readonly string[]): Promise<string> {
    const to = `127.0.0.1:${port(addressOf(server, 'directly'))}`;
    const asking = run('openssl', ['s_client', '-connect', to, ...options]);
    asking.child.stdin?.end();
    const { stdout } = await asking.catch((error: { stdout: string }) => error);
    const [, version, suite] = /^New, (\S+), Cipher is (\S+)$/m.exec(stdout) ?? [];
    return suite === undefined || suite === '(NONE)' ? 'nothing' : `${version} ${suite}`;
  }

  it.each([
    ['-tls1_3', /^TLSv1\.3 TLS_AES_256_GCM_SHA384$/],
    ['-tls1_2', /^TLSv1\.2 ECDHE-ECDSA-AES256-GCM-SHA384$/],
  ])('is spoken by %s', async (version, suite) => {
    expect(await agreed(version)).toMatch(suite);
  });

  it.each(['-tls1_1', '-tls1'])('is not spoken by %s', async (version) => {
    expect(await agreed(version, '-cipher', 'ALL:@SECLEVEL=0')).toBe('nothing');
  });

  it.each(['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'])(
    'of version 1.2 is spoken with %s',
    async (suite) => {
      expect(await agreed('-tls1_2', '-cipher', suite)).toBe(`TLSv1.2 ${suite}`);
    },
  );

  it.each([
    'ECDHE-ECDSA-AES256-SHA384',
    'ECDHE-ECDSA-AES128-SHA256',
    'ECDHE-ECDSA-AES256-SHA',
    'ECDHE-ECDSA-AES128-SHA',
    'ALL:!AESGCM:!CHACHA20:!AESCCM:@SECLEVEL=0',
    'AESCCM',
    'kRSA:kDHE:@SECLEVEL=0',
  ])('of version 1.2 is not spoken with %s', async (suites) => {
    expect(await agreed('-tls1_2', '-cipher', suites)).toBe('nothing');
  });
});
