import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuthority, issueServerCertificate } from '../adapters/pki/index.ts';
import { systemClock, systemRandom } from '../adapters/system/index.ts';
import { ownCertificate } from './certificates.ts';

const ports = { clock: systemClock, random: systemRandom };

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'watchword-tls-')), 'data');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const textOf = (name: string) => readFile(join(folder, name), 'utf8');

describe('ownCertificate', () => {
  it('makes an authority and a certificate for this machine, for the owner only', async () => {
    const { certificate, key, authorityPath } = await ownCertificate(folder);
    expect(authorityPath).toBe(join(folder, 'ca.pem'));
    const server = new X509Certificate(certificate);
    const authority = new X509Certificate(await textOf('ca.pem'));
    expect(server.verify(authority.publicKey)).toBe(true);
    expect(server.checkHost('localhost')).toBe('localhost');
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect((await readdir(folder)).sort()).toEqual(['ca-key.pem', 'ca.pem', 'tls-key.pem']);
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await textOf('ca.pem')).not.toContain('PRIVATE');
  });

  it('keeps what it has made', async () => {
    const first = await ownCertificate(folder);
    expect(await ownCertificate(folder)).toEqual(first);
  });

  it('is the same for servers that start at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => ownCertificate(folder)));
    expect(new Set(made.map(({ certificate }) => certificate)).size).toBe(1);
    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
    const authority = new X509Certificate(await textOf('ca.pem'));
    expect(new X509Certificate(made[0]?.certificate ?? '').verify(authority.publicKey)).toBe(true);
  });

  it('renews a certificate that ends soon, under the same authority', async () => {
    const first = await ownCertificate(folder);
    const authority = { certificate: await textOf('ca.pem'), key: await textOf('ca-key.pem') };
    const short = await issueServerCertificate(
      authority,
      { names: ['localhost'], addresses: [], days: 29 },
      ports,
    );
    await writeFile(join(folder, 'tls-key.pem'), short.certificate + short.key);
    const renewed = await ownCertificate(folder);
    expect(renewed.certificate).not.toBe(short.certificate);
    expect(renewed.certificate).not.toBe(first.certificate);
    expect(await textOf('ca.pem')).toBe(authority.certificate);
    expect(await ownCertificate(folder)).toEqual(renewed);
  });

  it('makes a certificate from the authority that there is now', async () => {
    await ownCertificate(folder);
    const other = await createAuthority({ commonName: 'Other', days: 9 }, ports);
    await writeFile(join(folder, 'ca-key.pem'), other.certificate + other.key);
    const { certificate } = await ownCertificate(folder);
    expect(new X509Certificate(certificate).verify(new X509Certificate(other.certificate).publicKey)).toBe(
      true,
    );
    expect((await textOf('ca.pem')).trim()).toBe(other.certificate.trim());
  });

  it('writes the authority’s certificate again where it is gone', async () => {
    await ownCertificate(folder);
    const before = await textOf('ca.pem');
    await rm(join(folder, 'ca.pem'));
    await ownCertificate(folder);
    expect(await textOf('ca.pem')).toBe(before);
  });

  it.each(['ca-key.pem', 'tls-key.pem'])('names a damaged %s', async (name) => {
    await ownCertificate(folder);
    const whole = await textOf(name);
    const other = await createAuthority({ commonName: 'Other', days: 9 }, ports);
    for (const text of ['', 'x', whole.slice(0, -200), whole.slice(200), other.certificate + whole]) {
      await writeFile(join(folder, name), text);
      await expect(ownCertificate(folder)).rejects.toThrow(
        `${name} in the data folder is damaged; restore it`,
      );
    }
  });

  it('names a folder that cannot be used', async () => {
    await writeFile(folder, '');
    await expect(ownCertificate(folder)).rejects.toThrow(/cannot be read or written \(.*no folder\)/);
  });
});
