/** The text of an XML entity (XML 1.0 §4.3.3, appendix F), for the encodings that SOAP clients use. */
import { ServiceError } from '../../../foundation/errors/errors.ts';

const utf8 = 'utf-8';

/** Decoders by declared encoding. ISO-8859-1 is decoded by its superset, as browsers do. */
const decoders: ReadonlyMap<string, string> = new Map([
  ['utf-8', utf8],
  ['utf8', utf8],
  ['us-ascii', utf8],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
]);

/**
 * A byte order mark decides, then the XML declaration, then it is UTF-8. What HTTP says as `charset` is often a
 * default that nobody meant: it counts only for bytes that are no UTF-8.
 * @throws ServiceError `parse_error` for another encoding, or bytes that are not in the one declared
 */
export function decodeXml(bytes: Uint8Array, contentType: string): string {
  const mark = marked(bytes);
  if (mark !== undefined) return decode(bytes, mark) ?? malformed(`the body is not in ${mark}`);
  if (bytes.subarray(0, 4).includes(0)) malformed('UTF-16 and UTF-32 need a byte order mark');
  const declared = declaredEncoding(bytes);
  const label = declared === undefined ? utf8 : decoders.get(declared.toLowerCase());
  if (label === undefined) return malformed(`the encoding '${declared}' is not supported`);
  const byHttp = declared === undefined ? decoders.get(charsetOf(contentType)) : undefined;
  return (
    decode(bytes, label) ??
    (byHttp === undefined ? undefined : decode(bytes, byHttp)) ??
    malformed(`the body is not in ${declared ?? 'UTF-8'}`)
  );
}

function marked([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return utf8;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Reads the declared encoding as ASCII: without a byte order mark and without a zero byte the text is in a superset of it. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,63})["']/.exec(start)?.[1];
}

const charsetOf = (contentType: string): string =>
  /;\s*charset\s*=\s*"?([\w.-]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? '';

function decode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function malformed(detail: string): never {
  throw new ServiceError('parse_error', { detail });
}
