/**
 * Client certificates in headers of reverse proxies: RFC 9440 (`:<base64>:`), PEM with spaces for line breaks (Apache), URL-escaped PEM (nginx),
 * or plain base64 (HAProxy).
 */
import { X509Certificate } from 'node:crypto';

/** The longest header in characters; RSA 4096 takes about 3000. */
const longest = 16_384;

const forms: readonly RegExp[] = [
  /^:(?<base64>[A-Za-z0-9+/]+={0,2}):$/,
  /^-----BEGIN CERTIFICATE-----\s(?<base64>[A-Za-z0-9+/\s]+={0,2})\s-----END CERTIFICATE-----$/,
  /^(?<base64>[A-Za-z0-9+/]+={0,2})$/,
];

/** Reads a certificate; undefined unless it is exactly one: two headers arrive as one, with a comma. */
export function readCertificateHeader(text: string): X509Certificate | undefined {
  if (text.length > longest) return undefined;
  const plain = unescaped(text).trim();
  for (const form of forms) {
    const base64 = form.exec(plain)?.groups?.base64;
    if (base64 !== undefined) return certificateOf(Buffer.from(base64, 'base64'));
  }
  return undefined;
}

/** Returns whether a header contains no certificate; Apache writes `(null)` for an unset variable. */
export const isNoCertificate = (text: string | null): text is null | '' | '(null)' =>
  text === null || text === '' || text === '(null)';

function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // a stray %
  }
}

/** Parses DER; the parser itself ignores trailing bytes. */
function certificateOf(der: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.equals(der) ? certificate : undefined;
  } catch {
    return undefined;
  }
}
