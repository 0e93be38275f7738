/** Base32 without padding (RFC 4648 §6), as in `otpauth://` URIs. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Encodes bytes in Base32 without padding, as `otpauth://` URIs have it.
 * @param bytes of any length
 * @returns letters in upper case, and the digits 2 to 7
 * @see RFC 4648 §6
 * @example
 * ```ts
 * import { toBase32 } from '@watchword/core/otp';
 *
 * console.log(toBase32(Buffer.from('foo'))); // MZXW6
 * ```
 */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/**
 * Decodes Base32 without padding.
 * @param text letters in upper case, and the digits 2 to 7
 * @returns the bytes; undefined for any other text
 * @see RFC 4648 §6
 * @example
 * ```ts
 * import { fromBase32 } from '@watchword/core/otp';
 *
 * console.log(Buffer.from(fromBase32('MZXW6') ?? []).toString()); // foo
 * console.log(fromBase32('mzxw6')); // undefined
 * ```
 */
export function fromBase32(text: string): Uint8Array | undefined {
  const values = Array.from(text, (letter) => alphabet.indexOf(letter));
  // 1, 3 or 6 letters in the last group of 8 are no whole byte.
  if (values.includes(-1) || [1, 3, 6].includes(text.length % 8)) return undefined;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
