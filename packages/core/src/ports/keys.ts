/**
 * The key ring: secrets at rest are encrypted with AES-256-GCM under its first key and decrypted under any
 * of them, so a key is changed by putting a new one in front and sealing anew what others hold (`administration/key-rotation/`). Each ciphertext is bound to its place (entry
 * and data key) as additional data: moved elsewhere, it does not open.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { ServiceError } from '../foundation/errors/errors.ts';
import { type HmacKey, hmacHex, hmacKey } from '../foundation/runtime/hmac.ts';
import type { Random } from './random.ts';

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8, RFC 8410 §7. */
const ed25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** version (1 byte) ‖ key id (4) ‖ nonce (12) ‖ ciphertext ‖ tag (16) */
const version = 1;
const header = 17;
const tagLength = 16;
const gcm = { authTagLength: tagLength };

interface Key {
  /** 8 hexadecimal digits, which stand in what is sealed and tell nothing of the key. */
  readonly id: string;
  /** The same as a number, as it stands in what is sealed. */
  readonly number: number;
  readonly secret: KeyObject;
}

export class KeyRing {
  readonly #keys: readonly Key[];
  readonly #random: Random;
  readonly #digestSecret: KeyObject;
  /** By purpose: to derive one costs more than the digest. The purposes are few, and stand in the code. */
  readonly #digestKeys = new Map<string, HmacKey>();

  /**
   * @param keys 32 bytes each, the one to encrypt with first
   * @param digestSecret what {@link digest} is keyed with; left out: the last key, so that another one in front changes
   *   no digest, but the ring cannot lose its last one
   * @throws ServiceError `internal` if there is none or one is not 32 bytes long
   */
  constructor(keys: readonly Uint8Array[], random: Random, digestSecret?: Uint8Array) {
    const last = keys.at(-1);
    if (!last || keys.some((key) => key.length !== 32)) {
      throw new ServiceError('internal', {
        detail: 'a key ring needs at least one key, and 32 bytes in each',
      });
    }
    this.#keys = keys.map((key) => {
      const digest = createHash('sha256').update(key).digest();
      return {
        id: digest.toString('hex', 0, 4),
        number: digest.readUInt32BE(),
        secret: createSecretKey(key),
      };
    });
    this.#random = random;
    this.#digestSecret = createSecretKey(digestSecret ?? last);
  }

  /** The same keys, with the secret that the digests of an installation are made with for ever. */
  withDigestSecret(secret: Uint8Array): KeyRing {
    const keys = this.#keys.map((key) => key.secret.export());
    return new KeyRing(keys, this.#random, secret);
  }

  /** What its keys are called where they must not be shown, the one that encrypts first. */
  get ids(): readonly string[] {
    return this.#keys.map(({ id }) => id);
  }

  /** The id of the key that something is sealed under; undefined: it is nothing sealed. */
  keyIdOf(sealed: Uint8Array): string | undefined {
    if (!isSealed(sealed)) return undefined;
    return Buffer.from(sealed.buffer, sealed.byteOffset, 5).toString('hex', 1);
  }

  seal(plain: Uint8Array, place: string): Uint8Array {
    const key = this.#keys[0] as Key;
    const nonce = this.#random.bytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.secret, nonce, gcm);
    cipher.setAAD(Buffer.from(place, 'utf8'));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    const id = Buffer.from(key.id, 'hex');
    return Buffer.concat([Uint8Array.of(version), id, nonce, body, cipher.getAuthTag()]);
  }

  /**
   * Under the first key; what is under it already is given back as it is.
   * @throws ServiceError `internal` as {@link open}
   */
  reseal(sealed: Uint8Array, place: string): Uint8Array {
    return this.keyIdOf(sealed) === this.ids[0] ? sealed : this.seal(this.open(sealed, place), place);
  }

  /**
   * Stands for a text without telling it: who has not the ring cannot try out what it was. Other keys in the ring
   * change no digest of an installation.
   * @param purpose the same text has another digest for another one
   * @returns 64 hexadecimal digits
   */
  digest(text: string, purpose: string): string {
    return hmacHex(this.#digestKey(purpose), Buffer.from(text, 'utf8'));
  }

  /**
   * Signs a text so that nobody needs the ring to check it: Ed25519 (RFC 8032), with a key that comes of the first one.
   * @returns base64
   */
  sign(text: string, purpose: string): string {
    const key = signingKey(this.#keys[0] as Key, purpose);
    return sign(null, Buffer.from(text, 'utf8'), key).toString('base64');
  }

  /** What {@link sign} is checked with, PEM, for each key of the ring. */
  verifyingKeys(purpose: string): readonly string[] {
    const all = this.#keys.map((key) => createPublicKey(signingKey(key, purpose)));
    return all.map((key) => key.export({ type: 'spki', format: 'pem' }).toString());
  }

  #digestKey(purpose: string): HmacKey {
    const known = this.#digestKeys.get(purpose);
    if (known) return known;
    const key = hmacKey('sha256', Buffer.from(hkdfSync('sha256', this.#digestSecret, '', purpose, 32)));
    this.#digestKeys.set(purpose, key);
    return key;
  }

  #keyOf(number: number): Key | undefined {
    for (const key of this.#keys) if (key.number === number) return key;
    return undefined;
  }

  /** @throws ServiceError `internal` if no key of the ring opens it, or it was sealed for another place. */
  open(sealed: Uint8Array, place: string): Uint8Array {
    const key = isSealed(sealed) ? this.#keyOf(numberIn(sealed)) : undefined;
    if (!key) {
      throw new ServiceError('internal', {
        detail: 'a stored secret was encrypted under a key that is not in the ring',
      });
    }
    const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(5, header), gcm);
    decipher.setAAD(Buffer.from(place, 'utf8'));
    decipher.setAuthTag(sealed.subarray(-tagLength));
    try {
      const plain = decipher.update(sealed.subarray(header, -tagLength));
      // GCM gives back all that it was given: what is left is to check the tag.
      decipher.final();
      return plain;
    } catch (cause) {
      throw new ServiceError('internal', {
        detail: 'a stored secret does not belong where it was found',
        cause,
      });
    }
  }
}

const isSealed = (bytes: Uint8Array): boolean => bytes[0] === version && bytes.length >= header + tagLength;

/** Of the key that it is sealed under, its bytes 1 to 4. */
function numberIn(sealed: Uint8Array): number {
  let number = 0;
  for (let at = 1; at < 5; at += 1) number = number * 256 + (sealed[at] as number);
  return number;
}

function signingKey({ secret }: Key, purpose: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', `sign: ${purpose}`, 32));
  return createPrivateKey({ key: Buffer.concat([ed25519, seed]), format: 'der', type: 'pkcs8' });
}
