/** Encryption for the key of a certificate: CMS EnvelopedData (RFC 5652 §6), as S/MIME mails carry it (RFC 8551). */
import { constants, createCipheriv, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto';
import { ServiceError } from '@watchword/core/foundation';
import { fromBER, Null, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  EncryptedContentInfo,
  EnvelopedData,
  IssuerAndSerialNumber,
  KeyTransRecipientInfo,
  RecipientInfo,
} from 'pkijs';

/** RFC 5652 §4, §6.1; RFC 3565 §4.1; RFC 3370 §4.2.1 */
const oids = {
  data: '1.2.840.113549.1.7.1',
  envelopedData: '1.2.840.113549.1.7.3',
  aes256Cbc: '2.16.840.1.101.3.4.1.42',
  rsaEncryption: '1.2.840.113549.1.1.1',
};

/** The padding by which a key is encrypted for an RSA key: RSAES-PKCS1-v1_5, which every mail program reads, or RSAES-OAEP with SHA-256 (RFC 3560). */
export type RsaPadding = 'pkcs1' | 'oaep';

/**
 * AES-256 in CBC mode, which mail programs of the last twenty years read; for a key on a curve by ECDH (RFC 5753).
 * @param certificate DER
 * @returns DER of a ContentInfo
 * @throws ServiceError `invalid_params` where nothing can be encrypted for its key
 */
export async function encryptFor(
  certificate: Uint8Array,
  content: Uint8Array,
  padding: RsaPadding = 'pkcs1',
): Promise<Uint8Array> {
  try {
    const { publicKey } = new X509Certificate(certificate);
    const isByHand = padding === 'pkcs1' && publicKey.asymmetricKeyType === 'rsa';
    const enveloped = isByHand ? envelope(certificate, content) : await envelopeByWeb(certificate, content);
    const info = new ContentInfo({ contentType: oids.envelopedData, content: enveloped.toSchema() });
    return new Uint8Array(info.toSchema().toBER(false));
  } catch (cause) {
    throw new ServiceError('invalid_params', {
      detail: 'nothing can be encrypted for the certificate',
      cause,
    });
  }
}

const parsed = (certificate: Uint8Array): Certificate =>
  new Certificate({ schema: fromBER(Uint8Array.from(certificate).buffer).result });

/** OAEP and ECDH are what WebCrypto has, and so pkijs. */
async function envelopeByWeb(certificate: Uint8Array, content: Uint8Array): Promise<EnvelopedData> {
  const enveloped = new EnvelopedData();
  enveloped.addRecipientByCertificate(parsed(certificate), { oaepHashAlgorithm: 'SHA-256' });
  const algorithm = { name: 'AES-CBC', length: 256 };
  await enveloped.encrypt(algorithm, Uint8Array.from(content).buffer);
  return enveloped;
}

/** Encrypts by RSAES-PKCS1-v1_5, which WebCrypto does not have. Its attack (Bleichenbacher) needs a program that decrypts for others. */
function envelope(certificate: Uint8Array, content: Uint8Array): EnvelopedData {
  const { issuer, serialNumber } = parsed(certificate);
  const [key, iv] = [randomBytes(32), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
  const { publicKey } = new X509Certificate(certificate);
  const encryptedKey = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, key);
  const recipient = new KeyTransRecipientInfo({
    version: 0,
    rid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    keyEncryptionAlgorithm: identified(oids.rsaEncryption, new Null()),
    encryptedKey: new OctetString({ valueHex: encryptedKey }),
  });
  return new EnvelopedData({
    version: 0,
    recipientInfos: [new RecipientInfo({ variant: 1, value: recipient })],
    encryptedContentInfo: new EncryptedContentInfo({
      contentType: oids.data,
      contentEncryptionAlgorithm: identified(oids.aes256Cbc, new OctetString({ valueHex: iv })),
      encryptedContent: new OctetString({ valueHex: encrypted }),
    }),
  });
}

const identified = (algorithmId: string, algorithmParams: Null | OctetString): AlgorithmIdentifier =>
  new AlgorithmIdentifier({ algorithmId, algorithmParams });
