/** Dynamic truncation, RFC 4226 §5.3. @param digest of an HMAC, in hexadecimal digits */
export function truncated(digest: string, digits: number): string {
  const offset = 2 * Number.parseInt(digest.slice(-1), 16);
  const number = Number.parseInt(digest.slice(offset, offset + 8), 16) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}
