const zero = 0x30;

/**
 * Truncates an HMAC dynamically (RFC 4226 §5.3).
 * @param digest of the HMAC, in hexadecimal digits
 * @param digits 4 to 10
 * @returns the decimal digits in ASCII
 */
export function truncated(digest: string, digits: number): Buffer {
  const offset = 2 * Number.parseInt(digest.slice(-1), 16);
  let number = Number.parseInt(digest.slice(offset, offset + 8), 16) & 0x7fffffff;
  const text = Buffer.allocUnsafe(digits);
  for (let at = digits - 1; at >= 0; at -= 1) {
    text[at] = zero + (number % 10);
    number = Math.floor(number / 10);
  }
  return text;
}
