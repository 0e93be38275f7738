/** SSH keys: vectors and partners are OpenSSH and PuTTY. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, scratchFolder } from '../../testing/bed/scratch.ts';
import {
  exportPem,
  exportPpk,
  generatePrivateKey,
  privatePem,
  readPrivateKey,
} from './administration/private-key.ts';
import { publicKeyOf, readPublicKey, sshLine } from './public-key.ts';
import { WireReader, wireNumber, wireString } from './wire.ts';

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('ssh-keys');
});
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const keygen = async (...args: readonly string[]): Promise<string> => (await run('ssh-keygen', args)).stdout;
async function file(name: string, text: string): Promise<string> {
  await writeFile(at(name), text, { mode: 0o600 });
  return at(name);
}
/** The key without its comment. */
const bare = (line: string): string => line.trim().split(' ').slice(0, 2).join(' ');

const kinds = [
  ['ssh-rsa', { type: 'RSA', size: 2048 }, ['-t', 'rsa', '-b', '2048']],
  ['ecdsa-sha2-nistp256', { type: 'ECC' }, ['-t', 'ecdsa', '-b', '256']],
  ['ecdsa-sha2-nistp384', { type: 'ECC', size: 384 }, ['-t', 'ecdsa', '-b', '384']],
  ['ecdsa-sha2-nistp521', { type: 'ECC', size: 521 }, ['-t', 'ecdsa', '-b', '521']],
  ['ssh-ed25519', { type: 'ED25519' }, ['-t', 'ed25519']],
] as const;

describe.each(kinds)('a key of %s', (type, kind, options) => {
  it('that OpenSSH has made is read, and written as it was', async () => {
    const path = at(`theirs-${type}`);
    await keygen('-q', ...options, '-N', '', '-C', 'alice@laptop', '-f', path);
    const line = await readFile(`${path}.pub`, 'utf8');
    const key = readPublicKey(line);
    expect(key.type).toBe(type);
    expect(sshLine(key.spki)).toBe(bare(line));
    const pem = await keygen('-e', '-m', 'PKCS8', '-f', `${path}.pub`).catch(() => undefined);
    // OpenSSH writes no PKCS #8 of Ed25519.
    if (pem !== undefined) expect({ ...readPublicKey(pem), comment: 'alice@laptop' }).toEqual(key);
  });

  it('that we have made is read by OpenSSH, as the public key that we keep', async () => {
    const key = await generatePrivateKey(kind);
    const path = await file(`ours-${type}`, privatePem(key));
    const { spki } = publicKeyOf(createPublicKey(key));
    expect(bare(await keygen('-y', '-f', path))).toBe(sshLine(spki));
  });

  it.each([undefined, 'pass word Ü'])(
    'is exported for PuTTY and read back by it, password %s',
    async (password) => {
      const key = await generatePrivateKey(kind);
      const path = await file(`${type}.ppk`, exportPpk(key, password));
      const secret = await file('secret', password ?? '');
      const args = [path, '-O', 'public-openssh', '--old-passphrase', secret];
      const { stdout } = await run('puttygen', args);
      expect(bare(stdout)).toBe(sshLine(publicKeyOf(createPublicKey(key)).spki));
      const back = at(`${type}.back`);
      const empty = await file('empty', '');
      await run('puttygen', [
        path,
        '-O',
        'private-openssh-new',
        '-o',
        back,
        '--old-passphrase',
        secret,
        '--new-passphrase',
        empty,
      ]);
      expect(bare(await keygen('-y', '-f', back))).toBe(sshLine(publicKeyOf(createPublicKey(key)).spki));
    },
  );
});

describe('Key_Export', () => {
  it('encrypts PEM as openssl opens it, and with no other password', async () => {
    const key = await generatePrivateKey({ type: 'ECC' });
    const path = await file('encrypted.pem', exportPem(key, 'pass word'));
    const { stdout } = await run('openssl', ['pkey', '-in', path, '-passin', 'pass:pass word', '-pubout']);
    expect(readPublicKey(stdout)).toEqual(publicKeyOf(createPublicKey(key)));
    await expect(run('openssl', ['pkey', '-in', path, '-passin', 'pass:wrong', '-noout'])).rejects.toThrow();
  });

  it.each(['', 'no key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'])(
    'refuses %j',
    (pem) => {
      expect(() => readPrivateKey(pem)).toThrow('Parameter privkey is not an unencrypted private key in PEM');
    },
  );
});

const refusal = (text: string): string => {
  try {
    readPublicKey(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};
const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

describe('a public key', () => {
  const { spki } = publicKeyOf(generateKeyPairSync('ed25519').publicKey);
  const line = sshLine(spki) ?? '';

  it.each([
    ['', 'is not a public key'],
    ['ssh-ed25519', 'is not a public key'],
    ['ssh-ed25519 AAAA', 'names another kind'],
    [line.replace('ssh-ed25519 ', 'ssh-rsa '), 'names another kind'],
    [`${line}\nssh-rsa AAAA`, 'has more than one line'],
    [`environment="A=b" ${line}`, 'is not a public key'],
    ['x'.repeat(16_385), 'is longer than'],
    [pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), 'RSA key of 1024 bits'],
    [
      pemOf(generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).publicKey),
      'weak exponent',
    ],
    [pemOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey), 'is neither RSA'],
    [pemOf(generateKeyPairSync('x25519').publicKey), 'is neither RSA'],
    [privatePem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey), 'is a private key'],
  ])('is not %.30s', (text, why) => expect(refusal(text)).toContain(why));

  it('is nothing that is not on its curve, nor has anything behind it', () => {
    const point = Buffer.concat([Uint8Array.of(4), Buffer.alloc(64, 1)]);
    const blob = (...parts: readonly Buffer[]) =>
      `ecdsa-sha2-nistp256 ${Buffer.concat([wireString('ecdsa-sha2-nistp256'), ...parts]).toString('base64')}`;
    expect(refusal(blob(wireString('nistp256'), wireString(point)))).not.toBe('');
    expect(refusal(blob(wireString('nistp384'), wireString(point)))).toContain('not a point');
    const [, base64 = ''] = line.split(' ');
    const more = Buffer.concat([Buffer.from(base64, 'base64'), wireString('more')]).toString('base64');
    expect(refusal(`ssh-ed25519 ${more}`)).toContain('has something behind the key');
  });

  it('is made of no octets that somebody thinks of', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(...kinds.map(([type]) => type)),
        (bytes, type) => {
          const text = `${type} ${Buffer.concat([wireString(type), bytes]).toString('base64')}`;
          const why = refusal(text);
          if (why === '') expect(sshLine(readPublicKey(text).spki)).toBe(bare(text));
          else expect(why).toContain('Parameter pubkey ');
        },
      ),
    );
  });
});

describe('the data types of SSH', () => {
  it('come back as they went', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 50 }),
        fc.bigInt({ min: 1n, max: 2n ** 300n }),
        (bytes, number) => {
          const hex = number.toString(16);
          const magnitude = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
          const reader = new WireReader(Buffer.concat([wireString(bytes), wireNumber(magnitude)]));
          expect([...(reader.string() ?? [])]).toEqual([...bytes]);
          expect(BigInt(`0x${reader.number()?.toString('hex')}`)).toBe(number);
          expect(reader.isAtEnd).toBe(true);
        },
      ),
    );
  });

  it.each([
    // RFC 4251 §5.
    ['9a378f9b2e332a7', '0000000809a378f9b2e332a7'],
    ['80', '000000020080'],
  ])('the mpint %s is %s', (hex, wire) => {
    expect(
      wireNumber(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')).toString('hex'),
    ).toBe(wire);
  });
});
