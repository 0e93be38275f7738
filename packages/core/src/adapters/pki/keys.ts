/** Keys that sign: made, read, and what they have to be. */
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import { PublicKeyInfo } from 'pkijs';
import { StartError } from '../../errors/start-error.ts';

/** Kinds of keys that an authority can be made with. */
export type KeyType = 'P-256' | 'RSA-2048' | 'RSA-3072' | 'RSA-4096';

export interface Keys {
  readonly publicKey: PublicKeyInfo;
  readonly privateKey: CryptoKey;
}

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

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

/** @throws StartError if it is no key in PEM, or one of a kind that an authority does not sign with */
export async function privateKeyOf(pem: string): Promise<{ object: KeyObject; crypto: CryptoKey }> {
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
