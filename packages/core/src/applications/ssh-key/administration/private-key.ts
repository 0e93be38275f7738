/** Private SSH keys for users: generated, returned once and never stored. They are exported as PEM and as PuTTY files. */
import {
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { publicKeyOf, sshBlob } from '../public-key.ts';
import { wireNumber, wireString } from '../wire.ts';

const generate = promisify(generateKeyPair);

/** The type and size of a key to generate. */
export interface KeyKind {
  readonly type: 'RSA' | 'ECC' | 'DSA' | 'ED25519';
  /** The size in bits. Optional; default: the first of `sizes`. */
  readonly size?: number | undefined;
}

const sizes = { RSA: [2048, 3072, 4096], ECC: [256, 384, 521], ED25519: [256] } as const;

/** Generates a private key. @throws ServiceError `invalid_params` if OpenSSH does not support the type or size */
export async function generatePrivateKey({ type, size }: KeyKind): Promise<KeyObject> {
  if (type === 'DSA')
    throw new ServiceError('invalid_params', {
      detail: 'Parameter type cannot be DSA: OpenSSH does not support it',
    });
  const known: readonly number[] = sizes[type];
  const bits = size ?? known[0] ?? 0;
  if (!known.includes(bits))
    throw new ServiceError('invalid_params', {
      detail: `Parameter size is not one of ${known.join(', ')} for ${type}`,
    });
  if (type === 'RSA') return (await generate('rsa', { modulusLength: bits })).privateKey;
  if (type === 'ECC') return (await generate('ec', { namedCurve: `P-${bits}` })).privateKey;
  return (await generate('ed25519')).privateKey;
}

/** Exports a key as PEM without a passphrase: PKCS #8, and `openssh-key-v1` for Ed25519, which OpenSSH reads in that format only. */
export const privatePem = (key: KeyObject): string =>
  key.asymmetricKeyType === 'ed25519'
    ? opensshPem(key)
    : key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Exports an Ed25519 key as `openssh-key-v1` without encryption (PROTOCOL.key of OpenSSH). */
function opensshPem(key: KeyObject): string {
  const blob = sshBlob(createPublicKey(key));
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  const [secret, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  // The format repeats a check number, by which a reader verifies the passphrase. Without encryption, any number will do.
  const check = createHash('sha256').update(blob).digest().subarray(0, 4);
  const inner = [
    check,
    check,
    wireString('ssh-ed25519'),
    wireString(point),
    wireString(Buffer.concat([secret, point])),
    wireString(''),
  ];
  const length = inner.reduce((sum, part) => sum + part.length, 0);
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, index) => index + 1));
  const count = Buffer.from([0, 0, 0, 1]);
  const whole = Buffer.concat([
    ...[Buffer.from('openssh-key-v1\0', 'latin1'), wireString('none'), wireString('none'), wireString('')],
    ...[count, wireString(blob), wireString(Buffer.concat([...inner, padding]))],
  ]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
}

/** Parses a private key in PEM without encryption. @throws ServiceError `invalid_params` */
export function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    publicKeyOf(createPublicKey(key));
    return key;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('invalid_params', {
      detail: 'Parameter privkey is not an unencrypted private key in PEM',
    });
  }
}

/** Exports a key as PEM: with a passphrase as encrypted PKCS #8 (RFC 8018), else as {@link privatePem}. */
export function exportPem(key: KeyObject, passphrase: string | undefined): string {
  if (passphrase === undefined) return privatePem(key);
  return key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString();
}

/** Exports a key as a PuTTY file, version 2, which every PuTTY reads (manual of PuTTY, appendix C). @throws ServiceError `invalid_params` */
export function exportPpk(key: KeyObject, passphrase: string | undefined): string {
  const { type } = publicKeyOf(createPublicKey(key));
  const [publicPart, secret] = [sshBlob(createPublicKey(key)), secretPart(key, type)];
  const encryption = passphrase === undefined ? 'none' : 'aes256-cbc';
  const privatePart = passphrase === undefined ? secret : padded(secret);
  const comment = 'watchword';
  const parts = [type, encryption, comment].map((text) => wireString(text));
  const mac = createHmac(
    'sha1',
    createHash('sha1')
      .update(`putty-private-key-file-mac-key${passphrase ?? ''}`)
      .digest(),
  )
    .update(Buffer.concat([...parts, wireString(publicPart), wireString(privatePart)]))
    .digest('hex');
  const storedPart = passphrase === undefined ? privatePart : encrypted(privatePart, passphrase);
  return [
    `PuTTY-User-Key-File-2: ${type}`,
    `Encryption: ${encryption}`,
    `Comment: ${comment}`,
    ...inLines('Public-Lines', publicPart),
    ...inLines('Private-Lines', storedPart),
    `Private-MAC: ${mac}`,
    '',
  ].join('\n');
}

function inLines(name: string, bytes: Buffer): readonly string[] {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`${name}: ${lines.length}`, ...lines];
}

function secretPart(key: KeyObject, type: string): Buffer {
  const { d, p, q, qi } = key.export({ format: 'jwk' });
  const bytes = (text = '') => Buffer.from(text, 'base64url');
  if (type === 'ssh-rsa') return Buffer.concat([d, p, q, qi].map((text) => wireNumber(bytes(text))));
  return type === 'ssh-ed25519' ? wireString(bytes(d)) : wireNumber(bytes(d));
}

/** Pads to whole blocks of AES with the hash of the bytes. */
function padded(bytes: Buffer): Buffer {
  const missing = (16 - (bytes.length % 16)) % 16;
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest().subarray(0, missing)]);
}

function encrypted(bytes: Buffer, passphrase: string): Buffer {
  const digestOf = (number: number) =>
    createHash('sha1')
      .update(Buffer.from([0, 0, 0, number]))
      .update(passphrase, 'utf8')
      .digest();
  const secret = Buffer.concat([digestOf(0), digestOf(1)]).subarray(0, 32);
  const cipher = createCipheriv('aes-256-cbc', secret, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}
