/**
 * Mode PKI over HTTPS, with curl and with the typed client: an administrator enrols in mode DN, the server is started
 * anew in mode PKI, and from then on nobody comes in without the certificate.
 */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { systemClock, systemRandom } from '@watchword/node';
import { type CertifiedKey, openAuthority } from '@watchword/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ground, openGround, type Running } from './ground.ts';

const run = promisify(execFile);
const day = 86_400_000;

describe.each(['embedded directory', 'OpenLDAP over ldaps'] as const)('mode PKI over the %s', (directory) => {
  let ground: Ground;
  let server: Running;
  let own: CertifiedKey;
  beforeAll(async () => {
    ground = await openGround(directory);
    server = await ground.start('DN');
    own = await enrol(`/CN=${ground.admin.dn}/description=ADMIN/SN=Admin`);
    await server.stop();
    server = await ground.start('PKI');
  });
  afterAll(async () => {
    await server.stop();
    await ground.close();
  });

  /** The typed client, with a certificate or without. */
  async function manage<T>(
    use: (manager: ReturnType<typeof createManager>) => Promise<T>,
    { certificate, key }: Partial<CertifiedKey> = {},
    username = ground.admin.dn,
  ): Promise<T> {
    const transport = nodeTransport({ ca: server.ca, cert: certificate, key });
    const { password } = ground.admin;
    try {
      return await use(createManager({ url: server.url, username, password, fetch: transport.fetch }));
    } finally {
      await transport.close();
    }
  }

  async function enrol(subject: string, as?: CertifiedKey): Promise<CertifiedKey> {
    const { key, request } = await ground.openssl.request(subject);
    return manage(
      async (manager) => ({
        key,
        certificate: String(await manager.Sign_certificate_Request({ request, expires: 7 })),
      }),
      as,
    );
  }

  const file = async (name: string, text: string) => {
    await writeFile(join(ground.openssl.folder, name), text);
    return join(ground.openssl.folder, name);
  };

  const body = '{"jsonrpc": "2.0", "id": 1, "method": "Count_Activated_Users"}';

  /** @returns HTTP status and what was said, by curl with a user name of nothing */
  async function curl(certificate?: CertifiedKey, ...more: string[]): Promise<string> {
    const shown = certificate
      ? [
          '--cert',
          await file('c.pem', certificate.certificate),
          '--key',
          await file('c.key', certificate.key),
        ]
      : [];
    const trusted = ['--cacert', await file('trusted.pem', server.ca)];
    const login = more.includes('-b') ? [] : ['-u', `:${ground.admin.password}`];
    const { stdout } = await run('curl', [
      ...['-sS', '-w', ' %{http_code}', '-d', body, ...trusted, ...shown, ...login, ...more, server.url],
    ]);
    const [, json = '', status] = /^(.*) (\d+)$/s.exec(stdout) ?? [];
    const { result, error } = JSON.parse(json);
    return error ? `${status} ${error.reason} ${error.data ?? ''}`.trim() : `${status} ${result}`;
  }

  const why = () => server.log.lines.splice(0).map(({ fields }) => fields.reason);
  async function expectRefused(certificate: CertifiedKey, reason: string): Promise<void> {
    why();
    expect(await curl(certificate)).toBe('401 credentials_refused');
    expect(why()).toContain(`the certificate ${reason}`);
  }

  it('lets in who has certificate and password, with curl', async () => {
    expect(await curl(own)).toBe('200 0');
    expect(await curl(own, '-u', `${ground.admin.dn}:${ground.admin.password}`)).toBe('200 0');
  });

  it('lets in who has certificate and password, with the typed client', async () => {
    for (const username of ['', ground.admin.dn])
      expect(await manage((manager) => manager.Count_Activated_Users(), own, username)).toBe(0);
    const without = manage((manager) => manager.Count_Activated_Users());
    await expect(without).rejects.toMatchObject({ reason: 'credentials_refused', httpStatus: 401 });
  });

  it('asks for a certificate where there is none', async () => {
    expect(await curl()).toBe('401 credentials_refused a client certificate is needed');
  });

  it('refuses a wrong password, and the name of somebody else', async () => {
    expect(await curl(own, '-u', ':wrong')).toBe('401 credentials_refused');
    const { password } = ground.admin;
    expect(await curl(own, '-u', `uid=nobody,dc=example,dc=org:${password}`)).toBe('401 credentials_refused');
  });

  it('refuses certificates of others with the subject of the administrator', async () => {
    const subject = `/CN=${ground.admin.dn}/description=ADMIN/SN=Admin`;
    const { openssl, authority } = ground;
    await expectRefused(await openssl.certify(subject), 'was not authorised by TLS');
    const namesake = await openssl.certify('/CN=Issuing', {
      ...{ isAuthority: true, extensions: ['keyUsage = keyCertSign'] },
    });
    const forged = await openssl.certify(subject, { by: namesake });
    const chain = { ...forged, certificate: forged.certificate + namesake.certificate };
    await expectRefused(chain, 'was not authorised by TLS');
    await expectRefused(await openssl.certify(subject, { by: authority }), 'was not signed for anybody here');
  });

  it('refuses the certificate of a server of the installation', async () => {
    const pair = await readFile(join(ground.openssl.folder, 'data', 'tls-key.pem'), 'utf8');
    await expectRefused({ certificate: pair, key: pair }, 'was not authorised by TLS');
  });

  it('refuses a certificate that is out of time', async () => {
    const then = systemClock.now() - 30 * day;
    const clock = { ...systemClock, now: () => then };
    const { key, request } = await ground.openssl.request(`/CN=${ground.admin.dn}/description=ADMIN`);
    const past = await openAuthority(ground.authority, { clock, random: systemRandom });
    const url = 'https://localhost/crl';
    const { pem } = await past.issue(await past.read(request), { days: 1, listUrl: url, statusUrl: url });
    await expectRefused({ key, certificate: pem }, 'was not authorised by TLS');
  });

  it('binds a session to its certificate, until that is revoked', async () => {
    const other = await enrol(`/CN=${ground.admin.dn}/description=ADMIN`, own);
    const jar = join(ground.openssl.folder, 'jar');
    expect(await curl(other, '-c', jar)).toBe('200 0');
    expect(await curl(other, '-b', jar)).toBe('200 0');
    expect(await curl(own, '-b', jar)).toContain('401 credentials_refused an Authorization header');
    expect(await curl(undefined, '-b', jar)).toContain('401 credentials_refused a client certificate');
    const { serialNumber: serial } = new X509Certificate(other.certificate);
    expect(await manage((manager) => manager.Revoke_Certificate({ serial }), own)).toBe(true);
    expect(await curl(other, '-b', jar)).toContain('401 credentials_refused an Authorization header');
    await expectRefused(other, 'is revoked');
  });

  it('ends a session on one node with the certificate that another one revokes', async () => {
    const other = await enrol(`/CN=${ground.admin.dn}/description=ADMIN`, own);
    const { serialNumber: serial } = new X509Certificate(other.certificate);
    const jar = join(ground.openssl.folder, 'jar of the other node');
    const [first, second] = [server, await ground.start('PKI')];
    try {
      server = second;
      expect(await curl(other, '-c', jar)).toBe('200 0');
      expect(await curl(other, '-b', jar)).toBe('200 0');
      server = first;
      expect(await manage((manager) => manager.Revoke_Certificate({ serial }), own)).toBe(true);
      server = second;
      expect(await curl(other, '-b', jar)).toContain('401 credentials_refused an Authorization header');
      await expectRefused(other, 'is revoked');
    } finally {
      server = first;
      await second.stop();
    }
  });

  it('judges the certificate again on a connection that stands', async () => {
    const other = await enrol(`/CN=${ground.admin.dn}/description=ADMIN`, own);
    const { serialNumber: serial } = new X509Certificate(other.certificate);
    await manage(async (manager) => {
      expect(await manager.Count_Activated_Users()).toBe(0);
      expect(await manager.Revoke_Certificate({ serial })).toBe(true);
      await expect(manager.Count_Activated_Users()).rejects.toMatchObject({ reason: 'credentials_refused' });
    }, other);
  });

  it('takes the certificate from a proxy, where there is one', async () => {
    await server.stop();
    const headers = { proxy_headers: { certificate: 'Client-Cert' } };
    server = await ground.start('PKI', { reverse_proxies: ['127.0.0.1'], ...headers });
    const header = ({ certificate }: CertifiedKey) => [
      ...['-H', `Client-Cert: :${new X509Certificate(certificate).raw.toString('base64')}:`],
    ];
    expect(await curl(undefined, ...header(own))).toBe('200 0');
    const forged = await ground.openssl.certify(`/CN=${ground.admin.dn}/description=ADMIN`);
    expect(await curl(own, ...header(forged))).toBe('401 credentials_refused');
    expect(await curl(own)).toBe('401 credentials_refused a client certificate is needed');
  });
});
