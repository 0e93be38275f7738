/**
 * HMAC (RFC 2104) of short messages by Node's one-shot `hash`. `createHmac` makes a stream and looks up its hash by name on every call.
 */
import { hash } from 'node:crypto';

export type HmacHash = 'sha1' | 'sha256' | 'sha512';

/** The block length of each hash in bytes, and a shared buffer for the outer message: a block and a digest. */
const shapes: Readonly<Record<HmacHash, { readonly block: number; readonly outerMessage: Buffer }>> = {
  sha1: { block: 64, outerMessage: Buffer.alloc(64 + 20) },
  sha256: { block: 64, outerMessage: Buffer.alloc(64 + 32) },
  sha512: { block: 128, outerMessage: Buffer.alloc(128 + 64) },
};

/** A key that is padded for many messages. It is as secret as the key. */
export interface HmacKey {
  readonly hash: HmacHash;
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** Pads a key of any length. */
export function hmacKey(algorithm: HmacHash, key: Uint8Array): HmacKey {
  const { block } = shapes[algorithm];
  const bytes = key.length > block ? hash(algorithm, key, 'buffer') : key;
  const inner = new Uint8Array(block).fill(0x36);
  const outer = new Uint8Array(block).fill(0x5c);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    inner[at] = 0x36 ^ byte;
    outer[at] = 0x5c ^ byte;
  }
  return { hash: algorithm, inner, outer };
}

/**
 * Computes an HMAC. Digests are strings because Node takes longer to make a buffer than to hash a short message.
 * @returns the whole digest in hexadecimal digits
 */
export function hmacHex({ hash: algorithm, inner, outer }: HmacKey, message: Uint8Array): string {
  const { block, outerMessage } = shapes[algorithm];
  // From Node's pool, which saves an allocation.
  const innerMessage = Buffer.allocUnsafe(block + message.length);
  innerMessage.set(inner);
  innerMessage.set(message, block);
  outerMessage.set(outer);
  outerMessage.write(hash(algorithm, innerMessage, 'binary'), block, 'latin1');
  const digest = hash(algorithm, outerMessage, 'hex');
  innerMessage.fill(0, 0, block);
  outerMessage.fill(0);
  return digest;
}
