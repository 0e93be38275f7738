/** The part of DER (ITU-T X.690) that a certificate request needs. */

const tags = {
  integer: 0x02,
  bitString: 0x03,
  oid: 0x06,
  utf8: 0x0c,
  ia5: 0x16,
  sequence: 0x30,
  set: 0x31,
} as const;

export type Der = Uint8Array<ArrayBuffer>;

const concat = (parts: readonly Uint8Array[]): Der => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const value = (tag: number, ...content: readonly Uint8Array[]): Der => {
  const body = concat(content);
  return concat([Uint8Array.of(tag), lengthOf(body.length), body]);
};

/** Below 128 as it is; above, how many bytes it takes, and these. */
function lengthOf(length: number): Der {
  if (length < 0x80) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.of(0x80 | bytes.length, ...bytes);
}

export const sequence = (...content: readonly Uint8Array[]): Der => value(tags.sequence, ...content);

export const setOf = (content: Uint8Array): Der => value(tags.set, content);

export const utf8 = (text: string): Der => value(tags.utf8, new TextEncoder().encode(text));

/** ASCII only. */
export const ia5 = (text: string): Der => value(tags.ia5, new TextEncoder().encode(text));

/** `[number]`, constructed, with nothing inside. */
export const emptyContext = (number: number): Der => value(0xa0 | number);

/** Whole bytes. */
export const bitString = (bytes: Uint8Array): Der => value(tags.bitString, Uint8Array.of(0), bytes);

/** Encodes a non-negative number, given by its bytes from the highest: with no more leading zeros than its sign needs. */
export function integer(bytes: Uint8Array): Der {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  return value(tags.integer, (digits[0] ?? 0) < 0x80 ? digits : concat([Uint8Array.of(0), digits]));
}

/** @param dotted `2.5.4.3` */
export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return value(tags.oid, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** Seven bits a byte, from the highest on; all but the last have the eighth. */
function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
