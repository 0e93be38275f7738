/**
 * Encryption for a user's phone (docs/guide/transactions.md): AES-256-GCM under a content key. For each token of the user, the content key
 * is encrypted under an OCRA response for this envelope only. The phone sends the response when its user agrees, and never the secret.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../ports/random.ts';
import { envelopeKey, tokenName } from './protocol.ts';

/** magic ‖ salt (16) ‖ nonce (12) ‖ number of tokens (1) ‖ for each its name (8) and the key (48) ‖ ciphertext ‖ tag (16) */
const magic = Buffer.from('watchword-1\n');
const [nameLength, keyLength, tagLength] = [8, 32, 16];
const [saltAt, nonceAt, countAt, slotsAt] = [12, 28, 40, 41];
const slotLength = nameLength + keyLength + tagLength;

/** Tokens that a user can have. */
const mostTokens = 10;

/** Most content of an envelope, in bytes. */
export const mostEnclosed = 1_048_576;

/** Most bytes that an envelope adds to its content. */
export const envelopeOverhead = slotsAt + mostTokens * slotLength + tagLength;

/** A nonce for keys that encrypt once. */
const once = Buffer.alloc(12);

/** @param secrets of the tokens of a user, one at least */
export function sealEnvelope(plain: Uint8Array, secrets: readonly Uint8Array[], random: Random): Uint8Array {
  const [salt, nonce, key] = [random.bytes(16), random.bytes(12), random.bytes(keyLength)];
  const slots = secrets.map((secret) =>
    Buffer.concat([
      Buffer.from(tokenName(secret), 'hex'),
      encrypt(key, {
        key: Buffer.from(envelopeKey(Buffer.from(salt).toString('hex'), secret), 'hex'),
        nonce: once,
      }),
    ]),
  );
  const head = Buffer.concat([magic, salt, nonce, Buffer.of(slots.length), ...slots]);
  return Buffer.concat([head, encrypt(plain, { key, nonce, head })]);
}

export function isEnvelope(bytes: Uint8Array): boolean {
  const count = bytes[countAt] ?? 0;
  const isWhole = bytes.length >= slotsAt + count * slotLength + tagLength;
  return isWhole && count > 0 && count <= mostTokens && magic.equals(bytes.subarray(0, saltAt));
}

/**
 * Undefined: it is not for that token, or the response is not its.
 * @param token its name, 16 hexadecimal digits @param response 64 hexadecimal digits
 */
export function openEnvelope(
  envelope: Uint8Array,
  { token, response }: { readonly token: string; readonly response: string },
): Uint8Array | undefined {
  const slot = slotsOf(envelope).find((one) => one.toString('hex', 0, nameLength) === token.toLowerCase());
  if (!slot || !/^[0-9a-f]{64}$/i.test(response)) return undefined;
  const key = decrypt(slot.subarray(nameLength), { key: Buffer.from(response, 'hex'), nonce: once });
  const begin = slotsAt + (envelope[countAt] ?? 0) * slotLength;
  const [head, nonce] = [envelope.subarray(0, begin), envelope.subarray(nonceAt, countAt)];
  return key && decrypt(envelope.subarray(begin), { key, nonce, head });
}

const slotsOf = (envelope: Uint8Array): readonly Buffer[] =>
  Array.from({ length: envelope[countAt] ?? 0 }, (_, at) =>
    Buffer.from(envelope.subarray(slotsAt + at * slotLength, slotsAt + (at + 1) * slotLength)),
  );

interface Keyed {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  /** Authenticated beside it. */
  readonly head?: Uint8Array;
}

function encrypt(plain: Uint8Array, { key, nonce, head = Buffer.alloc(0) }: Keyed): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(head);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(sealed: Uint8Array, { key, nonce, head = Buffer.alloc(0) }: Keyed): Buffer | undefined {
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
    .setAAD(head)
    .setAuthTag(sealed.subarray(-tagLength));
  const plain = cipher.update(sealed.subarray(0, -tagLength));
  try {
    return Buffer.concat([plain, cipher.final()]);
  } catch {
    return undefined;
  }
}
