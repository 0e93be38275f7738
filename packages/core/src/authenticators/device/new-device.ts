/** What a registration of a FIDO2 device begins and ends with, whatever it is for (WebAuthn Level 2 §7.1). */
import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { type CoseKey, coseKey } from './ceremony.ts';

/** Bytes of a challenge: WebAuthn §13.4.3 wants 16. */
const challengeLengths = { least: 16, most: 64 };

/** @returns base64url @throws ServiceError `invalid_params` naming `random` */
export function challengeOf(random: Uint8Array): string {
  const { least, most } = challengeLengths;
  if (random.length < least || random.length > most)
    throw new ServiceError('invalid_params', { detail: `Parameter random is not ${least} to ${most} bytes` });
  return Buffer.from(random).toString('base64url');
}

/** 32 bytes that stand for a user on its devices, whatever it is called, and tell nothing of it. @param id of the entry */
export const handleOf = (id: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hash('sha256', id, 'buffer'));

/** What a browser gave: JSON, or base64 of it. */
export const jsonIn = (response: string): string =>
  response.trimStart().startsWith('{') ? response : Buffer.from(response, 'base64').toString('utf8');

/** Undefined: it is neither Ed25519 nor ECDSA on P-256. @param publicKey COSE_Key (RFC 9052), base64url */
export function keyObjectOf(publicKey: string): KeyObject | undefined {
  const jwk = jwkOf(coseKey(publicKey));
  return jwk && createPublicKey({ key: jwk, format: 'jwk' });
}

/** RFC 9053 §7. */
function jwkOf({ kind, curve, x, y }: CoseKey) {
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64url');
  if (kind === 1 && curve === 6) return { kty: 'OKP', crv: 'Ed25519', x: text(x) };
  return kind === 2 && curve === 1 ? { kty: 'EC', crv: 'P-256', x: text(x), y: text(y) } : undefined;
}
