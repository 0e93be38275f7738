/** Base64, RFC 4648 §4, with what browsers and Node have in common. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
