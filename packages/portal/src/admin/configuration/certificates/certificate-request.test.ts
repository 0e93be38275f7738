/** Requests that OpenSSL reads and finds well signed, whatever is in the subject. */
import { spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeRequest } from './certificate-request.ts';
import { integer, oid, utf8 } from './der.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('a request', () => {
  it('is read by OpenSSL, with its subject and a signature that is right', async () => {
    const description = 'USER';
    const { request, key } = await makeRequest([
      ['CN', 'Default\\zoë, "the" +1'],
      ['UID', 'zoë'],
      ['DC', 'Default'],
      ['description', description],
    ]);
    const options = [
      'req',
      '-verify',
      '-noout',
      '-subject',
      '-nameopt',
      'utf8,sep_multiline,-esc_msb',
      '-text',
    ];
    const { stdout, stderr } = spawnSync('openssl', options, { input: request, encoding: 'utf8' });
    expect(stderr).toMatch(/verify OK/);
    expect(stdout).toMatch(/CN=Default\\zoë, "the" \+1\s+UID=zoë\s+DC=Default\s+description=USER/);
    expect(stdout).toContain('ecdsa-with-SHA256');
    expect(createPrivateKey(key).asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  });

  it('keeps long names: the length takes more than a byte', async () => {
    const { request } = await makeRequest([['CN', `cn=${'x'.repeat(300)},dc=example`]]);
    const { stderr } = spawnSync('openssl', ['req', '-verify', '-noout'], {
      input: request,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/verify OK/);
  });
});

describe('DER', () => {
  it('writes whole numbers in as few bytes as their sign needs (X.690 §8.3)', () => {
    const known = [
      [[0], '020100'],
      [[0x7f], '02017f'],
      [[0x80], '02020080'],
      [[0, 0, 1, 0], '02020100'],
    ] as const;
    for (const [bytes, written] of known) expect(hex(integer(Uint8Array.from(bytes)))).toBe(written);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 264n }), (number) => {
        const digits = number.toString(16);
        const bytes = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex');
        const [, length = 0, ...read] = integer(bytes);
        expect(read).toHaveLength(length);
        expect(BigInt(`0x${hex(Uint8Array.from(read))}`)).toBe(number);
        expect(read[0]).toBeLessThan(0x80);
        if (read[0] === 0 && read.length > 1) expect(read[1]).toBeGreaterThan(0x7f);
      }),
    );
  });

  it('writes names of types, and texts', () => {
    expect(hex(oid('1.2.840.10045.4.3.2'))).toBe('06082a8648ce3d040302');
    expect(hex(oid('0.9.2342.19200300.100.1.25'))).toBe('060a0992268993f22c640119');
    expect(hex(utf8('é'))).toBe('0c02c3a9');
  });
});
