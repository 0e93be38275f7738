/** Client certificates over TLS and by a proxy, compared with `openssl verify`. */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainText } from '../../../core/src/foundation/http/response.ts';
import {
  type CertificateTerms,
  type Openssl,
  openOpenssl,
} from '../../../core/src/testing/bed/engines/openssl.ts';
import {
  type CertifiedKey,
  createAuthority,
  issueServerCertificate,
  openAuthority,
} from '../../../pki/src/index.ts';
import { systemClock, systemRandom } from '../machine/index.ts';
import { behindProxies, type Listener, serve } from './index.ts';
import { webHandler } from './web.ts';

const run = promisify(execFile);
const ports = { clock: systemClock, random: systemRandom };
const day = 86_400_000;

let openssl: Openssl;
let tls: CertifiedKey;
beforeAll(async () => {
  openssl = await openOpenssl();
  const authority = await createAuthority({ commonName: 'servers', days: 2 }, ports);
  tls = await issueServerCertificate(authority, { names: ['localhost'], addresses: [], days: 1 }, ports);
});
afterAll(() => openssl.close());

const tell = webHandler(async ({ certificate }) =>
  plainText(200, JSON.stringify(certificate?.authorized ?? 'none')),
);

/** Runs work on a server with these authorities of client certificates. */
async function serving<T>(ca: string, work: (listener: Listener) => Promise<T>): Promise<T> {
  const listener = await serve(tell, { host: '127.0.0.1', port: 0, tls: { ...tls, ca } });
  return work(listener).finally(() => listener.close());
}

function ask({ url }: Listener, { certificate, key }: CertifiedKey, agent?: Agent): Promise<unknown> {
  // Security level 0, so that a client may present any certificate.
  const shown = { cert: certificate, key, ciphers: 'DEFAULT@SECLEVEL=0', rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...shown, agent: agent ?? false }, async (response) =>
      resolve(JSON.parse(Buffer.concat(await response.toArray()).toString())),
    );
    asked.on('error', reject).end();
  });
}

async function askByProxy(ca: string, { certificate }: CertifiedKey): Promise<unknown> {
  const headers = { address: 'X-Forwarded-For', certificate: 'Client-Cert' };
  const handler = behindProxies(tell, { proxies: ['10.0.0.5'], headers, ca, clock: systemClock });
  const shown = `:${new X509Certificate(certificate).raw.toString('base64')}:`;
  const asked = new Request('https://localhost/', { headers: { 'client-cert': shown } });
  return (await handler(asked, { address: '10.0.0.5', port: 1 })).json();
}

/** Verifies with openssl, where an intermediate authority needs no root. */
async function verify(ca: string, { certificate }: CertifiedKey): Promise<boolean> {
  const file = async (name: string, text: string) => {
    await writeFile(join(openssl.folder, name), text);
    return join(openssl.folder, name);
  };
  const options = ['-purpose', 'sslclient', '-auth_level', '1', '-partial_chain'];
  const files = ['-CAfile', await file('ca', ca), await file('certificate', certificate)];
  return run('openssl', ['verify', ...options, ...files]).then(
    () => true,
    () => false,
  );
}

const signing = 'keyUsage = critical,keyCertSign';
const client = ['keyUsage = critical,digitalSignature', 'extendedKeyUsage = clientAuth'];

interface Case {
  readonly authority?: readonly string[];
  readonly client?: CertificateTerms;
}

const cases: readonly [what: string, good: boolean, terms: Case][] = [
  ['is for clients', true, {}],
  ['says nothing of what it is for', true, { client: { extensions: [] } }],
  ['says more than we know', true, { client: { extensions: [...client, '1.2.3.4 = DER:0500'] } }],
  [
    'says more than we know, and that it has to be known',
    false,
    { client: { extensions: [...client, '1.2.3.4 = critical,DER:0500'] } },
  ],
  ['is for servers', false, { client: { extensions: ['extendedKeyUsage = serverAuth'] } }],
  ['has a key that signs nothing', false, { client: { extensions: ['keyUsage = keyEncipherment'] } }],
  ['is signed with SHA-1', false, { client: { options: ['-sha1'] } }],
  [
    'has a name that its authority may not sign for',
    false,
    {
      authority: [signing, 'nameConstraints = critical,permitted;email:example.com'],
      client: { extensions: [...client, 'subjectAltName = email:eve@example.org'] },
    },
  ],
  ['is of an authority for servers', false, { authority: [signing, 'extendedKeyUsage = serverAuth'] }],
  ['is of an authority that signs no certificates', false, { authority: ['keyUsage = cRLSign'] }],
];

describe.each(['a root', 'an intermediate authority without its root'])('certificate of %s', (kind) => {
  it.each(cases)(
    'is trusted as by openssl when it %s: %s',
    async (_, good, { authority = [signing], client }) => {
      const made = { isAuthority: true, extensions: authority };
      const by = kind === 'a root' ? {} : { by: await openssl.certify('/CN=Root', made) };
      const issuer = await openssl.certify('/CN=Issuing', { ...made, ...by });
      const pair = await openssl.certify('/CN=x', { ...client, by: issuer });
      expect(await verify(issuer.certificate, pair)).toBe(good);
      expect(await serving(issuer.certificate, (listener) => ask(listener, pair))).toBe(good);
      expect(await askByProxy(issuer.certificate, pair)).toBe(good);
    },
  );
});

describe('authority with name constraints', () => {
  const constraints = [signing, 'nameConstraints = permitted;email:example.com'];
  const authority = (extensions: readonly string[], by?: CertifiedKey) =>
    openssl.certify('/CN=Authority', { isAuthority: true, extensions, ...(by && { by }) });

  it('trusts no certificate in a header', async () => {
    const issuer = await authority(constraints);
    const pair = await openssl.certify('/CN=x', { by: issuer });
    expect(await serving(issuer.certificate, (listener) => ask(listener, pair))).toBe(true);
    expect(await askByProxy(issuer.certificate, pair)).toBe(false);
  });

  it('does not overrule TLS', async () => {
    const root = await authority(constraints);
    const issuer = await authority([signing], root);
    const extensions = [...client, 'subjectAltName = email:eve@example.org'];
    const pair = await openssl.certify('/CN=x', { by: issuer, extensions });
    const ca = root.certificate + issuer.certificate;
    expect(await serving(ca, (listener) => ask(listener, pair))).toBe(false);
  });
});

it('trusts no certificate that expires during its connection', async () => {
  const authority = await createAuthority({ commonName: 'clients', days: 2 }, ports);
  const { key, request } = await openssl.request('/CN=x');
  const url = 'https://localhost/';
  // Signed for a day nearly a day ago, so it expires in ten seconds.
  const then = systemClock.now() - day + 5 * 60_000 + 10_000;
  const past = await openAuthority(authority, { ...ports, clock: { ...systemClock, now: () => then } });
  const { pem } = await past.issue(await past.read(request), { days: 1, listUrl: url, statusUrl: url });
  await serving(authority.certificate, async (listener) => {
    const [agent, pair] = [new Agent({ keepAlive: true, maxSockets: 1 }), { key, certificate: pem }];
    expect(await ask(listener, pair, agent)).toBe(true);
    while (await ask(listener, pair, agent)) await sleep(500);
    // Certificates have whole seconds (RFC 5280 §4.1.2.5).
    expect(systemClock.now()).toBeGreaterThan(then + day - 5 * 60_000 - 1000);
    agent.destroy();
  });
});
