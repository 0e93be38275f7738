/** Licences as openssl signs them, the way that the guide shows, and what is no licence. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from '../../foundation/errors/start-error.ts';
import { scratchFolder } from '../../testing/bed/scratch.ts';
import { newLicense, signLicense, usualLicense } from '../../testing/bed/signed-license.ts';
import { VerifiedLicense } from './license.ts';

const text = JSON.stringify(usualLicense);
let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('license');
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const openssl = (line: string): Buffer =>
  execFileSync('openssl', line.split(' '), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });

const digest = 'dgst -sha256 -sign issuer.pem -out license.sig license.json';
const raw = 'pkeyutl -sign -rawin -inkey issuer.pem -in license.json -out license.sig';

/** Makes a key, signs the text with it, and packs both as the guide does. */
function issue(newKey: string, sign: string): { license: string; key: string } {
  openssl(`genpkey ${newKey} -out issuer.pem`);
  openssl('pkey -in issuer.pem -pubout -out issuer.pub.pem');
  writeFileSync(at('license.json'), text);
  openssl(sign);
  const [license, signature] = ['license.json', 'license.sig'].map((name) =>
    openssl(`base64 -A -in ${name}`).toString(),
  );
  return { license: JSON.stringify({ license, signature }), key: readFileSync(at('issuer.pub.pem'), 'utf8') };
}

describe('a licence that openssl signed', () => {
  it.each([
    ['Ed25519', '-algorithm ed25519', raw],
    ['P-256', '-algorithm EC -pkeyopt ec_paramgen_curve:P-256', digest],
    ['P-384', '-algorithm EC -pkeyopt ec_paramgen_curve:P-384', digest],
    ['RSA 2048', '-algorithm RSA -pkeyopt rsa_keygen_bits:2048', digest],
    ['RSA 3072', '-algorithm RSA -pkeyopt rsa_keygen_bits:3072', digest],
  ])('with %s is taken, and no other that was changed', (_, newKey, sign) => {
    const issued = issue(newKey, sign);
    expect(VerifiedLicense.verify(issued).content).toEqual({ ...usualLicense, cache_time: 0, products: {} });

    const certificate = openssl('req -new -x509 -key issuer.pem -subj /CN=issuer -days 1').toString();
    expect(VerifiedLicense.verify({ ...issued, key: certificate }).content.type).toBe('Enterprise');

    const { license, signature } = JSON.parse(issued.license);
    const changed = Buffer.from(text.replace('Example', 'Exemple')).toString('base64');
    const names = { license: '/etc/license.json', key: '/etc/issuer.pem' };
    const why = '/etc/license.json was not signed with the key of /etc/issuer.pem, or was changed since; ask';
    for (const file of [
      { license: changed, signature },
      { license, signature: signature.replace(/^..../, 'AAAA') },
      { license, signature: '' },
    ])
      expect(() => VerifiedLicense.verify({ ...issued, license: JSON.stringify(file), names })).toThrow(why);
    expect(() => VerifiedLicense.verify({ ...issued, key: signLicense({}).key, names })).toThrow(why);
  });

  it.each([
    ['RSA 1024', '-algorithm RSA -pkeyopt rsa_keygen_bits:1024', digest],
    ['P-521', '-algorithm EC -pkeyopt ec_paramgen_curve:P-521', digest],
    ['secp256k1', '-algorithm EC -pkeyopt ec_paramgen_curve:secp256k1', digest],
    ['Ed448', '-algorithm ed448', raw],
    ['RSA-PSS', '-algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048', digest],
  ])('with %s is refused for its key', (_, newKey, sign) => {
    expect(() => VerifiedLicense.verify(issue(newKey, sign))).toThrow(
      'The key of the licence holds a key that no licence is signed with; use Ed25519, ECDSA on P-256 or P-384, or RSA of 2048 bits or more.',
    );
  });

  it('is not verified with a private key', () => {
    const issued = issue('-algorithm ed25519', raw);
    const key = readFileSync(at('issuer.pem'), 'utf8');
    expect(() => VerifiedLicense.verify({ ...issued, key })).toThrow(
      'holds a private key; put the public one there',
    );
  });
});

it('is made by the commands of the guide', () => {
  const guide = readFileSync(new URL('../../../../../docs/guide/operating.md', import.meta.url), 'utf8');
  const [, commands = ''] = /```sh\n(openssl genpkey [^`]+)```/.exec(guide) ?? [];
  execFileSync('sh', ['-e', '-c', commands], { cwd: folder, stdio: 'pipe' });
  const [license, key] = ['license.json', 'issuer.pem'].map((name) => readFileSync(at(name), 'utf8'));
  const issued = VerifiedLicense.verify({ license: license ?? '', key: key ?? '' });
  expect(issued.content.customer_id).toBe('Example Ltd');
  expect(issued.maximumUsers).toBe(200);
});

const verify = (content: unknown) => () => VerifiedLicense.verify(signLicense(content));

describe('what is no licence', () => {
  const { key } = signLicense({});
  it.each([
    ['no JSON', 'license'],
    ['a list', '[]'],
    ['a member missing', '{"license": "e30="}'],
    ['another member', '{"license": "e30=", "signature": "", "key": ""}'],
    ['no base64', '{"license": "*", "signature": ""}'],
    ['a number', '{"license": 1, "signature": 2}'],
  ])('%s is told', (_, license) => {
    const failure = () => VerifiedLicense.verify({ license, key });
    expect(failure).toThrow(StartError);
    expect(failure).toThrow('The licence is not a licence, which has the form {"license": "<base64>"');
  });

  it('a file that is too long is told', () => {
    expect(() => VerifiedLicense.verify({ license: ' '.repeat(65_537), key })).toThrow(
      'is longer than 65536 characters',
    );
  });

  it.each(['', 'key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'])(
    'a key %j is told',
    (bad) => {
      expect(() => VerifiedLicense.verify({ ...signLicense({}), key: bad })).toThrow(
        'The key of the licence is neither a public key nor a certificate in PEM',
      );
    },
  );

  it.each<[string, object]>([
    ['type', { type: undefined }],
    ['type', { type: '' }],
    ['customer_id', { customer_id: 'two\nlines' }],
    ['customer_id', { customer_id: 'x'.repeat(129) }],
    ['instance_id', { instance_id: 'somewhere' }],
    ['valid_from', { valid_from: '2026-01-01' }],
    ['valid_to', { valid_to: '2026-02-30 00:00:00' }],
    ['valid_to', { valid_to: '2026-12-31T00:00:00Z' }],
    ['valid_to', { valid_to: '' }],
    ['valid_to', { valid_to: 1_800_000_000 }],
    ['token_pool', { token_pool: -1 }],
    ['cache_time', { cache_time: 1.5 }],
    ['products', { products: [] }],
    ['products.Otp.maximum_users', { products: { Otp: { maximum_users: 'many' } } }],
    ['products.Otp.maximum_users', { products: { Otp: { maximum_users: '1e3' } } }],
    ['products.Otp.maximum_users', { products: { Otp: { maximum_users: null } } }],
    ['products.Otp.maximum_hosts', { products: { Otp: { maximum_hosts: 1e12 } } }],
    ['products.Otp.minimum_users', { products: { Otp: { minimum_users: 1 } } }],
    ['products.two\nlines', { products: { 'two\nlines': {} } }],
    ['products', { products: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`p${n}`, {}])) }],
    ['maximum_users', { maximum_users: 5 }],
  ])('a %s that is not understood is told: %j', (field, wrong) => {
    expect(verify({ ...usualLicense, ...wrong })).toThrow(
      `The licence lacks ${field}, or has one that is not understood; ask whoever issued it for another one.`,
    );
  });

  it.each(['', 'null', '[]', '"text"', '\xff'])('a signed %j is told', (content) => {
    expect(verify(content)).toThrow('The licence lacks content, or has one that is not understood');
  });

  it('one that ends before it begins is told', () => {
    expect(verify({ ...usualLicense, valid_to: '2025-12-31 23:59:59' })).toThrow('ends before it begins');
  });
});

describe('maximumUsers', () => {
  it.each<[string, Record<string, object>, number | undefined]>([
    ['nothing is said', {}, undefined],
    ['there are hosts only', { SshKey: { maximum_hosts: 3 } }, undefined],
    ['it is a number or a text', { Otp: { maximum_users: 7 } }, 7],
    ['there are several products', { Otp: { maximum_users: '12' }, Sso: { maximum_users: 9 } }, 9],
    ['it is none', { Otp: { maximum_users: '0' } }, 0],
  ])('where %s', (_, products, limit) => {
    expect(newLicense({ products }).maximumUsers).toBe(limit);
  });
});
