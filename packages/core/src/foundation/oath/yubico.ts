/**
 * Yubico OTP: the output that a Yubikey types. An output is the public id and 16 bytes under AES-128, in modhex, which every keyboard layout
 * types alike. The bytes are private id, use counter, timestamp, session counter, random bytes and a CRC (developers.yubico.com,
 * "OTPs explained").
 */
import { createDecipheriv, timingSafeEqual } from 'node:crypto';

const alphabet = 'cbdefghijklnrtuv';

/** Characters of the part under AES. */
export const encryptedLength = 32;

/** Bytes of the AES key, and of the private id after it: the secret of a token is both. */
export const [keyLength, privateIdLength] = [16, 6];

/** Bytes of the longest public id. A key may have none. */
export const longestPublicId = 16;

export const toModhex = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/./g, (digit) => alphabet.charAt(Number.parseInt(digit, 16)));

/** Reads modhex. @returns undefined unless the text is modhex of whole bytes */
export function fromModhex(text: string): Uint8Array | undefined {
  const small = text.toLowerCase();
  if (small.length % 2 !== 0 || !/^[cbdefghijklnrtuv]*$/.test(small)) return undefined;
  return Buffer.from(
    small.replace(/./g, (letter) => alphabet.indexOf(letter).toString(16)),
    'hex',
  );
}

/** Returns an output in small letters. @returns undefined unless it has the form of an output with this public id */
export function yubicoOf(text: string, publicId: string): string | undefined {
  const typed = text.trim().toLowerCase();
  const isOne = typed.length === publicId.length + encryptedLength && typed.startsWith(publicId);
  return isOne && fromModhex(typed.slice(publicId.length)) ? typed : undefined;
}

/** The use of a key, numbered. The number only rises. */
export interface YubicoUse {
  /** The use counter, then 8 bits for the uses since the key was plugged in. */
  readonly number: number;
}

/**
 * Decrypts an output of a key.
 * @param secret AES key and private id
 * @param publicId modhex
 * @returns undefined if the output is of another key
 */
export function readYubico(
  text: string,
  { secret, publicId }: { readonly secret: Uint8Array; readonly publicId: string },
): YubicoUse | undefined {
  const encrypted = fromModhex(yubicoOf(text, publicId)?.slice(publicId.length) ?? '');
  if (encrypted?.length !== keyLength || secret.length !== keyLength + privateIdLength) return undefined;
  const decipher = createDecipheriv('aes-128-ecb', secret.subarray(0, keyLength), null).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(encrypted), decipher.final()]);
  const isOurs = timingSafeEqual(plain.subarray(0, privateIdLength), secret.subarray(keyLength));
  if (!isOurs || crc(plain) !== residue) return undefined;
  // The highest bit of the use counter does not count.
  return { number: (plain.readUInt16LE(6) & 0x7fff) * 256 + plain.readUInt8(11) };
}

/** The CRC of bytes that end with their own CRC. */
const residue = 0xf0b8;

/** Computes the CRC-16 of ISO/IEC 13239. */
export function crc(bytes: Uint8Array): number {
  let value = 0xffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >> 1) ^ 0x8408 : value >> 1;
  }
  return value;
}
