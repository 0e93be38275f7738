import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyRing } from '../../../core/src/ports/keys.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { createAuthority, issueServerCertificate } from '../../../pki/src/index.ts';
import { ensureAuthority } from './authority.ts';
import { ownCertificate } from './certificates.ts';

const ports = { clock: systemClock, random: systemRandom };

const keys = new KeyRing([Buffer.alloc(32, 7)], systemRandom);

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'watchword-tls-')), 'data');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const place = () => ({ config: { data: folder, ca: { key_type: 'P-256' as const } }, keys });
const own = () => ownCertificate(place());
const textOf = (name: string) => readFile(join(folder, name), 'utf8');

describe('the key of the authority', () => {
  it('does not stand in the data folder in clear', async () => {
    const { key } = await ensureAuthority(place());
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(await textOf('ca-key.pem')).not.toContain('PRIVATE KEY');
    expect(await textOf('ca-key.pem')).not.toContain(key.split('\n')[1]);
    expect((await ensureAuthority(place())).key).toBe(key);
  });

  it('is sealed where an earlier version left it in clear', async () => {
    await own();
    const { certificate, key } = await createAuthority({ commonName: 'Earlier', days: 9 }, ports);
    await writeFile(join(folder, 'ca-key.pem'), certificate + key);
    expect(await ensureAuthority(place())).toEqual({ certificate, key });
    expect(await textOf('ca-key.pem')).not.toContain('PRIVATE KEY');
    expect((await ensureAuthority(place())).key.trim()).toBe(key.trim());
  });

  it('cannot be opened with other keys', async () => {
    await own();
    const other = new KeyRing([Buffer.alloc(32, 8)], systemRandom);
    await expect(ensureAuthority({ ...place(), keys: other })).rejects.toThrow(
      'cannot be opened with the keys of keys_file',
    );
  });

  it.each([
    ['RSA-2048', 2048],
    ['RSA-4096', 4096],
  ] as const)('is %s where the configuration says so', async (key_type, bits) => {
    const { certificate } = await ownCertificate({ ...place(), config: { data: folder, ca: { key_type } } });
    const authority = new X509Certificate(await textOf('ca.pem'));
    expect(authority.publicKey.asymmetricKeyDetails?.modulusLength).toBe(bits);
    expect(new X509Certificate(certificate).verify(authority.publicKey)).toBe(true);
  });

  it('is the one that the configuration names', async () => {
    await mkdir(folder);
    const named = await createAuthority({ commonName: 'Brought', days: 9, keyType: 'RSA-2048' }, ports);
    await writeFile(join(folder, 'theirs.pem'), named.certificate);
    await writeFile(join(folder, 'theirs.key'), named.key);
    const files = { certificate: join(folder, 'theirs.pem'), key: join(folder, 'theirs.key') };
    const config = { data: folder, ca: { key_type: 'P-256' as const, ...files } };
    const { certificate } = await ownCertificate({ config, keys });
    expect(await textOf('ca.pem')).toBe(named.certificate);
    expect(await readdir(folder)).not.toContain('ca-key.pem');
    expect(new X509Certificate(certificate).verify(new X509Certificate(named.certificate).publicKey)).toBe(
      true,
    );
    const gone = { ...config, ca: { ...config.ca, key: join(folder, 'gone.key') } };
    await expect(ensureAuthority({ config: gone, keys })).rejects.toThrow('gone.key cannot be read');
  });
});

describe('ownCertificate', () => {
  it('makes an authority and a certificate for this machine, for the owner only', async () => {
    const { certificate, key, authorityPath } = await own();
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
    const first = await own();
    expect(await own()).toEqual(first);
  });

  it('is the same for servers that start at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => own()));
    expect(new Set(made.map(({ certificate }) => certificate)).size).toBe(1);
    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
    const authority = new X509Certificate(await textOf('ca.pem'));
    expect(new X509Certificate(made[0]?.certificate ?? '').verify(authority.publicKey)).toBe(true);
  });

  it('names the hosts of ws_url and manager_url, when it is made and when it is renewed', async () => {
    const { config } = place();
    const urls = { ws_url: 'https://Login.example.com', manager_url: 'https://[2001:db8::7]:4443' };
    const named = () => ownCertificate({ ...place(), config: { ...config, ...urls } });
    const isFor = ({ certificate }: { readonly certificate: string }) => {
      const made = new X509Certificate(certificate);
      const hosts = ['login.example.com', 'localhost', 'elsewhere.example.com'];
      const addresses = ['2001:db8::7', '127.0.0.1', '2001:db8::8'];
      return [...hosts.map((one) => made.checkHost(one)), ...addresses.map((one) => made.checkIP(one))].map(
        (found) => found !== undefined,
      );
    };
    const expected = [true, true, false, true, true, false];
    expect(isFor(await named())).toEqual(expected);
    const short = await issueServerCertificate(
      await ensureAuthority(place()),
      { names: ['localhost'], addresses: [], days: 29 },
      ports,
    );
    await writeFile(join(folder, 'tls-key.pem'), short.certificate + short.key);
    expect(isFor(await named())).toEqual(expected);
  });

  it('renews a certificate that ends soon, under the same authority', async () => {
    const first = await own();
    const authority = await ensureAuthority(place());
    const short = await issueServerCertificate(
      authority,
      { names: ['localhost'], addresses: [], days: 29 },
      ports,
    );
    await writeFile(join(folder, 'tls-key.pem'), short.certificate + short.key);
    const renewed = await own();
    expect(renewed.certificate).not.toBe(short.certificate);
    expect(renewed.certificate).not.toBe(first.certificate);
    expect(await textOf('ca.pem')).toBe(authority.certificate);
    expect(await own()).toEqual(renewed);
  });

  it('makes a certificate from the authority that there is now', async () => {
    await own();
    const other = await createAuthority({ commonName: 'Other', days: 9 }, ports);
    await writeFile(join(folder, 'ca-key.pem'), other.certificate + other.key);
    const { certificate } = await own();
    expect(new X509Certificate(certificate).verify(new X509Certificate(other.certificate).publicKey)).toBe(
      true,
    );
    expect((await textOf('ca.pem')).trim()).toBe(other.certificate.trim());
  });

  it('writes the authority’s certificate again where it is gone', async () => {
    await own();
    const before = await textOf('ca.pem');
    await rm(join(folder, 'ca.pem'));
    await own();
    expect(await textOf('ca.pem')).toBe(before);
  });

  it.each(['ca-key.pem', 'tls-key.pem'])('names a damaged %s', async (name) => {
    await own();
    const whole = await textOf(name);
    const other = await createAuthority({ commonName: 'Other', days: 9 }, ports);
    for (const text of ['', 'x', whole.slice(0, -200), whole.slice(200), other.certificate + whole]) {
      await writeFile(join(folder, name), text);
      await expect(own()).rejects.toThrow(`${name} in the data folder is damaged; restore it`);
    }
  });

  it('names a folder that cannot be used', async () => {
    await writeFile(folder, '');
    await expect(own()).rejects.toThrow(/cannot be read or written \(.*not a folder\)/);
  });
});
