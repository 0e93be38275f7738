/** Lists of 32-bit words, and how yescrypt keeps the bytes of scrypt in them. */

/** Words of a block of 64 bytes. */
export const blockWords = 16;

/** The word at a place that exists. */
export function word(words: Int32Array, at: number): number {
  return words[at] ?? 0;
}

/** target ⊕= source */
export function mixInto(target: Int32Array, source: Int32Array): void {
  for (let at = 0; at < target.length; at += 1) target[at] = word(target, at) ^ word(source, at);
}

/** Little-endian words; in each 64 bytes word 5i mod 16 comes to place i, as SIMD code for Salsa20 wants it. */
export function wordsOf(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32LE(byteOf(at)));
}

/** The inverse of {@link wordsOf}. */
export function bytesOf(words: Int32Array): Buffer {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [at, value] of words.entries()) bytes.writeInt32LE(value, byteOf(at));
  return bytes;
}

function byteOf(at: number): number {
  const place = at % blockWords;
  return 4 * (at - place + ((place * 5) % blockWords));
}
