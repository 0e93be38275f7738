/** The authority that signs for people, on keys of every kind, judged by openssl. */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../../core/src/testing/bed/scratch.ts';
import { systemClock, systemRandom } from '../../node/src/machine/index.ts';
import { createAuthority, issueServerCertificate, openAuthority } from './index.ts';

const ports = { clock: systemClock, random: systemRandom };
const terms = { days: 1, listUrl: 'https://ca.example/crl', statusUrl: 'https://ca.example/ocsp/' };

/** AlgorithmIdentifiers, DER: RFC 5758 §3.2 wants no parameters with ECDSA, RFC 4055 §5 wants NULL with RSA. */
const algorithms = {
  'P-256': '300a06082a8648ce3d040302',
  'RSA-2048': '300d06092a864886f70d01010b0500',
};

it.each(['P-256', 'RSA-2048'] as const)('signs with a key of the kind %s', async (keyType) => {
  const folder = await scratchFolder('open-authority');
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  const authority = await openAuthority(
    await createAuthority({ commonName: 'People', days: 9, keyType }, ports),
    ports,
  );
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
  const request = await authority.read(openssl('req', '-new', ...key, '-subj', '/CN=alice'));
  const { pem, serial } = await authority.issue(request, terms);
  writeFileSync(join(folder, 'ca.pem'), authority.certificate);
  writeFileSync(join(folder, 'alice.pem'), pem);
  const list = await authority.list([{ serial, revoked: systemClock.now() }]);
  writeFileSync(join(folder, 'crl.der'), list);
  const strict = ['verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile', 'ca.pem'];
  expect(openssl(...strict, 'alice.pem')).toContain('alice.pem: OK');
  expect(openssl('crl', '-inform', 'DER', '-in', 'crl.der', '-noout', '-text')).toContain(
    serial.toUpperCase(),
  );
  openssl('ocsp', '-issuer', 'ca.pem', '-cert', 'alice.pem', '-reqout', 'asked.der');
  const status = await authority.answer(readFileSync(join(folder, 'asked.der')), async () => ({
    status: 'good',
  }));
  const signed = [new X509Certificate(authority.certificate).raw, new X509Certificate(pem).raw, list, status];
  const named = signed.map((der) => Buffer.from(der).toString('hex').split(algorithms[keyType]).length - 1);
  expect(named).toEqual([2, 2, 2, 1]); // beside the signature and, but in OCSP, below it
  rmSync(folder, { recursive: true });
});

it('signs now, or says that it cannot', async () => {
  const pair = await createAuthority({ commonName: 'People', days: 9 }, ports);
  let now = systemClock.now();
  const authority = await openAuthority(pair, { ...ports, clock: { ...systemClock, now: () => now } });
  await authority.probe();
  for (const days of [10, -10]) {
    now = systemClock.now() + days * 86_400_000;
    await expect(authority.probe()).rejects.toMatchObject({
      reason: 'unavailable',
      detail: expect.stringMatching(/^the certificate authority is good from [0-9-]+ to [0-9-]+ only$/),
    });
  }
});

it('is no authority whose certificate is not one of an authority', async () => {
  const authority = await createAuthority({ commonName: 'People', days: 9 }, ports);
  const server = await issueServerCertificate(authority, { names: ['host'], addresses: [], days: 1 }, ports);
  await expect(openAuthority(server, ports)).rejects.toThrow('not one of an authority');
});
