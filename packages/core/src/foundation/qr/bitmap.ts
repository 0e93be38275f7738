/** Black and white bitmaps, the source of all raster formats. */
import type { Modules } from './matrix.ts';

export interface Bitmap {
  /** Width and height in pixels. */
  readonly side: number;
  /** Bytes in a row. */
  readonly stride: number;
  /** A bit for each pixel, the leftmost in the highest bit, 1 for light; rows are padded with light. */
  readonly bits: Uint8Array;
}

/** Sizes of a picture. */
export interface Scale {
  /** Pixels per module. */
  readonly size: number;
  /** Light modules around the code. */
  readonly margin: number;
}

/** Pixels that an encoder reads between two yields: a millisecond or two. */
const pixelsAtOnce = 131_072;

/** Returns whether an encoder yields before a line. @param pixels of a line */
export const yieldsBefore = (line: number, pixels: number): boolean =>
  line > 0 && line % Math.ceil(pixelsAtOnce / pixels) === 0;

/** Paints a code, `(modules + 2·margin)·size` pixels wide and high. */
export function paint(modules: Modules, scale: Scale): Bitmap {
  const { size, margin } = scale;
  const side = (modules.length + 2 * margin) * size;
  const stride = Math.ceil(side / 8);
  const bits = new Uint8Array(stride * side).fill(0xff);
  for (const [y, row] of modules.entries()) {
    const line = paintRow(row, stride, scale);
    for (let copy = 0; copy < size; copy++) bits.set(line, ((y + margin) * size + copy) * stride);
  }
  return { side, stride, bits };
}

function paintRow(row: readonly boolean[], stride: number, { size, margin }: Scale): Uint8Array {
  const line = new Uint8Array(stride).fill(0xff);
  for (const [x, isDark] of row.entries()) {
    if (isDark) darken(line, (x + margin) * size, size);
  }
  return line;
}

function darken(line: Uint8Array, from: number, length: number): void {
  for (let x = from; x < from + length; x++) line[x >> 3] = (line[x >> 3] ?? 0) & ~(0x80 >> (x & 7));
}
