/** A QR code in any of the formats. */
import { paint, type Scale } from './bitmap.ts';
import { encodeGif } from './gif.ts';
import { encodeJpeg } from './jpeg.ts';
import { encodeModules, type Modules } from './matrix.ts';
import { encodePng } from './png.ts';
import { drawSvg } from './svg.ts';
import { drawLines } from './text.ts';

const formats = {
  GIF: (modules: Modules, scale: Scale) => encodeGif(paint(modules, scale)),
  PNG: (modules: Modules, scale: Scale) => encodePng(paint(modules, scale)),
  JPG: (modules: Modules, scale: Scale) => encodeJpeg(paint(modules, scale)),
  SVG: (modules: Modules, scale: Scale) => Buffer.from(drawSvg(modules, scale)),
  /** A character of a terminal is as large as it is: no size. */
  TXT: (modules: Modules, { margin }: Scale) => Buffer.from(`${drawLines(modules, margin).join('\n')}\n`),
} as const satisfies Record<string, (modules: Modules, scale: Scale) => Uint8Array>;

export type QrFormat = keyof typeof formats;

export interface QrOptions {
  /** GIF if left out. */
  readonly format?: QrFormat | undefined;
  /** Pixels to a module, 1 to 10; 5 if left out. */
  readonly size?: number | undefined;
  /** Light modules around the code, 0 to 5; 4 if left out, as ISO/IEC 18004 asks for. */
  readonly margin?: number | undefined;
}

/**
 * The file of the QR code that says `uri`, `(modules + 2·margin)·size` pixels wide and high. The largest takes
 * less than a tenth of a second, what we make ourselves (500 characters) some milliseconds.
 * @throws ServiceError `invalid_params` if `uri` is empty or not ASCII, `too_large` beyond 2953 characters.
 */
export function drawQrCode(
  uri: string,
  { format = 'GIF', size = 5, margin = 4 }: QrOptions = {},
): Uint8Array {
  return formats[format](encodeModules(uri), { size, margin });
}
