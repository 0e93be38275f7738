/** Makes X.509 certificates from their parts (RFC 5280 §4.1), and the keys for them. */
import { KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import type { Clock, Random } from '@watchword/core/ports';
import { Integer, PrintableString, Utf8String } from 'asn1js';
import {
  AttributeTypeAndValue,
  Certificate,
  type Extension,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time,
  TimeType,
} from 'pkijs';
import { type KeyType, readX509, rsa, unreadable } from './keys.ts';
import { signWith } from './signature.ts';

export interface IssuePorts {
  readonly clock: Clock;
  readonly random: Random;
}

interface Parts {
  readonly subject: RelativeDistinguishedNames;
  readonly days: number;
  readonly publicKey: PublicKeyInfo;
  /** The issuer's key: the own one, if self-signed. */
  readonly signWith: CryptoKey;
  /** Left out: self-signed. */
  readonly issuer?: Certificate;
  readonly extensions: readonly Extension[];
}

/** The time by which a certificate is backdated: clients' clocks are a little off. */
export const leewayMilliseconds = 5 * 60_000;
const day = 86_400_000;

/** Returns a validity of a number of days, to the second, in milliseconds since 1970. */
export function validity({ clock }: IssuePorts, days: number): { notBefore: number; notAfter: number } {
  const notBefore = Math.trunc(clock.now() / 1000) * 1000 - leewayMilliseconds;
  return { notBefore, notAfter: notBefore + days * day };
}

export async function certify(parts: Parts, ports: IssuePorts): Promise<X509Certificate> {
  const certificate = new Certificate({ version: 2, serialNumber: serialNumber(ports.random) }); // 2 is v3
  certificate.subject = parts.subject;
  certificate.issuer = parts.issuer?.subject ?? certificate.subject;
  const { notBefore, notAfter } = validity(ports, parts.days);
  certificate.notBefore = timeAt(notBefore);
  certificate.notAfter = timeAt(notAfter);
  certificate.extensions = [...parts.extensions];
  certificate.subjectPublicKeyInfo = parts.publicKey;
  await signWith(parts.signWith, certificate);
  return new X509Certificate(Buffer.from(certificate.toSchema(true).toBER()));
}

/** @throws StartError if it is no certificate in PEM, or one that only node:crypto can read */
export function readCertificate(pem: string): Certificate {
  const { raw } = readX509(pem);
  try {
    return Certificate.fromBER(raw);
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** RFC 5280 §4.1.2.2: positive, at most 20 octets; unpredictable, against collisions in the hash. */
function serialNumber(random: Random): Integer {
  const bytes = Uint8Array.from(random.bytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return new Integer({ valueHex: bytes.buffer });
}

/** RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. */
export function timeAt(milliseconds: number): Time {
  const value = new Date(Math.trunc(milliseconds / 1000) * 1000);
  return new Time({
    type: value.getUTCFullYear() < 2050 ? TimeType.UTCTime : TimeType.GeneralizedTime,
    value,
  });
}

export function commonName(text: string): RelativeDistinguishedNames {
  const value = /^[A-Za-z0-9 '()+,./:=?-]*$/.test(text)
    ? new PrintableString({ value: text })
    : new Utf8String({ value: text });
  return new RelativeDistinguishedNames({
    typesAndValues: [new AttributeTypeAndValue({ type: '2.5.4.3', value })],
  });
}

export interface Keys {
  readonly publicKey: PublicKeyInfo;
  readonly privateKey: CryptoKey;
}

export async function newKeys(type: KeyType = 'P-256'): Promise<Keys> {
  const { publicKey, privateKey } = await generate(type);
  const info = new PublicKeyInfo();
  await info.importKey(publicKey);
  return { publicKey: info, privateKey };
}

async function generate(type: KeyType): Promise<CryptoKeyPair> {
  const uses = ['sign', 'verify'] as const;
  if (type === 'P-256') return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: type }, true, uses);
  const size = { modulusLength: Number(type.slice(4)), publicExponent: Uint8Array.of(1, 0, 1) };
  return webcrypto.subtle.generateKey({ ...rsa, ...size }, true, uses);
}

/** PKCS #8, PEM. */
export function pemOfKey(key: CryptoKey): string {
  return String(KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }));
}
