import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from '../../core/src/foundation/errors/start-error.ts';
import { systemClock, systemRandom } from '../../node/src/machine/index.ts';
import { type CertifiedKey, createAuthority, issueServerCertificate } from './index.ts';

const run = promisify(execFile);
const ports = { clock: systemClock, random: systemRandom };
const names = {
  names: ['localhost', 'host.example'],
  addresses: ['127.0.0.1', '::1', '2001:db8::ff'],
  days: 30,
};
const day = 86_400_000;

let folder: string;
let authority: CertifiedKey;
let server: CertifiedKey;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-pki-'));
  authority = await createAuthority({ commonName: 'Überprüfung CA', days: 3650 }, ports);
  server = await issueServerCertificate(authority, names, ports);
  await writeFile(at('ca.pem'), authority.certificate);
  await writeFile(at('server.pem'), server.certificate);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a server certificate', () => {
  it.each([
    ['name', ['-verify_hostname', 'localhost']],
    ['IPv4 address', ['-verify_ip', '127.0.0.1']],
    ['IPv6 address', ['-verify_ip', '2001:db8::ff']],
  ])('passes openssl verify -x509_strict for its %s', async (_, check) => {
    const args = [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      ...check,
      '-CAfile',
      at('ca.pem'),
      at('server.pem'),
    ];
    expect((await run('openssl', args)).stdout).toContain('server.pem: OK');
  });

  it('does not pass for another name, nor under another authority', async () => {
    const other = await createAuthority({ commonName: 'Überprüfung CA', days: 1 }, ports);
    await writeFile(at('other.pem'), other.certificate);
    const verify = (...args: string[]) =>
      run('openssl', ['verify', '-x509_strict', ...args, at('server.pem')]);
    await expect(verify('-CAfile', at('ca.pem'), '-verify_hostname', 'else.example')).rejects.toThrow(
      /hostname mismatch/i,
    );
    await expect(verify('-CAfile', at('other.pem'))).rejects.toThrow(/unable to get local issuer/);
  });

  it('cannot issue certificates itself', () => {
    expect(new X509Certificate(server.certificate).ca).toBe(false);
    expect(new X509Certificate(authority.certificate).ca).toBe(true);
  });

  it('is valid from now on for its days, under its own key and serial number', async () => {
    const certificate = new X509Certificate(server.certificate);
    expect(Date.parse(certificate.validFrom)).toBeLessThan(systemClock.now());
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(systemClock.now() + 29 * day);
    expect(Date.parse(certificate.validTo)).toBeLessThan(systemClock.now() + 30 * day + 1);
    const another = await issueServerCertificate(authority, names, ports);
    expect(another.key).not.toBe(server.key);
    expect(new X509Certificate(another.certificate).serialNumber).not.toBe(certificate.serialNumber);
  });

  it('writes the year 2050 and later as GeneralizedTime', async () => {
    const late = await createAuthority({ commonName: 'late', days: 365 * 40 }, ports);
    await writeFile(at('late.pem'), late.certificate);
    const { stdout } = await run('openssl', [
      'verify',
      '-x509_strict',
      '-CAfile',
      at('late.pem'),
      at('late.pem'),
    ]);
    expect(stdout).toContain('OK');
    expect(Date.parse(new X509Certificate(late.certificate).validTo)).toBeGreaterThan(
      Date.parse('2050-01-01'),
    );
  });

  it('is accepted by Node and curl, by name and by address', async () => {
    const tls = createServer({ cert: server.certificate, key: server.key }, (_, response) =>
      response.end('hello'),
    );
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const { port } = tls.address() as AddressInfo;
    try {
      for (const host of ['localhost', '127.0.0.1']) {
        const url = `https://${host}:${port}/`;
        expect((await run('curl', ['-sS4', '--noproxy', '*', '--cacert', at('ca.pem'), url])).stdout).toBe(
          'hello',
        );
        expect(await statusOf(url, authority.certificate)).toBe(200);
      }
    } finally {
      tls.close();
    }
  });
});

describe('an authority that cannot issue', () => {
  it.each([
    ['a key of another', () => ({ ...authority, key: server.key }), 'does not belong to its certificate'],
    [
      'a damaged key',
      () => ({ ...authority, key: 'damaged' }),
      'key of the certificate authority cannot be read',
    ],
    [
      'a damaged certificate',
      () => ({ ...authority, certificate: 'damaged' }),
      'certificate authority cannot be read',
    ],
  ])('says so: %s', async (_, damaged, sentence) => {
    const issued = issueServerCertificate(damaged(), names, ports);
    await expect(issued).rejects.toThrow(StartError);
    await expect(issued).rejects.toThrow(sentence);
  });
});

function statusOf(url: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { ca, family: 4 }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}
