/**
 * Encoding of BER (X.690 §8.1, with the limits of RFC 4511 §5.1). Bytes are Latin-1 text, as joining short texts is quicker than joining
 * buffers.
 */

/** One character for each byte. */
export type Bytes = string;

/** Encodes an element. */
export function element(tag: number, contents: Bytes): Bytes {
  const { length } = contents;
  if (length < 0x80) return String.fromCharCode(tag, length) + contents;
  const octets = length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4;
  return String.fromCharCode(tag, 0x80 | octets) + octetsOf(length, octets) + contents;
}

/** Encodes an integer from 0 to 2^31 - 1. */
export function integer(tag: number, value: number): Bytes {
  const octets = value < 0x80 ? 1 : value < 0x8000 ? 2 : value < 0x800000 ? 3 : 4;
  return String.fromCharCode(tag, octets) + octetsOf(value, octets);
}

export const octetString = (value: string | Uint8Array, tag = 0x04): Bytes => element(tag, bytes(value));

export const boolean = (value: boolean, tag = 0x01): Bytes => element(tag, value ? '\xff' : '\0');

/** Converts a text, in UTF-8, or bytes. */
export function bytes(value: string | Uint8Array): Bytes {
  if (typeof value !== 'string') return Buffer.from(value).toString('latin1');
  return isAscii(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}

/** Scans the characters: a regular expression is slower for short texts. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** Returns a flat copy for reuse: V8 would copy a joined text piece by piece each time. */
export const flat = (text: Bytes): Bytes => Buffer.from(text, 'latin1').toString('latin1');

function octetsOf(value: number, octets: number): Bytes {
  let text = '';
  for (let shift = 8 * (octets - 1); shift >= 0; shift -= 8)
    text += String.fromCharCode((value >>> shift) & 0xff);
  return text;
}
