/**
 * Bitmaps as GIF. With two colours the dictionary of LZW is a binary tree, an array of children: a small
 * encoder, and a fast one.
 */
import type { CooperativeTask } from '../runtime/cooperative.ts';
import { type Bitmap, isStintOver } from './bitmap.ts';

/** Codes 0 and 1 are the colours, 2 and 3 are left out by the format, which has no palette of one bit. */
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

/** Data in pieces of up to 255 bytes, each after its length; a length of zero ends them. */
function subBlocks(data: Uint8Array): Uint8Array {
  const pieces = Array.from({ length: Math.ceil(data.length / 255) }, (_, at) => {
    const piece = data.subarray(255 * at, 255 * (at + 1));
    return Buffer.concat([Buffer.from([piece.length]), piece]);
  });
  return Buffer.concat([...pieces, Buffer.from([0])]);
}

/** LZW with codes of growing width: what was seen before is told by its place in the tree. */
function* compressing({ side, stride, bits }: Bitmap): CooperativeTask<Uint8Array> {
  const codes = new Codes();
  for (let y = 0; y < side; y++) {
    if (isStintOver(y, side)) yield;
    for (let x = 0; x < side; x++) codes.add(((bits[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1);
  }
  return codes.end();
}

class Codes {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;
  /** `2·code + colour` → the code of what `code` stands for and a pixel of that colour; 0: not seen yet. */
  readonly #children = new Uint16Array(2 * mostCodes);
  #free = firstFree;
  #width = firstWidth;
  /** What the pixels since the last code written are; undefined before the first. */
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

  /** A reader learns a code one step later than we do: the width grows before the first code that needs it. */
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
