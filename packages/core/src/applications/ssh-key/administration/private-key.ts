/** Private keys: made, given out once, and kept nowhere; written in the forms that SSH clients read. */
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

/** The kind of key to make. */
export interface KeyKind {
  readonly type: 'RSA' | 'ECC' | 'DSA' | 'ED25519';
  /** The size in bits; left out: the preset. */
  readonly size?: number | undefined;
}

const sizes = { RSA: [2048, 3072, 4096], ECC: [256, 384, 521], ED25519: [256] } as const;

/** @throws ServiceError `invalid_params` */
export async function makeKey({ type, size }: KeyKind): Promise<KeyObject> {
  if (type === 'DSA')
    throw new ServiceError('invalid_params', {
      detail: 'Parameter type cannot be DSA: OpenSSH takes no such keys',
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

/** PEM that OpenSSH reads: PKCS #8, but for Ed25519, which it reads in its own form only. */
export const privatePem = (key: KeyObject): string =>
  key.asymmetricKeyType === 'ed25519'
    ? opensshPem(key)
    : key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** `openssh-key-v1`, not encrypted (PROTOCOL.key of OpenSSH). */
function opensshPem(key: KeyObject): string {
  const blob = sshBlob(createPublicKey(key));
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  const [secret, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  // Two equal numbers, which tell who decrypts it that the password was right: there is none.
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

/** @throws ServiceError `invalid_params` */
export function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    publicKeyOf(createPublicKey(key));
    return key;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('invalid_params', {
      detail: 'Parameter privkey is no private key in PEM that is not encrypted',
    });
  }
}

/** PKCS #8, encrypted under the password where there is one (RFC 8018). */
export function exportPem(key: KeyObject, password: string | undefined): string {
  if (password === undefined) return privatePem(key);
  return key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: password }).toString();
}

/** PuTTY's file, version 2, which every PuTTY reads (its manual, appendix C). @throws ServiceError `invalid_params` */
export function exportPpk(key: KeyObject, password: string | undefined): string {
  const { type } = publicKeyOf(createPublicKey(key));
  const [publicPart, secret] = [sshBlob(createPublicKey(key)), secretPart(key, type)];
  const encryption = password === undefined ? 'none' : 'aes256-cbc';
  const privatePart = password === undefined ? secret : padded(secret);
  const comment = 'watchword';
  const parts = [type, encryption, comment].map((text) => wireString(text));
  const mac = createHmac(
    'sha1',
    createHash('sha1')
      .update(`putty-private-key-file-mac-key${password ?? ''}`)
      .digest(),
  )
    .update(Buffer.concat([...parts, wireString(publicPart), wireString(privatePart)]))
    .digest('hex');
  const written = password === undefined ? privatePart : encrypted(privatePart, password);
  return [
    `PuTTY-User-Key-File-2: ${type}`,
    `Encryption: ${encryption}`,
    `Comment: ${comment}`,
    ...inLines('Public-Lines', publicPart),
    ...inLines('Private-Lines', written),
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

/** To whole blocks of AES, by the hash of what is padded. */
function padded(bytes: Buffer): Buffer {
  const missing = (16 - (bytes.length % 16)) % 16;
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest().subarray(0, missing)]);
}

function encrypted(bytes: Buffer, password: string): Buffer {
  const half = (number: number) =>
    createHash('sha1')
      .update(Buffer.from([0, 0, 0, number]))
      .update(password, 'utf8')
      .digest();
  const secret = Buffer.concat([half(0), half(1)]).subarray(0, 32);
  const cipher = createCipheriv('aes-256-cbc', secret, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}
