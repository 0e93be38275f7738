/** Dynamic truncation, RFC 4226 §5.3. @param digest of an HMAC */
export function truncated(digest: Buffer, digits: number): string {
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}
