/**
 * A key pair made in the browser, and a request (PKCS #10, RFC 2986) for a certificate of it. The private key never leaves the
 * browser, but for the file that its owner saves.
 */
import { toPem } from '../../../api/base64.ts';
import { bitString, type Der, emptyContext, ia5, integer, oid, sequence, setOf, utf8 } from './der.ts';

export interface KeyAndRequest {
  /** PKCS #8, PEM. */
  readonly key: string;
  /** PEM */
  readonly request: string;
}

/** The fields of a subject in their order: `['CN', 'vpn']`. */
export type Subject = readonly (readonly [field: keyof typeof fields, value: string])[];

const fields = {
  CN: '2.5.4.3',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  description: '2.5.4.13',
} as const;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const ecdsaWithSha256 = oid('1.2.840.10045.4.3.2');

export async function makeRequest(subject: Subject): Promise<KeyAndRequest> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
  const info = sequence(integer(Uint8Array.of(0)), nameOf(subject), spki, emptyContext(0));
  const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, info);
  const signed = sequence(info, sequence(ecdsaWithSha256), bitString(signatureOf(new Uint8Array(raw))));
  const key = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  return { key: toPem('PRIVATE KEY', key), request: toPem('CERTIFICATE REQUEST', signed) };
}

function nameOf(subject: Subject): Der {
  const parts = subject.map(([field, value]) => {
    // RFC 4519 §2.4: a domain component is ASCII; what is not stays what it is.
    const text = field === 'DC' && /^[\x20-\x7e]*$/.test(value) ? ia5(value) : utf8(value);
    return setOf(sequence(oid(fields[field]), text));
  });
  return sequence(...parts);
}

/** WebCrypto writes r and s side by side, X.509 as a sequence (RFC 3279 §2.2.3). */
function signatureOf(raw: Uint8Array): Der {
  const half = raw.length / 2;
  return sequence(integer(raw.subarray(0, half)), integer(raw.subarray(half)));
}
