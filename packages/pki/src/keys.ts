/** Reads and checks the certificate and the key of an authority, with node:crypto only. */
import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { StartError } from '@watchword/core/foundation';

/** Kinds of keys that an authority can be made with. */
export type KeyType = 'P-256' | 'RSA-2048' | 'RSA-3072' | 'RSA-4096';

/** A certificate and its private key (PKCS #8), PEM. */
export interface CertifiedKey {
  readonly certificate: string;
  readonly key: string;
}

export const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** @throws StartError if it is no certificate in PEM */
export function readX509(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw unreadable(cause);
  }
}

export const unreadable = (cause: unknown): StartError =>
  new StartError(
    'The certificate of the certificate authority cannot be read; give one in PEM, with that of the authority first.',
    { cause },
  );

/** @throws StartError if it does not belong to the certificate, or they cannot be read */
export async function authorityKey({ certificate, key }: CertifiedKey): Promise<CryptoKey> {
  const { object, crypto } = await privateKeyOf(key);
  if (readX509(certificate).checkPrivateKey(object)) return crypto;
  throw new StartError(
    'The key of the certificate authority does not belong to its certificate; give two that do.',
  );
}

/** @throws StartError if it is no key in PEM, or one of a kind that an authority does not sign with */
async function privateKeyOf(pem: string): Promise<{ object: KeyObject; crypto: CryptoKey }> {
  const object = readKey(pem);
  const algorithm = algorithmOf(object);
  if (!algorithm) {
    throw new StartError(
      'The key of the certificate authority is of another kind; give one of RSA from 2048 bits, or ECDSA on P-256, P-384 or P-521.',
    );
  }
  const der = object.export({ type: 'pkcs8', format: 'der' });
  return { object, crypto: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']) };
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new StartError(
      'The key of the certificate authority cannot be read; give one in PEM, without a passphrase.',
      { cause },
    );
  }
}

/** The curves that we sign and certify on, by the names of OpenSSL. */
export const curves: ReadonlyMap<string | undefined, string> = new Map([
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject) {
  const { modulusLength = 0, namedCurve } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'rsa') return modulusLength >= 2048 ? rsa : undefined;
  const curve = curves.get(namedCurve);
  return curve === undefined ? undefined : { name: 'ECDSA', namedCurve: curve };
}
