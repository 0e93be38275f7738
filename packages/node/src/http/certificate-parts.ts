/**
 * Parts of a certificate that Node does not expose: extensions and the signature algorithm (RFC 5280 §4.1). OpenSSL has parsed it before, so
 * only its structure is followed.
 */
import type { X509Certificate } from 'node:crypto';

export interface Extension {
  /** A verifier that does not know the extension must refuse the certificate (RFC 5280 §4.2). */
  readonly critical: boolean;
  /** DER. */
  readonly value: Buffer;
}

/** Parts of a certificate; object identifiers are their DER in hexadecimal. */
export interface CertificateParts {
  readonly signatureAlgorithm: string | undefined;
  readonly extensions: ReadonlyMap<string, Extension>;
}

/** Reads the parts; undefined if the certificate is not DER. */
export function readParts({ raw }: X509Certificate): CertificateParts | undefined {
  try {
    const [toBeSigned, algorithm] = elementsOf(onlyElementOf(raw));
    const field = elementsOf(toBeSigned?.content).find(({ tag }) => tag === tags.extensions);
    const extensions = field ? elementsOf(onlyElementOf(field.content)).map(readExtension) : [];
    const [identifier] = elementsOf(algorithm?.content);
    return {
      signatureAlgorithm: identifier?.content.toString('hex'),
      extensions: new Map(extensions),
    };
  } catch {
    return undefined; // a length of another form, or beyond the end
  }
}

const tags = { boolean: 0x01, extensions: 0xa3 } as const;

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

const onlyElementOf = (bytes: Buffer): Buffer | undefined => elementsOf(bytes)[0]?.content;

/** Splits DER into elements. @throws RangeError by Node for an indefinite length (BER), and for one beyond the end */
function elementsOf(bytes: Buffer = Buffer.alloc(0)): readonly Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at + 1);
    const octets = first < 0x80 ? 0 : first & 0x7f;
    const length = first < 0x80 ? first : bytes.readUIntBE(at + 2, octets);
    const start = at + 2 + octets;
    elements.push({ tag: bytes.readUInt8(at), content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

function readExtension({ content }: Element): readonly [string, Extension] {
  const parts = elementsOf(content);
  const critical = parts.some(({ tag, content: [value = 0] }) => tag === tags.boolean && value !== 0);
  const value = parts.at(-1)?.content ?? Buffer.alloc(0);
  return [parts[0]?.content.toString('hex') ?? '', { critical, value }];
}
