/**
 * What only the phone of a user opens, or whoever has the secret of its token (docs/guide/transactions.md): AES-256-GCM under a key
 * that is a response by OCRA, of this envelope only. The phone gives that key away where its user says so, and never the secret.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../ports/random.ts';
import { envelopeKey, tokenName } from './protocol.ts';

/** magic ‖ name of the token (8) ‖ salt (16) ‖ nonce (12) ‖ ciphertext ‖ tag (16); all before the ciphertext is authenticated. */
const magic = Buffer.from('watchword-1\n');
const [nameLength, saltLength, nonceLength, tagLength] = [8, 16, 12, 16];
const saltAt = magic.length + nameLength;
const nonceAt = saltAt + saltLength;
const header = nonceAt + nonceLength;

/** In bytes: so much is put into one at most. */
export const mostEnclosed = 1_048_576;

/** Longer than what is in it by so many bytes. */
export const envelopeOverhead = header + tagLength;

export function sealEnvelope(plain: Uint8Array, secret: Uint8Array, random: Random): Uint8Array {
  const [salt, nonce] = [random.bytes(saltLength), random.bytes(nonceLength)];
  const name = Buffer.from(tokenName(secret), 'hex');
  const head = Buffer.concat([magic, name, salt, nonce]);
  const key = Buffer.from(envelopeKey(Buffer.from(salt).toString('hex'), secret), 'hex');
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(head);
  return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

export const isEnvelope = (bytes: Uint8Array): boolean =>
  bytes.length >= envelopeOverhead && magic.equals(bytes.subarray(0, magic.length));

/** For the token that is called so, 16 hexadecimal digits. */
export const isEnvelopeFor = (envelope: Uint8Array, token: string): boolean =>
  Buffer.from(envelope.subarray(magic.length, saltAt)).toString('hex') === token.toLowerCase();

/** Undefined: the key is not its. @param key 64 hexadecimal digits */
export function openEnvelope(envelope: Uint8Array, key: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}$/i.test(key)) return undefined;
  const nonce = envelope.subarray(nonceAt, header);
  const cipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce, { authTagLength: tagLength })
    .setAAD(envelope.subarray(0, header))
    .setAuthTag(envelope.subarray(-tagLength));
  const plain = cipher.update(envelope.subarray(header, -tagLength));
  try {
    return Buffer.concat([plain, cipher.final()]);
  } catch {
    return undefined;
  }
}
