/** What is encrypted for the key of a certificate: CMS EnvelopedData (RFC 5652 §6), as S/MIME mails carry it (RFC 8551). */
import { fromBER } from 'asn1js';
import { Certificate, ContentInfo, EnvelopedData } from 'pkijs';
import { ServiceError } from '../../errors/errors.ts';

/** id-envelopedData, RFC 5652 §6.1 */
const envelopedData = '1.2.840.113549.1.7.3';

/**
 * AES-256 in CBC mode, which mail programs of the last twenty years read. For an RSA key by RSAES-OAEP with SHA-256 (RFC 3560),
 * for one on a curve by ECDH (RFC 5753).
 * @param certificate DER
 * @returns DER of a ContentInfo
 * @throws ServiceError `invalid_params` where nothing can be encrypted for its key
 */
export async function encryptFor(certificate: Uint8Array, content: Uint8Array): Promise<Uint8Array> {
  try {
    const { result } = fromBER(Uint8Array.from(certificate).buffer);
    const enveloped = new EnvelopedData();
    enveloped.addRecipientByCertificate(new Certificate({ schema: result }), {
      oaepHashAlgorithm: 'SHA-256',
    });
    const algorithm = { name: 'AES-CBC', length: 256 };
    await enveloped.encrypt(algorithm, Uint8Array.from(content).buffer);
    const info = new ContentInfo({ contentType: envelopedData, content: enveloped.toSchema() });
    return new Uint8Array(info.toSchema().toBER(false));
  } catch (cause) {
    throw new ServiceError('invalid_params', {
      detail: 'nothing can be encrypted for the certificate',
      cause,
    });
  }
}
