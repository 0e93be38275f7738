/**
 * Parses certificate requests (PKCS #10, RFC 2986) of strangers. Only what is read here is signed later, so a request that two parsers
 * could read differently is refused.
 */
import { createPublicKey } from 'node:crypto';
import { ServiceError } from '@watchword/core/foundation';
import type { CertificateRequest } from '@watchword/core/ports';
import { fromBER } from 'asn1js';
import { CertificationRequest, getHashAlgorithm } from 'pkijs';
import { curves } from './keys.ts';
import { readSubject } from './subject.ts';

/** Characters of the longest request; one with an RSA key of 8192 bits has 3500. */
const maxLength = 16_384;
const rsaBits = { least: 2048, most: 8192 };

/** @throws ServiceError `invalid_params` naming the parameter `request` */
export async function readRequest(pem: string): Promise<CertificateRequest> {
  const der = derOf(pem);
  const request = parseRequest(der);
  refuseWeakKey(request);
  refuseWeakDigest(request);
  if (!(await isSigned(request)))
    throw invalidRequest('is not signed with its own key; make it again, as with openssl req -new');
  const subject = readSubject(request.subject);
  if (!subject) throw invalidRequest(ambiguous);
  return { der, subject };
}

export const invalidRequest = (what: string, cause?: unknown): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter request ${what}`, cause });

const noRequest = 'holds no certificate request (PKCS #10) in PEM; make one, as with openssl req -new';

/** RFC 7468 §2: text may stand around it, as `openssl req -text` writes it. A second block, a key for one, may not. */
function derOf(pem: string): Uint8Array {
  const block =
    /-----BEGIN (NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END \1?CERTIFICATE REQUEST-----/;
  if (pem.length > maxLength) throw invalidRequest(`is longer than ${maxLength} characters`);
  if (pem.split('-----BEGIN ').length > 2)
    throw invalidRequest(
      'holds more than one block in PEM; send the request and nothing else, no key above all',
    );
  const [, , base64] = block.exec(pem) ?? [];
  if (base64 === undefined) throw invalidRequest(noRequest);
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

/** @throws ServiceError `invalid_params` if it is no request, or more than one */
export function parseRequest(der: Uint8Array): CertificationRequest {
  const { offset, result } = fromBER(der);
  if (offset === -1) throw invalidRequest(noRequest);
  if (offset !== der.length)
    throw invalidRequest('has bytes behind its end; send the request and nothing else');
  try {
    return new CertificationRequest({ schema: result });
  } catch (cause) {
    throw invalidRequest(noRequest, cause);
  }
}

function refuseWeakKey({ subjectPublicKeyInfo }: CertificationRequest): void {
  const { asymmetricKeyType, asymmetricKeyDetails = {} } = publicKeyOf(
    subjectPublicKeyInfo.toSchema().toBER(),
  );
  const { modulusLength = 0, publicExponent = 0n, namedCurve } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'rsa') {
    if (modulusLength < rsaBits.least || modulusLength > rsaBits.most || publicExponent < 65_537n)
      throw invalidRequest(
        `has an RSA key of ${modulusLength} bits and exponent ${publicExponent}; use ${rsaBits.least} to ${rsaBits.most} bits and 65537`,
      );
  } else if (asymmetricKeyType !== 'ec' || !curves.has(namedCurve))
    throw invalidRequest(
      'has a key of another kind; use RSA of 2048 bits or more, or ECDSA on P-256, P-384 or P-521',
    );
}

function publicKeyOf(spki: ArrayBuffer) {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  } catch (cause) {
    throw invalidRequest('has a key that cannot be read', cause);
  }
}

function refuseWeakDigest({ signatureAlgorithm }: CertificationRequest): void {
  const digest = getHashAlgorithm(signatureAlgorithm);
  if (!['SHA-256', 'SHA-384', 'SHA-512'].includes(digest))
    throw invalidRequest('is signed with a weak digest; sign it with SHA-256, as with openssl req -sha256');
}

async function isSigned(request: CertificationRequest): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    return false; // pkijs throws where key and signature do not even fit
  }
}

const ambiguous =
  'has a subject that is not written as RFC 5280 wants it: one value in each part, as UTF8String or PrintableString';
