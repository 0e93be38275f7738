/**
 * Public keys of users: stored as DER SubjectPublicKeyInfo, and read in OpenSSH or PEM format. They are written for sshd (RFC 4253 §6.6,
 * RFC 5656 §3.1, RFC 8709 §4).
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { type KeyParts, partsOfSpki } from './spki.ts';
import { WireReader, wireNumber, wireString } from './wire.ts';

/** Kinds that OpenSSH takes, by their curves where they have some: the name of the curve in JWK (RFC 7518) and in SSH. */
const curves = [
  { jwk: 'P-256', ssh: 'nistp256', bytes: 32 },
  { jwk: 'P-384', ssh: 'nistp384', bytes: 48 },
  { jwk: 'P-521', ssh: 'nistp521', bytes: 66 },
] as const;

export interface PublicKey {
  /** The algorithm in SSH's words: `ssh-rsa`, `ecdsa-sha2-nistp256`, `ssh-ed25519`. */
  readonly type: string;
  /** DER SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). */
  readonly spki: Uint8Array;
  /** The relying party of a key on a FIDO2 device (PROTOCOL.u2f of OpenSSH). */
  readonly application?: string | undefined;
  /** The comment of the line, by which the owner knows the key. */
  readonly comment?: string | undefined;
}

/** Sizes of RSA keys in bits: OpenSSH takes them, and a server can afford to check them. */
const [leastRsa, mostRsa] = [2048, 16_384];
/** Longest text of a key, in characters. */
const longest = 16_384;

const wrong = (what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter pubkey ${what}` });

/** A line of OpenSSH, `ssh-rsa AAAA… comment`, also of a FIDO2 device, or PEM. @throws ServiceError `invalid_params` */
export function readPublicKey(text: string): PublicKey {
  const trimmed = text.trim();
  if (trimmed.length > longest) throw wrong(`is longer than ${longest} characters`);
  try {
    if (trimmed.startsWith('-----')) return publicKeyOf(createPublicKey(onlyPublic(trimmed)));
    const { key, application } = fromLine(trimmed);
    const device = application === undefined ? undefined : deviceKeyOf(key, application);
    return { ...(device ?? publicKeyOf(key)), ...commentOf(trimmed) };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw wrong('is not a public key in OpenSSH or PEM format');
  }
}

/** Refuses a private key, of which Node would make the public one: the sender learns of it, and the key goes nowhere. */
function onlyPublic(pem: string): string {
  if (/PRIVATE KEY/.test(pem)) throw wrong('is a private key');
  return pem;
}

/** @throws ServiceError `invalid_params` where OpenSSH takes no such key */
export function publicKeyOf(key: KeyObject): PublicKey {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key;
  const spki = key.export({ type: 'spki', format: 'der' });
  if (kind === 'rsa') {
    const { modulusLength = 0, publicExponent = 0n } = details ?? {};
    if (modulusLength < leastRsa || modulusLength > mostRsa)
      throw wrong(`is an RSA key of ${modulusLength} bits, and not of ${leastRsa} to ${mostRsa}`);
    if (publicExponent < 65_537n || publicExponent % 2n === 0n)
      throw wrong('is an RSA key with a weak exponent');
    return { type: 'ssh-rsa', spki };
  }
  if (kind === 'ed25519') return { type: 'ssh-ed25519', spki };
  const curve =
    kind === 'ec' ? curves.find(({ jwk }) => jwk === key.export({ format: 'jwk' }).crv) : undefined;
  if (!curve) throw wrong('is neither RSA, nor ECDSA on P-256, P-384 or P-521, nor Ed25519');
  return { type: `ecdsa-sha2-${curve.ssh}`, spki };
}

/** The type of a key as Key_Register and settings name it. */
export function kindOf({ type }: Pick<PublicKey, 'type'>): 'RSA' | 'ECC' | 'ED25519' {
  if (type === 'ssh-rsa') return 'RSA';
  return type.includes('ed25519') ? 'ED25519' : 'ECC';
}

/**
 * Returns the line that sshd reads, without a comment; undefined: SSH has no such key.
 * @param spki DER, as an entry has it
 * @param application of a key on a FIDO2 device
 */
export function sshLine(spki: Uint8Array, application?: string): string | undefined {
  const parts = partsOfSpki(spki);
  if (!parts) return undefined;
  if (application === undefined) return `${typeOf(parts)} ${blobOf(parts).toString('base64')}`;
  const type = deviceType(parts);
  return type === undefined
    ? undefined
    : `${type} ${blobOf(parts, { type, application }).toString('base64')}`;
}

/** A key on a FIDO2 device; undefined: OpenSSH has none of that kind. */
export function deviceKeyOf(key: KeyObject, application: string): PublicKey | undefined {
  const { spki } = publicKeyOf(key);
  const parts = partsOfSpki(spki);
  const type = parts && deviceType(parts);
  return type === undefined ? undefined : { type, spki, application };
}

/** PROTOCOL.u2f of OpenSSH. */
function deviceType(parts: KeyParts): string | undefined {
  if (parts.kind === 'ed25519') return 'sk-ssh-ed25519@openssh.com';
  return parts.kind === 'ecdsa' && parts.curve === 'nistp256'
    ? 'sk-ecdsa-sha2-nistp256@openssh.com'
    : undefined;
}

/** The public key as SSH sends it. @throws ServiceError `invalid_params` where SSH has no such key */
export function sshBlob(key: KeyObject): Buffer {
  const parts = partsOfSpki(key.export({ type: 'spki', format: 'der' }));
  if (!parts) throw wrong('is neither RSA, nor ECDSA on P-256, P-384 or P-521, nor Ed25519');
  return blobOf(parts);
}

function typeOf(parts: KeyParts): string {
  if (parts.kind === 'ecdsa') return `ecdsa-sha2-${parts.curve}`;
  return parts.kind === 'rsa' ? 'ssh-rsa' : 'ssh-ed25519';
}

/** Encodes a key (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4); of a device, its application follows the key (PROTOCOL.u2f). */
function blobOf(parts: KeyParts, device?: { readonly type: string; readonly application: string }): Buffer {
  const type = wireString(device?.type ?? typeOf(parts));
  const behind = device ? [wireString(device.application)] : [];
  switch (parts.kind) {
    case 'rsa':
      return Buffer.concat([type, wireNumber(parts.exponent), wireNumber(parts.modulus)]);
    case 'ed25519':
      return Buffer.concat([type, wireString(parts.point), ...behind]);
    case 'ecdsa':
      return Buffer.concat([type, wireString(parts.curve), wireString(parts.point), ...behind]);
  }
}

/** Longest comment in characters; a longer one is cut. */
const longestComment = 128;

/** Returns the text after the key on its line, if it can be shown. */
function commentOf(line: string): Pick<PublicKey, 'comment'> {
  const comment = line.replace(/^\S+\s+\S+\s*/, '').normalize('NFC');
  return comment === '' || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(comment)
    ? {}
    : { comment: [...comment].slice(0, longestComment).join('') };
}

/** @throws Error where it is no key */
function fromLine(line: string): { readonly key: KeyObject; readonly application?: string } {
  const [named = '', base64 = ''] = line.split(/[ \t]+/, 2);
  if (/[\r\n]/.test(line)) throw wrong('has more than one line');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw wrong('is not a public key in OpenSSH or PEM format');
  const reader = new WireReader(Buffer.from(base64, 'base64'));
  if (reader.string()?.toString('latin1') !== named) throw wrong('names another kind of key than it is');
  const plain = deviceTypes.get(named);
  const key = createPublicKey({ key: jwkOf(plain ?? named, reader), format: 'jwk' });
  const application = plain === undefined ? undefined : applicationIn(reader);
  if (!reader.isAtEnd) throw wrong('has something behind the key');
  return { key, ...(application !== undefined && { application }) };
}

/** PROTOCOL.u2f of OpenSSH, and what they are without a device. */
const deviceTypes: ReadonlyMap<string, string> = new Map([
  ['sk-ssh-ed25519@openssh.com', 'ssh-ed25519'],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 'ecdsa-sha2-nistp256'],
]);

function applicationIn(reader: WireReader): string {
  const application = reader.string()?.toString('latin1') ?? '';
  if (!/^[\x21-\x7e]{1,255}$/.test(application)) throw wrong('names no application of its device');
  return application;
}

function jwkOf(type: string, reader: WireReader) {
  const text = (bytes: Uint8Array | undefined) => {
    if (!bytes) throw wrong('is cut off');
    return Buffer.from(bytes).toString('base64url');
  };
  if (type === 'ssh-rsa') {
    const e = text(reader.number());
    return { kty: 'RSA', e, n: text(reader.number()) };
  }
  if (type === 'ssh-ed25519') return { kty: 'OKP', crv: 'Ed25519', x: text(reader.string()) };
  const curve = curves.find(({ ssh }) => type === `ecdsa-sha2-${ssh}`);
  if (!curve) throw wrong('is neither RSA, nor ECDSA on P-256, P-384 or P-521, nor Ed25519');
  const name = reader.string()?.toString('latin1');
  const point = reader.string();
  if (name !== curve.ssh || !point || point.length !== 1 + 2 * curve.bytes || point[0] !== 4)
    throw wrong('is not a point of its curve');
  const [x, y] = [point.subarray(1, 1 + curve.bytes), point.subarray(1 + curve.bytes)];
  return { kty: 'EC', crv: curve.jwk, x: text(x), y: text(y) };
}
