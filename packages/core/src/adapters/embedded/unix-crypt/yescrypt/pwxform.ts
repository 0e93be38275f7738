/**
 * pwxform, yescrypt's "parallel wide transformation" of a block of 64 bytes, and the mix of larger blocks that
 * rests on it. Nearly all time goes here, so it is plain 32-bit arithmetic on typed arrays.
 */
import { salsa20 } from './salsa20.ts';
import { blockWords } from './words.ts';

const rounds = 6;
/** Words of a pair of 64-bit numbers: what one lookup in an S-box gives. */
const pairWords = 4;
const boxPairs = 256;
const boxWords = boxPairs * pairWords;
/** The bits of a word that choose a pair, as an offset in bytes. */
const pairMask = (boxPairs - 1) * pairWords * 4;

/** Words of the three S-boxes. */
export const boxesWords = 3 * boxWords;

/** Three S-boxes; two are read while the third is written with results, and then they change places. */
export class Pwxform {
  readonly #boxes: Int32Array;
  /** Where the boxes S0, S1 and S2 begin. */
  #first = 2 * boxWords;
  #second = boxWords;
  #written = 0;
  /** Offset in S2 of what is written next. */
  #next = 0;

  /** @param boxes {@link boxesWords}, and from now on its own */
  constructor(boxes: Int32Array) {
    this.#boxes = boxes;
  }

  /** BlockMix_pwxform: replaces a block of 128r bytes. */
  mix(block: Int32Array): void {
    let before = block.length - blockWords;
    for (let at = 0; at < block.length; at += blockWords) {
      for (let n = 0; n < blockWords; n += 1) block[at + n] = (block[at + n] ?? 0) ^ (block[before + n] ?? 0);
      this.#transform(block, at);
      before = at;
    }
    salsa20(block.subarray(before), 2);
  }

  /** Replaces the 16 words from `start` on. */
  #transform(block: Int32Array, start: number): void {
    for (let round = 0; round < rounds; round += 1) {
      const isKept = round > 0 && round < rounds - 1;
      for (let at = start; at < start + blockWords; at += pairWords) {
        this.#transformPair(block, at);
        if (isKept) this.#keep(block, at);
      }
    }
    const written = this.#written;
    this.#written = this.#second;
    this.#second = this.#first;
    this.#first = written;
    this.#next %= boxWords;
  }

  /** Two 64-bit numbers x, each replaced by (high(x) · low(x) + S0) ⊕ S1. */
  #transformPair(block: Int32Array, at: number): void {
    const boxes = this.#boxes;
    const plus = this.#first + (((block[at] ?? 0) & pairMask) >> 2);
    const xor = this.#second + (((block[at + 1] ?? 0) & pairMask) >> 2);
    for (let n = 0; n < pairWords; n += 2) {
      const low = block[at + n] ?? 0;
      const high = block[at + n + 1] ?? 0;
      const product = Math.imul(low, high);
      const summand = boxes[plus + n] ?? 0;
      const sum = (product + summand) | 0;
      // Whether the unsigned sum is less than what was added: in bits, a third faster than to compare.
      const carry = ((product & summand) | ((product | summand) & ~sum)) >>> 31;
      block[at + n] = sum ^ (boxes[xor + n] ?? 0);
      block[at + n + 1] =
        (highProduct(low, high) + (boxes[plus + n + 1] ?? 0) + carry) ^ (boxes[xor + n + 1] ?? 0);
    }
  }

  #keep(block: Int32Array, at: number): void {
    const next = this.#written + this.#next;
    for (let n = 0; n < pairWords; n += 1) this.#boxes[next + n] = block[at + n] ?? 0;
    this.#next += pairWords;
  }
}

/** The upper 32 bits of the product of two unsigned words, by halves. */
function highProduct(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const low = Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16);
  const middle = Math.imul(a0, b1) + (low & 0xffff);
  return Math.imul(a1, b1) + (low >>> 16) + (middle >>> 16);
}
