/** Encrypted mails as other programs open them: openssl's `smime` and `cms`, and NSS, which Thunderbird and Evolution read mails with. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Openssl, openOpenssl } from '../../core/src/testing/bed/engines/openssl.ts';
import { run } from '../../core/src/testing/bed/scratch.ts';
import { encryptFor, type RsaPadding } from './encryption.ts';

const text = 'Content-Type: text/plain\r\n\r\nYour code is 123456.\r\n';

const newKeys = {
  RSA: ['-newkey', 'rsa:2048', '-nodes'],
  'P-256': ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
};

let openssl: Openssl;
const at = (name: string) => join(openssl.folder, name);
beforeAll(async () => {
  openssl = await openOpenssl();
  for (const [name, newKey] of Object.entries(newKeys)) {
    const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)];
    await run('openssl', ['req', '-x509', ...newKey, ...files, '-subj', '/CN=Alice', '-days', '2']);
  }
});
afterAll(() => openssl.close());

async function encrypted(name: keyof typeof newKeys, padding?: RsaPadding): Promise<string> {
  const { stdout } = await run('openssl', ['x509', '-in', at(`${name}.crt`), '-outform', 'DER'], {
    encoding: 'buffer',
  });
  const path = at(`${name}-${padding}.der`);
  await writeFile(
    path,
    await encryptFor(Uint8Array.from(stdout as unknown as Buffer), Buffer.from(text), padding),
  );
  return path;
}

async function opened(by: 'smime' | 'cms', name: keyof typeof newKeys, path: string): Promise<string> {
  const keys = ['-inkey', at(`${name}.key`), '-recip', at(`${name}.crt`)];
  const { stdout } = await run('openssl', [by, '-decrypt', '-inform', 'DER', '-in', path, ...keys]);
  return stdout;
}

describe('a mail for an RSA key', () => {
  it('is opened by openssl smime, which knows RSAES-PKCS1-v1_5 alone', async () => {
    expect(await opened('smime', 'RSA', await encrypted('RSA'))).toBe(text);
  });

  it('is opened by NSS', async () => {
    const path = await encrypted('RSA');
    const p12 = at('alice.p12');
    const [key, crt] = [at('RSA.key'), at('RSA.crt')];
    await run('openssl', [
      'pkcs12',
      '-export',
      '-inkey',
      key,
      '-in',
      crt,
      '-name',
      'Alice',
      '-out',
      p12,
      '-passout',
      'pass:x',
    ]);
    const database = `sql:${openssl.folder}`;
    await run('certutil', ['-N', '-d', database, '--empty-password']);
    await run('pk12util', ['-i', p12, '-d', database, '-W', 'x']);
    const { stdout } = await run('cmsutil', ['-D', '-d', database, '-i', path]);
    expect(stdout).toBe(text);
  });

  it('is encrypted by RSAES-OAEP where the settings say so', async () => {
    const path = await encrypted('RSA', 'oaep');
    expect(await opened('cms', 'RSA', path)).toBe(text);
    const { stdout } = await run('openssl', ['asn1parse', '-inform', 'DER', '-in', path]);
    expect(stdout).toContain('rsaesOaep');
  });
});

it('a mail for a key on a curve is opened by openssl cms', async () => {
  expect(await opened('cms', 'P-256', await encrypted('P-256'))).toBe(text);
});
