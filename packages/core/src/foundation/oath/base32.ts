/** Base32 without padding, RFC 4648 §6: the form of secrets in `otpauth://` URIs. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The bytes of a text in upper case without padding; undefined if it is none. */
export function fromBase32(text: string): Uint8Array | undefined {
  const values = Array.from(text, (letter) => alphabet.indexOf(letter));
  // One, three and six letters over make no whole byte.
  if (values.includes(-1) || [1, 3, 6].includes(text.length % 8)) return undefined;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
