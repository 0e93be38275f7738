/** Signatures of certificates, lists and answers: SHA-256 with any key. */
import { Null } from 'asn1js';
import { CryptoEngine, type CryptoEngineSignatureParams } from 'pkijs';

/**
 * RFC 4055 §5: the parameters of an RSA signature (PKCS #1 v1.5) MUST be NULL. pkijs leaves them out; a reader that
 * compares octets, as some TLS libraries do, then knows no such algorithm.
 */
class StrictEngine extends CryptoEngine {
  override async getSignatureParameters(key: CryptoKey, hash?: string): Promise<CryptoEngineSignatureParams> {
    const found = await super.getSignatureParameters(key, hash);
    if (key.algorithm.name === 'RSASSA-PKCS1-v1_5') found.signatureAlgorithm.algorithmParams = new Null();
    return found;
  }
}

const engine = new StrictEngine({ name: 'strict', crypto: globalThis.crypto });

interface Signable {
  sign(key: CryptoKey, hash: string, engine: CryptoEngine): Promise<void>;
}

export const signWith = (key: CryptoKey, what: Signable): Promise<void> => what.sign(key, 'SHA-256', engine);
