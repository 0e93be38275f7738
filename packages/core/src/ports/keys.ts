/**
 * The key ring: secrets at rest are encrypted with AES-256-GCM under its first key and decrypted under any
 * of them, so a key is changed by putting a new one in front. Each ciphertext is bound to its place (entry
 * and data key) as additional data: moved elsewhere, it does not open.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { Random } from './random.ts';

/** version (1 byte) ‖ key id (4) ‖ nonce (12) ‖ ciphertext ‖ tag (16) */
const version = 1;
const header = 17;
const tagLength = 16;

interface Key {
  readonly id: Buffer;
  readonly secret: KeyObject;
}

export class KeyRing {
  readonly #keys: readonly Key[];
  readonly #random: Random;

  /**
   * @param keys 32 bytes each, the one to encrypt with first
   * @throws ServiceError `internal` if there is none or one is not 32 bytes long
   */
  constructor(keys: readonly Uint8Array[], random: Random) {
    if (keys.length === 0 || keys.some((key) => key.length !== 32)) {
      throw new ServiceError('internal', {
        detail: 'a key ring needs at least one key, and 32 bytes in each',
      });
    }
    this.#keys = keys.map((key) => ({
      id: createHash('sha256').update(key).digest().subarray(0, 4),
      secret: createSecretKey(key),
    }));
    this.#random = random;
  }

  seal(plain: Uint8Array, place: string): Uint8Array {
    const key = this.#keys[0] as Key;
    const nonce = this.#random.bytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: tagLength });
    cipher.setAAD(Buffer.from(place, 'utf8'));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Uint8Array.of(version), key.id, nonce, body, cipher.getAuthTag()]);
  }

  /**
   * Stands for a text without telling it: who has not the ring cannot try out what it was.
   * @param purpose the same text has another digest for another one
   * @returns 64 hexadecimal digits
   */
  digest(text: string, purpose: string): string {
    const key = hkdfSync('sha256', (this.#keys[0] as Key).secret, '', purpose, 32);
    return createHmac('sha256', Buffer.from(key)).update(text, 'utf8').digest('hex');
  }

  /** @throws ServiceError `internal` if no key of the ring opens it, or it was sealed for another place. */
  open(sealed: Uint8Array, place: string): Uint8Array {
    const bytes = Buffer.from(sealed);
    const key = this.#keys.find(({ id }) => id.equals(bytes.subarray(1, 5)));
    if (bytes[0] !== version || bytes.length < header + tagLength || !key) {
      throw new ServiceError('internal', {
        detail: 'a stored secret was encrypted under a key that is not in the ring',
      });
    }
    const decipher = createDecipheriv('aes-256-gcm', key.secret, bytes.subarray(5, header), {
      authTagLength: tagLength,
    });
    decipher.setAAD(Buffer.from(place, 'utf8'));
    decipher.setAuthTag(bytes.subarray(-tagLength));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(header, -tagLength)), decipher.final()]);
    } catch (cause) {
      throw new ServiceError('internal', {
        detail: 'a stored secret does not belong where it was found',
        cause,
      });
    }
  }
}
