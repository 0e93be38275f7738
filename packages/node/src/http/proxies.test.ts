import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Peer } from '../../../core/src/foundation/http/http.ts';
import { plainText } from '../../../core/src/foundation/http/response.ts';
import { clientCertificate } from '../../../core/src/testing/bed/client-certificate.ts';
import { type Openssl, openOpenssl } from '../../../core/src/testing/bed/engines/openssl.ts';
import { fixedHandler } from '../../../core/src/testing/bed/fixed-handler.ts';
import { KeptLog } from '../../../core/src/testing/kept-log.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { type CertifiedKey, createAuthority, issueServerCertificate } from '../../../pki/src/index.ts';
import { systemClock, systemRandom } from '../machine/index.ts';
import { behindProxies, type ProxyOptions } from './index.ts';
import { webHandler } from './web.ts';

const ports = { clock: systemClock, random: systemRandom };
const local = { names: ['localhost'], addresses: [], days: 1 };
const day = 86_400_000;

let authority: CertifiedKey;
let client: X509Certificate;
let openssl: Openssl;
beforeAll(async () => {
  openssl = await openOpenssl();
  authority = await createAuthority({ commonName: 'test CA', days: 3 }, ports);
  client = new X509Certificate(clientCertificate(authority).certificate);
});

afterAll(() => openssl.close());

const usual = (): ProxyOptions => ({
  proxies: ['10.0.0.0/8', '2001:db8::5'],
  headers: { address: 'X-Forwarded-For', certificate: 'X-Client-Cert' },
  ca: authority.certificate,
  clock: systemClock,
});

const proxy: Peer = { address: '10.0.0.5', port: 40_000 };
const asked = (headers: HeadersInit) => new Request('https://localhost/', { headers });

const telling = webHandler(async ({ address, port, certificate }) =>
  plainText(200, JSON.stringify({ address, port, certificate })),
);

/** Returns the client that the handler sees; 400 if it was not called. */
async function clientOf(headers: HeadersInit, from: Peer = proxy, options: Partial<ProxyOptions> = {}) {
  const handler = behindProxies(telling, { ...usual(), ...options });
  const response = await handler(asked(headers), from);
  return response.status === 200 ? ((await response.json()) as Peer) : response.status;
}

const addressOf = async (header: string, from?: Peer) => {
  const peer = await clientOf({ 'x-forwarded-for': header }, from);
  return typeof peer === 'number' ? peer : peer.address;
};

describe('address of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7, 10.1.1.1', '192.0.2.7'],
    ['198.51.100.1, 192.0.2.7', '192.0.2.7'],
    ['garbage, 192.0.2.7,10.1.1.1 ,\t2001:db8::5', '192.0.2.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['192.0.2.7, ::ffff:10.1.1.1', '192.0.2.7'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['192.0.2.7:443', '192.0.2.7'],
    ['[2001:db8::7]:50123', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['192.0.2.7:1, 10.1.1.1:50123', '192.0.2.7'],
  ])('takes the rightmost address in %j that is not a proxy: %s', async (header, address) => {
    expect(await addressOf(header)).toBe(address);
  });

  it.each([
    '',
    ' ',
    'garbage',
    '192.0.2.7, unknown',
    '192.0.2.7,',
    '192.0.2.7:123456',
    '[192.0.2.7',
    '[garbage]:1',
    '192.0.2.7, fe80::1%eth0',
  ])('refuses a request when a proxy writes %j', async (header) => {
    expect(await addressOf(header)).toBe(400);
  });

  it('uses the address of the proxy without the header', async () => {
    expect(await clientOf({})).toEqual({ address: '10.0.0.5', port: 0 });
  });

  it('reads all headers of that name', async () => {
    const headers = new Headers({ 'x-forwarded-for': '192.0.2.7' });
    headers.append('X-Forwarded-For', '192.0.2.8');
    expect(await clientOf(headers)).toMatchObject({ address: '192.0.2.8' });
  });

  it.each(['10.255.0.1', '::ffff:10.0.0.5', '2001:db8:0::5'])(
    'trusts the header from %s',
    async (address) => {
      expect(await addressOf('192.0.2.7', { address, port: 1 })).toBe('192.0.2.7');
    },
  );

  it.each(['11.0.0.5', '::ffff:11.0.0.5', '2001:db8::6', '127.0.0.1', ''])(
    'trusts neither address nor certificate from %j',
    async (address) => {
      const peer = { address, port: 1 };
      const headers = {
        'x-forwarded-for': '192.0.2.7',
        'x-client-cert': `:${client.raw.toString('base64')}:`,
      };
      expect(await clientOf(headers, peer)).toEqual(peer);
    },
  );

  it('uses the certificate of the connection when no proxy is listed', async () => {
    const handler = fixedHandler();
    expect(behindProxies(handler, { ...usual(), proxies: [] })).toBe(handler);
  });
});

it('aborts the signal of a client when the proxy closes its connection', async () => {
  const { signal } = new AbortController();
  let known: Peer | undefined;
  const noting = webHandler(async ({ address, port, signal }) => {
    known = { address, port, signal };
    return plainText(200, '');
  });
  const handler = behindProxies(noting, usual());
  await handler(asked({ 'x-forwarded-for': '192.0.2.7' }), { ...proxy, signal });
  expect(known).toEqual({ address: '192.0.2.7', port: 0, signal });
});

describe('certificate of a client', () => {
  const certificateOf = async (header: string, options: Partial<ProxyOptions> = {}) => {
    const peer = await clientOf({ 'x-client-cert': header }, proxy, options);
    return typeof peer === 'number' ? peer : peer.certificate;
  };
  const base64 = () => client.raw.toString('base64');
  const pem = () => client.toString();
  const header = (certificate: X509Certificate) => `:${certificate.raw.toString('base64')}:`;

  it.each<[string, () => string]>([
    ['RFC 9440', () => `:${base64()}:`],
    ['URL-escaped PEM (nginx)', () => encodeURIComponent(pem())],
    ['PEM with blanks (Apache)', () => pem().replaceAll('\n', ' ')],
    ['PEM on one line', () => pem().trim().replaceAll('\n', ' ')],
    ['base64 (HAProxy)', base64],
  ])('is read as %s', async (_, text) => {
    expect(await certificateOf(text())).toEqual({ pem: pem(), authorized: true });
  });

  it.each(['', '(null)'])('is absent when a proxy writes %j', async (text) => {
    expect(await certificateOf(text)).toBeUndefined();
  });

  it.each<[string, () => string]>([
    ['text', () => 'hello'],
    ['an empty sequence', () => '::'],
    ['two of them', () => `:${base64()}:, :${base64()}:`],
    ['two PEM blocks', () => `${pem()}${pem()}`.replaceAll('\n', ' ')],
    ['two escaped ones', () => encodeURIComponent(pem() + pem())],
    ['bytes behind its end', () => `:${Buffer.concat([client.raw, Buffer.alloc(3)]).toString('base64')}:`],
    ['half of one', () => `:${base64().slice(0, 400)}:`],
    ['other characters', () => `:${base64().replace('A', '*')}:`],
    ['a stray %', () => `${encodeURIComponent(pem())}%`],
    ['a long one', () => 'A'.repeat(100_000)],
  ])('is refused when a proxy writes %s', async (_, text) => {
    expect(await certificateOf(text())).toBe(400);
  });

  it('ignores the certificate of the proxy itself', async () => {
    const own = { ...proxy, certificate: { pem: pem(), authorized: true } };
    expect(await clientOf({ 'x-forwarded-for': '192.0.2.7' }, own)).toEqual({
      address: '192.0.2.7',
      port: 0,
    });
    expect(await clientOf({}, own)).toEqual({ address: '10.0.0.5', port: 0 });
  });

  it('reads no certificate when no header is configured', async () => {
    const headers = { address: 'X-Forwarded-For' };
    expect(await certificateOf(header(client), { headers })).toBeUndefined();
  });

  it('trusts a certificate of the authority, and none of another authority of that name', async () => {
    for (const keyType of ['P-256', 'RSA-2048'] as const) {
      const impostor = await createAuthority({ commonName: 'test CA', days: 1, keyType }, ports);
      const forged = new X509Certificate(clientCertificate(impostor).certificate);
      expect(await certificateOf(header(forged))).toMatchObject({ authorized: false });
      const ca = impostor.certificate + authority.certificate;
      expect(await certificateOf(header(forged), { ca })).toMatchObject({ authorized: true });
    }
    expect(await certificateOf(header(client), { ca: undefined })).toMatchObject({ authorized: false });
  });

  it('trusts neither the issuer’s name without its key, nor its key without the name', async () => {
    const usages = ['extendedKeyUsage = clientAuth', 'authorityKeyIdentifier = none'];
    const certify = (by: CertifiedKey) => openssl.certify('/CN=admin', { by, extensions: usages });
    const impostor = await createAuthority({ commonName: 'test CA', days: 1 }, ports);
    const { certificate } = await openssl.certify('/CN=Else', {
      key: authority.key,
      isAuthority: true,
      extensions: ['keyUsage = keyCertSign'],
    });
    const sameKey = { certificate, key: authority.key };
    for (const by of [impostor, sameKey]) {
      const forged = new X509Certificate((await certify(by)).certificate);
      expect(await certificateOf(header(forged))).toMatchObject({ authorized: false });
      expect(await certificateOf(header(forged), { ca: by.certificate })).toMatchObject({ authorized: true });
    }
  });

  it('refuses a certificate outside its validity, or that of its authority', async () => {
    const clock = new TestClock();
    const at = (milliseconds: number, certificate: X509Certificate) => {
      clock.advance(milliseconds - clock.now());
      return certificateOf(header(certificate), { clock });
    };
    const now = systemClock.now();
    const longer = new X509Certificate((await openssl.certify('/CN=x', { by: authority })).certificate);
    expect(await at(now + 10_000, client)).toMatchObject({ authorized: true });
    expect(await at(now - day, client)).toMatchObject({ authorized: false });
    expect(await at(now + 2 * day, client)).toMatchObject({ authorized: false });
    expect(await at(now + 2 * day, longer)).toMatchObject({ authorized: true });
    expect(await at(now + 9 * day, longer)).toMatchObject({ authorized: false });
  });

  it('refuses a certificate for servers, and one of an authority', async () => {
    const server = await issueServerCertificate(authority, local, ports);
    for (const { certificate } of [server, authority])
      expect(await certificateOf(header(new X509Certificate(certificate)))).toMatchObject({
        authorized: false,
      });
  });
});

describe('behindProxies', () => {
  it('logs the proxy of unreadable headers', async () => {
    const log = new KeptLog();
    await clientOf({ 'x-forwarded-for': 'garbage' }, proxy, { log });
    expect(log.lines).toMatchObject([
      { level: 'warn', message: expect.stringContaining('reverse proxy'), fields: { proxy: '10.0.0.5' } },
    ]);
  });

  it.each([[['10.0.0.0/8']], [[]]])(
    'warns once of each unlisted address that passes others on: %j',
    async (proxies) => {
      const log = new KeptLog();
      const handler = behindProxies(telling, { ...usual(), proxies, log });
      const passed = { 'x-forwarded-for': '192.0.2.7' };
      for (const address of ['127.0.0.1', '::1', '127.0.0.1'])
        expect(await (await handler(asked(passed), { address, port: 1 })).json()).toMatchObject({ address });
      await handler(asked({}), { address: '192.0.2.1', port: 1 });
      const cure = { level: 'warn', message: expect.stringContaining('list it in reverse_proxies') };
      expect(log.lines).toMatchObject([
        { ...cure, fields: { proxy: '127.0.0.1' } },
        { ...cure, fields: { proxy: '::1' } },
      ]);
      // Other clients cannot fill the log, or suppress the warning of this machine.
      for (let nth = 0; nth < 100; nth += 1)
        await handler(asked(passed), { address: `203.0.113.${nth}`, port: 1 });
      await handler(asked(passed), { address: '127.0.0.2', port: 1 });
      expect(log.lines).toHaveLength(17);
      expect(log.lines.at(-1)).toMatchObject({ fields: { proxy: '127.0.0.2' } });
    },
  );

  it('refuses a proxy that is not an address or network', () => {
    const handler = fixedHandler();
    expect(() => behindProxies(handler, { ...usual(), proxies: ['proxy.example.com'] })).toThrow(
      'The reverse proxy proxy.example.com is not an address or network',
    );
  });
});
