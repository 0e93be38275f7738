/** Verifies that our authority has signed a presented certificate, and reads its contents (RFC 5280 §4, §6.1). */
import { X509Certificate } from 'node:crypto';
import type { SignedCertificate } from '@watchword/core/ports';
import { BitString } from 'asn1js';
import { Certificate, id_KeyUsage } from 'pkijs';
import { readSubject } from './subject.ts';

/** Characters of the longest; one of ours with an RSA key of 8192 bits has 3500. */
const maxLength = 16_384;
/** Certificates that are remembered: a client shows the same one with every request. */
const maxKnown = 256;

type Recognise = (certificate: string) => Promise<SignedCertificate | undefined>;

/** @param issuer the authority that is asked about; only what it has signed is remembered, so nobody else fills it */
export function recogniser(issuer: X509Certificate): Recognise {
  const known = new Map<string, SignedCertificate>();
  return async (certificate) => {
    const signed = known.get(certificate) ?? recognise(certificate, issuer);
    known.delete(certificate);
    if (signed) known.set(certificate, signed);
    const [oldest] = known.keys();
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    return signed;
  };
}

function recognise(pem: string, issuer: X509Certificate): SignedCertificate | undefined {
  const certificate = parse(pem);
  // The names alone anybody can write into a certificate of their own.
  if (!certificate?.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) return undefined;
  const parts = Certificate.fromBER(certificate.raw);
  return {
    subject: readSubject(parts.subject),
    serial: certificate.serialNumber.toLowerCase(),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    isForClients: !certificate.ca && authenticatesClients(certificate) && signsDigitally(parts),
  };
}

function parse(pem: string): X509Certificate | undefined {
  if (pem.length > maxLength) return undefined;
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** clientAuth, RFC 5280 §4.2.1.12. What Node calls the key usage is the extended one. */
const authenticatesClients = ({ keyUsage }: X509Certificate): boolean =>
  (keyUsage as readonly string[] | undefined)?.includes('1.3.6.1.5.5.7.3.2') ?? false;

/** The first bit, RFC 5280 §4.2.1.3; a certificate without the extension may do everything. */
function signsDigitally({ extensions = [] }: Certificate): boolean {
  const usage: unknown = extensions.find(({ extnID }) => extnID === id_KeyUsage)?.parsedValue;
  if (usage === undefined) return true;
  return usage instanceof BitString && ((usage.valueBlock.valueHexView[0] ?? 0) & 0b1000_0000) !== 0;
}
