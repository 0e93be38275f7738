/**
 * Bitmaps as baseline JPEG with one grey component (ITU-T T.81). Eight black or white pixels of a row are one byte, whose transform is
 * looked up. All code words have one length: speed matters more than size.
 */
import type { CooperativeTask } from '../runtime/cooperative.ts';
import { type Bitmap, yieldsBefore } from './bitmap.ts';

/** The divisor of all coefficients: an error of some 5 in 255 for a pixel. */
const quantum = 16;

/** The factors of T.81 A.3.3: `cosines[8·u + x]` is the part of pixel x in frequency u. */
const cosines = Float64Array.from({ length: 64 }, (_, at) => {
  const [u, x] = [at >> 3, at & 7];
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16);
});

/** The quantized transforms of all rows of eight pixels: `rowTransforms[8·byte + u]`. */
const rowTransforms = Float64Array.from({ length: 256 * 8 }, (_, at) => {
  const [byte, u] = [at >> 3, at & 7];
  let sum = 0;
  for (let x = 0; x < 8; x++) sum += ((byte << x) & 0x80 ? 127 : -128) * (cosines[8 * u + x] ?? 0);
  return sum / quantum;
});

/** The zigzag sequence (T.81 figure A.6). */
const zigzag = Uint8Array.from({ length: 64 }, (_, at) => at).sort((a, b) => {
  const [of, other] = [(a >> 3) + (a & 7), (b >> 3) + (b & 7)];
  return of - other || (of % 2 === 1 ? a - b : b - a);
});

/** Symbols of the AC coefficients (T.81 F.1.2.2): end of block, 16 zeros, then run and size. */
const acSymbols = [
  0x00,
  0xf0,
  ...Array.from({ length: 160 }, (_, at) => (Math.floor(at / 10) << 4) | ((at % 10) + 1)),
];
const endOfBlock = 0;
const sixteenZeros = 1;
const codeOf = (run: number, size: number): number => 1 + run * 10 + size;

export function* encodingJpeg({ side, stride, bits }: Bitmap): CooperativeTask<Uint8Array> {
  const scan = new Scan();
  const pattern = new BigUint64Array(1);
  const block = new Uint8Array(pattern.buffer);
  for (let y = 0; y < side; y += 8) {
    if (yieldsBefore(y / 8, 8 * side)) yield;
    for (let x = 0; x < stride; x++) {
      // Eight by eight pixels; rows below the picture are light.
      for (let line = 0; line < 8; line++) block[line] = bits[(y + line) * stride + x] ?? 0xff;
      scan.write(pattern[0] ?? 0n, block);
    }
  }
  return Buffer.concat([head(side), scan.end(), Buffer.from([0xff, 0xd9])]);
}

/** Writes everything before the data (T.81 B.2). */
function head(side: number): Uint8Array {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...Array<number>(64).fill(quantum)]),
    segment(0xc0, [8, side >> 8, side & 0xff, side >> 8, side & 0xff, 1, 1, 0x11, 0]),
    segment(
      0xc4,
      codeTable(
        0x00,
        4,
        Array.from({ length: 12 }, (_, size) => size),
      ),
    ),
    segment(0xc4, codeTable(0x10, 8, acSymbols)),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
  ]);
}

function segment(marker: number, content: readonly number[]): Uint8Array {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...content]);
}

/** Makes a Huffman table (T.81 B.2.4.2) in which the code word of a symbol, `bits` long, is its index. */
function codeTable(id: number, bits: number, symbols: readonly number[]): readonly number[] {
  const counts = Array.from({ length: 16 }, (_, at) => (at + 1 === bits ? symbols.length : 0));
  return [id, ...counts, ...symbols];
}

/** A sequence of bits: its value, and its length. */
type Bits = readonly [value: number, length: number];

interface Block {
  /** The DC coefficient, written as the difference to the last block's. */
  readonly mean: number;
  /** The AC coefficients, encoded. */
  readonly rest: readonly Bits[];
}

/** The entropy-coded data (T.81 F.1.2). A QR code has few different blocks, and each is transformed once. */
class Scan {
  readonly #bytes: number[] = [];
  readonly #known = new Map<bigint, Block>();
  #held = 0;
  #count = 0;
  #lastMean = 0;

  write(pattern: bigint, rows: Uint8Array): void {
    const block = this.#known.get(pattern) ?? encodeBlock(rows);
    this.#known.set(pattern, block);
    const difference = block.mean - this.#lastMean;
    this.#lastMean = block.mean;
    this.#put(withNumber([sizeOf(difference), 4], difference));
    for (const bits of block.rest) this.#put(bits);
  }

  /** Ends the data, padded with ones (T.81 F.1.2.3). */
  end(): Uint8Array {
    this.#put([0x7f, 7]);
    return Uint8Array.from(this.#bytes);
  }

  #put([value, length]: Bits): void {
    this.#held = (this.#held << length) | value;
    this.#count += length;
    while (this.#count >= 8) {
      this.#count -= 8;
      const byte = (this.#held >> this.#count) & 0xff;
      this.#bytes.push(byte);
      if (byte === 0xff) this.#bytes.push(0); // else it would begin a marker
    }
  }
}

function encodeBlock(rows: Uint8Array): Block {
  const [mean = 0, ...others] = transform(rows);
  const rest: Bits[] = [];
  let run = 0;
  for (const value of others) {
    if (value === 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) rest.push([sixteenZeros, 8]);
    rest.push(withNumber([codeOf(run, sizeOf(value)), 8], value));
    run = 0;
  }
  if (run > 0) rest.push([endOfBlock, 8]);
  return { mean, rest };
}

/** Returns the bits of a number without its sign. */
const sizeOf = (value: number): number => 32 - Math.clz32(Math.abs(value));

/** Appends a number to a code word; a negative number is written one lower, so that its first bit is 0. */
function withNumber([code, length]: Bits, value: number): Bits {
  const size = sizeOf(value);
  const low = (value < 0 ? value - 1 : value) & ((1 << size) - 1);
  return [(code << size) | low, length + size];
}

/** Returns the quantized coefficients of a block, in zigzag order. */
function transform(rows: Uint8Array): Int16Array {
  const coefficients = new Int16Array(64);
  for (const [at, place] of zigzag.entries()) {
    const [v, u] = [place & ~7, place & 7];
    let sum = 0;
    for (let y = 0; y < 8; y++) sum += (cosines[v + y] ?? 0) * (rowTransforms[8 * (rows[y] ?? 0) + u] ?? 0);
    coefficients[at] = Math.round(sum);
  }
  return coefficients;
}
