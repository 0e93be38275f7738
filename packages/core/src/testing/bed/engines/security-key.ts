/**
 * A security key in software, for tests: it makes credentials (attestation `none`, ES256) and signs challenges as a browser would
 * pass them on, WebAuthn Level 2 §6 and §7. Written out of the standard, with no library that the product uses.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

export interface SecurityKeyOptions {
  readonly rpId: string;
  readonly origin: string;
  /** A device without a counter stays at 0. */
  readonly hasCounter?: boolean;
  /** Left out: ES256, with which it signs too. */
  readonly kind?: 'ES256' | 'EdDSA' | 'RS256';
  /** The credential id of another device, for a forged one. */
  readonly id?: Buffer;
}

/** Changes of an answer by a test. */
export interface Twist {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly counter?: number;
  readonly isPresent?: boolean;
  readonly key?: KeyObject;
  /** The attestation of a registration: by the device itself (WebAuthn §8.2), with its own key or another one. */
  readonly attestedBy?: 'itself' | KeyObject;
}

export class SecurityKey {
  readonly id: Buffer;
  readonly #options: SecurityKeyOptions;
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  counter = 0;

  constructor(options: SecurityKeyOptions) {
    this.#options = options;
    this.id = options.id ?? randomBytes(32);
  }

  /** RegistrationResponseJSON. @param challenge base64url */
  register(challenge: string, twist: Twist = {}): string {
    const data = Buffer.concat([
      this.#data(twist.isPresent === false ? 0x40 : 0x41, twist),
      Buffer.alloc(16),
      uint16(this.id.length),
      this.id,
      cborMap(this.#publicKey()),
    ]);
    const client = this.#client('webauthn.create', challenge, twist);
    const statement = this.#statement(data, client, twist);
    const attestation = cborMap([
      ['fmt', statement.size === 0 ? 'none' : 'packed'],
      ['attStmt', statement],
      ['authData', data],
    ]);
    const id = this.id.toString('base64url');
    return JSON.stringify({
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['usb'],
      },
    });
  }

  /** Answers a challenge as the field `u2fResponse` takes it: JSON of base64. @param challenge base64 */
  sign(challenge: string, twist: Twist = {}): string {
    if (this.#options.hasCounter) this.counter += 1;
    const url = Buffer.from(challenge, 'base64').toString('base64url');
    const client = this.#client('webauthn.get', url, twist);
    const data = this.#data(twist.isPresent === false ? 0 : 0x01, twist);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    const signature = createSign('sha256')
      .update(signed)
      .sign(twist.key ?? this.#pair.privateKey);
    return JSON.stringify({
      authenticatorData: data.toString('base64'),
      clientDataJSON: client.toString('base64'),
      signature: signature.toString('base64'),
      userHandle: '',
    });
  }

  #statement(data: Buffer, client: Buffer, { attestedBy }: Twist): ReadonlyMap<string, number | Buffer> {
    if (attestedBy === undefined) return new Map();
    const key = attestedBy === 'itself' ? this.#pair.privateKey : attestedBy;
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    const sig = createSign('sha256').update(signed).sign(key);
    return new Map<string, number | Buffer>([
      ['alg', -7],
      ['sig', sig],
    ]);
  }

  #client(type: string, challenge: string, { origin, crossOrigin = false, ...twist }: Twist): Buffer {
    const said = { type: twist.type ?? type, challenge, origin: origin ?? this.#options.origin, crossOrigin };
    return Buffer.from(JSON.stringify(said));
  }

  #data(flags: number, { rpId = this.#options.rpId, counter = this.counter }: Twist): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
  }

  /** COSE_Key, RFC 9053 §7 and RFC 8230 §4. */
  #publicKey(): readonly (readonly [number, number | Buffer])[] {
    const bytes = (text = '') => Buffer.from(text, 'base64url');
    if (this.#options.kind === 'EdDSA') {
      const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
      return [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes(x)],
      ];
    }
    if (this.#options.kind === 'RS256') {
      const { n, e } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
        format: 'jwk',
      });
      return [
        [1, 3],
        [3, -257],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ];
    }
    return [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, this.#coordinate('x')],
      [-3, this.#coordinate('y')],
    ];
  }

  #coordinate(name: 'x' | 'y'): Buffer {
    return Buffer.from(this.#pair.publicKey.export({ format: 'jwk' })[name] ?? '', 'base64url');
  }
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

type Item = number | string | Buffer | ReadonlyMap<string, number | Buffer>;

/** RFC 8949, as much of it as a credential needs. */
const cborMap = (entries: readonly (readonly [number | string, Item])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)]);

function cbor(item: Item): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item);
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)]);
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item]);
  return cborMap([...item]);
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(value)]);
}
