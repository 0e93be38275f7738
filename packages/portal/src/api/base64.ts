/** Bytes as text (RFC 4648): base64, in the alphabet of addresses too; base32 of secrets that are typed. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Decodes base64 of either alphabet. @throws DOMException for another text */
export function fromBase64(text: string): Bytes {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Encodes DER as PEM (RFC 7468). @param label such as `PUBLIC KEY` */
export function toPem(label: string, der: Uint8Array): string {
  const lines = toBase64(der).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

export const textToBase64 = (text: string): string => toBase64(new TextEncoder().encode(text));

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));

/** Letters of base32 (RFC 4648 §6). */
export const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((five) => base32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
