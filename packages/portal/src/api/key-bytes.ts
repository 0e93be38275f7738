/** Keys as people have them on paper, in base64 as the methods take them. */
import { base32, toBase64 } from './base64.ts';

/** Converts hexadecimal digits, with spaces and colons between them; undefined for another text. */
export function base64OfHex(text: string): string | undefined {
  const digits = text.replace(/[\s:-]/g, '');
  if (digits === '' || digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) return undefined;
  return base64Of(Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

/** RFC 4648 §6. */
function base64OfBase32(text: string): string | undefined {
  const letters = text.replace(/[\s=-]/g, '').toUpperCase();
  if (letters === '' || /[^A-Z2-7]/.test(letters)) return undefined;
  const bits = Array.from(letters, (letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return base64Of(Array.from(bits.match(/.{8}/g) ?? [], (octet) => Number.parseInt(octet, 2)));
}

/** Hexadecimal where it can be: a key of digits and the letters A to F is meant so. */
export const base64OfKey = (text: string): string | undefined => base64OfHex(text) ?? base64OfBase32(text);

/** The characters that Yubikeys type for 0 to f, the same on most keyboards. */
const modhex = 'cbdefghijklnrtuv';

export function base64OfModhex(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  if (/[^cbdefghijklnrtuv]/.test(typed)) return base64OfHex(typed);
  return base64OfHex(Array.from(typed, (letter) => modhex.indexOf(letter).toString(16)).join(''));
}

const base64Of = (bytes: readonly number[]): string => toBase64(Uint8Array.from(bytes));
