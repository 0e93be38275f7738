/**
 * BER (X.690 §8.1, as RFC 4511 §5.1 limits it), written. Bytes are kept as text of one character each (latin1): to put texts
 * together is quicker than to put buffers together, and it is all short.
 */

/** One character for each byte. */
export type Bytes = string;

/** Tag, length, contents. */
export function element(tag: number, contents: Bytes): Bytes {
  const { length } = contents;
  if (length < 0x80) return String.fromCharCode(tag, length) + contents;
  const octets = length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4;
  return String.fromCharCode(tag, 0x80 | octets) + octetsOf(length, octets) + contents;
}

/** A whole number from 0 to 2^31 - 1, in as few octets as may be. */
export function integer(tag: number, value: number): Bytes {
  const octets = value < 0x80 ? 1 : value < 0x8000 ? 2 : value < 0x800000 ? 3 : 4;
  return String.fromCharCode(tag, octets) + octetsOf(value, octets);
}

export const octetString = (value: string | Uint8Array, tag = 0x04): Bytes => element(tag, bytes(value));

export const boolean = (value: boolean, tag = 0x01): Bytes => element(tag, value ? '\xff' : '\0');

/** A text in UTF-8, or bytes as they are. */
export function bytes(value: string | Uint8Array): Bytes {
  if (typeof value !== 'string') return Buffer.from(value).toString('latin1');
  return isAscii(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}

/** They are short: a regular expression takes longer to begin. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** In one piece, to be kept: what was put together is copied piece by piece each time. */
export const inOnePiece = (text: Bytes): Bytes => Buffer.from(text, 'latin1').toString('latin1');

function octetsOf(value: number, octets: number): Bytes {
  let text = '';
  for (let shift = 8 * (octets - 1); shift >= 0; shift -= 8)
    text += String.fromCharCode((value >>> shift) & 0xff);
  return text;
}
