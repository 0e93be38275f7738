/**
 * A client certificate as reverse proxies write it into a header: RFC 9440 (`:<base64>:`), PEM with its line breaks
 * made blanks (Apache), URL-escaped PEM (nginx), or base64 alone (HAProxy).
 */
import { X509Certificate } from 'node:crypto';

/** Longest header that is read, in characters: RSA 4096 takes about 3000. */
const longest = 16_384;

const forms: readonly RegExp[] = [
  /^:(?<base64>[A-Za-z0-9+/]+={0,2}):$/,
  /^-----BEGIN CERTIFICATE-----\s(?<base64>[A-Za-z0-9+/\s]+={0,2})\s-----END CERTIFICATE-----$/,
  /^(?<base64>[A-Za-z0-9+/]+={0,2})$/,
];

/** Undefined if it is not just one certificate: two headers of the name arrive as one, with a comma. */
export function readCertificateHeader(text: string): X509Certificate | undefined {
  if (text.length > longest) return undefined;
  const plain = unescaped(text).trim();
  for (const form of forms) {
    const base64 = form.exec(plain)?.groups?.base64;
    if (base64 !== undefined) return certificateOf(Buffer.from(base64, 'base64'));
  }
  return undefined;
}

/** Where there is no certificate: nothing, or what Apache writes for a variable that is not set. */
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

/** The parser passes over bytes behind the end. */
function certificateOf(der: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.equals(der) ? certificate : undefined;
  } catch {
    return undefined;
  }
}
