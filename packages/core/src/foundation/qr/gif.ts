/**
 * Bitmaps as GIF. With two colours the dictionary of LZW is a binary tree, kept as an array of children.
 */
import type { CooperativeTask } from '../runtime/cooperative.ts';
import { type Bitmap, yieldsBefore } from './bitmap.ts';

/** Codes after the colours 0 and 1. The format skips 2 and 3, because it has no palette of one bit. */
const [clear, end, firstFree] = [4, 5, 6];
const [firstWidth, mostCodes] = [3, 4096];

export function* encodingGif(bitmap: Bitmap): CooperativeTask<Uint8Array> {
  const { side } = bitmap;
  const size = [side & 0xff, side >> 8, side & 0xff, side >> 8];
  return Buffer.concat([
    Buffer.from('GIF87a', 'latin1'),
    Buffer.from([...size, 0x80, 0, 0]), // a palette of two colours for the whole file
    Buffer.from([0, 0, 0, 255, 255, 255]),
    Buffer.from([0x2c, 0, 0, 0, 0, ...size, 0]),
    Buffer.from([firstWidth - 1]),
    subBlocks(yield* compressing(bitmap)),
    Buffer.from([0x3b]),
  ]);
}

/** Splits data into sub-blocks of up to 255 bytes, each after its length, ended by a length of zero. */
function subBlocks(data: Uint8Array): Uint8Array {
  const pieces = Array.from({ length: Math.ceil(data.length / 255) }, (_, at) => {
    const piece = data.subarray(255 * at, 255 * (at + 1));
    return Buffer.concat([Buffer.from([piece.length]), piece]);
  });
  return Buffer.concat([...pieces, Buffer.from([0])]);
}

/** Compresses by LZW with codes of growing width. */
function* compressing({ side, stride, bits }: Bitmap): CooperativeTask<Uint8Array> {
  const codes = new Codes();
  for (let y = 0; y < side; y++) {
    if (yieldsBefore(y, side)) yield;
    for (let x = 0; x < side; x++) codes.add(((bits[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1);
  }
  return codes.end();
}

class Codes {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;
  /** Children in the dictionary: at `2·code + colour`, the code of that sequence and one pixel more; 0 if it is not in the dictionary. */
  readonly #children = new Uint16Array(2 * mostCodes);
  #free = firstFree;
  #width = firstWidth;
  /** The code of the pixels since the last code written; undefined before the first. */
  #seen: number | undefined;

  constructor() {
    this.#put(clear);
  }

  add(colour: number): void {
    const seen = this.#seen;
    const child = seen === undefined ? colour : this.#children[2 * seen + colour];
    if (seen === undefined || child !== 0) {
      this.#seen = child;
      return;
    }
    this.#put(seen);
    this.#learn(2 * seen + colour);
    this.#seen = colour;
  }

  end(): Uint8Array {
    if (this.#seen !== undefined) this.#put(this.#seen);
    this.#put(end);
    if (this.#count > 0) this.#bytes.push(this.#held);
    return Uint8Array.from(this.#bytes);
  }

  /** Adds a code. The reader adds it one step later, so the width grows before the first code that needs it. */
  #learn(place: number): void {
    if (this.#free === mostCodes) {
      this.#put(clear);
      this.#children.fill(0);
      [this.#free, this.#width] = [firstFree, firstWidth];
      return;
    }
    if (this.#free === 1 << this.#width) this.#width++;
    this.#children[place] = this.#free++;
  }

  #put(code: number): void {
    this.#held |= code << this.#count;
    this.#count += this.#width;
    for (; this.#count >= 8; this.#count -= 8) {
      this.#bytes.push(this.#held & 0xff);
      this.#held >>= 8;
    }
  }
}
