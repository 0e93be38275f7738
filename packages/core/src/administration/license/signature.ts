/** Signature algorithms of licences: which keys are accepted, and with which algorithm each signs. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { StartError } from '../../foundation/errors/start-error.ts';

/**
 * Reads the issuer's public key.
 * @param pem a public key (RFC 7468 §13) or a certificate (§5)
 * @param name in messages: a path
 * @throws StartError
 */
export function readLicenseKey(pem: string, name: string): KeyObject {
  if (pem.includes('PRIVATE KEY-----')) {
    throw new StartError(
      `${name} holds a private key; put the public one there (openssl pkey -pubout), and keep this one with whoever issues licences.`,
    );
  }
  const key = parseKey(pem, name);
  if (digestOf(key) === undefined) {
    throw new StartError(
      `${name} holds a key that no licence is signed with; use Ed25519, ECDSA on P-256 or P-384, or RSA of 2048 bits or more.`,
    );
  }
  return key;
}

function parseKey(pem: string, name: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new StartError(
      `${name} is neither a public key nor a certificate in PEM; name the file of whoever issues licences.`,
      { cause },
    );
  }
}

/** @param signature of ECDSA in DER, RFC 3279 §2.2.3; of RSA by RFC 8017 §8.2; of Ed25519 by RFC 8032 */
export function isSigned(content: Uint8Array, signature: Uint8Array, key: KeyObject): boolean {
  const digest = digestOf(key);
  return digest !== undefined && verify(digest, content, key, signature);
}

const curves = ['prime256v1', 'secp384r1'];

/** Null: the algorithm has its own, as Ed25519 does. Undefined: none signs a licence with such a key. */
function digestOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): 'sha256' | null | undefined {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'ed25519') return null;
  const isStrong =
    (asymmetricKeyType === 'rsa' && modulusLength >= 2048) ||
    (asymmetricKeyType === 'ec' && curves.includes(namedCurve));
  return isStrong ? 'sha256' : undefined;
}
