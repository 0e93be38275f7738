/** One X.509 certificate from its parts, and the keys for it. */
import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { Integer, PrintableString, Utf8String } from 'asn1js';
import { AttributeTypeAndValue, Certificate, type Extension, Time, TimeType } from 'pkijs';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { StartError } from '../../start-error.ts';

/** A certificate and its private key (PKCS #8), PEM. */
export interface CertifiedKey {
  readonly certificate: string;
  readonly key: string;
}

export interface IssuePorts {
  readonly clock: Clock;
  readonly random: Random;
}

interface Parts {
  readonly commonName: string;
  readonly days: number;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  /** The issuer's key: the own one, if self-signed. */
  readonly signWith: CryptoKey;
  /** Left out: self-signed. */
  readonly issuer?: Certificate;
  readonly extensions: readonly Extension[];
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const minute = 60_000;
const day = 24 * 60 * minute;

export async function newKeys(): Promise<{ publicKey: CryptoKey; privateKey: CryptoKey }> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

export async function certify(parts: Parts, { clock, random }: IssuePorts): Promise<CertifiedKey> {
  const certificate = new Certificate({ version: 2, serialNumber: serialNumber(random) }); // 2 is v3
  certificate.subject.typesAndValues = [commonName(parts.commonName)];
  certificate.issuer = parts.issuer?.subject ?? certificate.subject;
  certificate.notBefore = timeAt(clock.now() - 5 * minute); // clients' clocks are a little off
  certificate.notAfter = timeAt(clock.now() + parts.days * day);
  certificate.extensions = [...parts.extensions];
  await certificate.subjectPublicKeyInfo.importKey(parts.publicKey);
  await certificate.sign(parts.signWith, 'SHA-256');
  const der = Buffer.from(certificate.toSchema(true).toBER());
  return {
    certificate: new X509Certificate(der).toString(),
    key: String(KeyObject.from(parts.privateKey).export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** @throws StartError if it is no certificate in PEM */
export function readCertificate(pem: string): Certificate {
  try {
    return Certificate.fromBER(new X509Certificate(pem).raw);
  } catch (cause) {
    throw new StartError('The certificate of the certificate authority cannot be read.', { cause });
  }
}

/** @throws StartError if it is no ECDSA P-256 key in PEM */
export async function privateKeyOf(pem: string): Promise<{ object: KeyObject; crypto: CryptoKey }> {
  try {
    const object = createPrivateKey(pem);
    const der = object.export({ type: 'pkcs8', format: 'der' });
    return { object, crypto: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']) };
  } catch (cause) {
    throw new StartError('The key of the certificate authority cannot be read.', { cause });
  }
}

/** RFC 5280 §4.1.2.2: positive, at most 20 octets; unpredictable, against collisions in the hash. */
function serialNumber(random: Random): Integer {
  const bytes = Uint8Array.from(random.bytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return new Integer({ valueHex: bytes.buffer });
}

/** RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. */
function timeAt(milliseconds: number): Time {
  const value = new Date(Math.trunc(milliseconds / 1000) * 1000);
  return new Time({
    type: value.getUTCFullYear() < 2050 ? TimeType.UTCTime : TimeType.GeneralizedTime,
    value,
  });
}

function commonName(text: string): AttributeTypeAndValue {
  const value = /^[A-Za-z0-9 '()+,./:=?-]*$/.test(text)
    ? new PrintableString({ value: text })
    : new Utf8String({ value: text });
  return new AttributeTypeAndValue({ type: '2.5.4.3', value });
}
