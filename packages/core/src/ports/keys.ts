/**
 * The key ring (docs/decisions/0007-secrets-are-sealed-and-keys-rotate.md). It encrypts with AES-256-GCM under its first key, and decrypts
 * under any key. Each ciphertext is bound to its place (entry and data key) as additional data, and opens nowhere else.
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

/** The prefix of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const ed25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The format: version (1 byte) ‖ key id (4) ‖ nonce (12) ‖ ciphertext ‖ tag (16). */
const version = 1;
const header = 17;
const tagLength = 16;
const gcm = { authTagLength: tagLength };

interface Key {
  /** 8 hexadecimal digits, which sealed values contain and which disclose nothing of the key. */
  readonly id: string;
  /** The id as a number. */
  readonly number: number;
  readonly secret: KeyObject;
}

/**
 * The key ring of an installation. The first key encrypts, and all keys decrypt.
 * A value opens only in the place that it was sealed for.
 * @see docs/concepts/stores-and-nodes.md#sealed-values
 * @example
 * ```ts
 * import { KeyRing } from '@watchword/core';
 * import { systemRandom } from '@watchword/node';
 *
 * const keys = new KeyRing([systemRandom.bytes(32)], systemRandom);
 * const sealed = keys.seal(Buffer.from('a secret'), 'alice Otp.Key');
 * console.log(Buffer.from(keys.open(sealed, 'alice Otp.Key')).toString()); // a secret
 * ```
 */
export class KeyRing {
  readonly #keys: readonly Key[];
  readonly #random: Random;
  readonly #digestSecret: KeyObject;
  /** Derived keys by purpose, because a derivation takes longer than a digest. The purposes are few constants. */
  readonly #digestKeys = new Map<string, HmacKey>();

  /**
   * @param keys 32 bytes each, the one to encrypt with first
   * @param digestSecret the key of {@link digest}; by default the last key, so that a new first key changes no digest
   * @throws ServiceError `internal` if there is no key, or one is not 32 bytes long
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

  /** Returns a ring with the same keys, and the permanent digest secret of an installation. */
  withDigestSecret(secret: Uint8Array): KeyRing {
    const keys = this.#keys.map((key) => key.secret.export());
    return new KeyRing(keys, this.#random, secret);
  }

  /** The ids of the keys, the encrypting one first. */
  get ids(): readonly string[] {
    return this.#keys.map(({ id }) => id);
  }

  /** Returns the id of the key that a value is sealed under; undefined for a value that is not sealed. */
  keyIdOf(sealed: Uint8Array): string | undefined {
    if (!isSealed(sealed)) return undefined;
    return Buffer.from(sealed.buffer, sealed.byteOffset, 5).toString('hex', 1);
  }

  /** Encrypts a value for a place. */
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
   * Seals a value under the first key; returns it unchanged if it is.
   * @throws ServiceError `internal` as {@link open} does
   */
  reseal(sealed: Uint8Array, place: string): Uint8Array {
    return this.keyIdOf(sealed) === this.ids[0] ? sealed : this.seal(this.open(sealed, place), place);
  }

  /**
   * Returns a keyed digest of a text, which cannot be tried out without the ring. Key rotation does not change the digests of an
   * installation.
   * @param purpose separates digests of the same text
   * @returns 64 hexadecimal digits
   */
  digest(text: string, purpose: string): string {
    return hmacHex(this.#digestKey(purpose), Buffer.from(text, 'utf8'));
  }

  /**
   * Signs a text by Ed25519 (RFC 8032), with a key derived from the first one, so that verifying needs no ring.
   * @returns base64
   */
  sign(text: string, purpose: string): string {
    const key = signingKey(this.#keys[0] as Key, purpose);
    return sign(null, Buffer.from(text, 'utf8'), key).toString('base64');
  }

  /** Returns the public key of {@link sign} for each key of the ring, PEM. */
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

  /** Decrypts a value. @throws ServiceError `internal` if no key of the ring opens it, or it was sealed for another place */
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
      // GCM has no final block: `final` only checks the tag.
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

/** Reads the key id of a sealed value, its bytes 1 to 4. */
function numberIn(sealed: Uint8Array): number {
  let number = 0;
  for (let at = 1; at < 5; at += 1) number = number * 256 + (sealed[at] as number);
  return number;
}

function signingKey({ secret }: Key, purpose: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', `sign: ${purpose}`, 32));
  return createPrivateKey({ key: Buffer.concat([ed25519, seed]), format: 'der', type: 'pkcs8' });
}
