/** QR codes as files, in all formats. */
import { type CooperativeTask, runCooperatively } from '../runtime/cooperative.ts';
import { paint, type Scale } from './bitmap.ts';
import { encodingGif } from './gif.ts';
import { encodingJpeg } from './jpeg.ts';
import { encodingModules, type Modules } from './matrix.ts';
import { encodePng } from './png.ts';
import { drawSvg } from './svg.ts';
import { drawLines } from './text.ts';

type Drawing = (modules: Modules, scale: Scale) => CooperativeTask<Uint8Array>;

const formats = {
  GIF: (modules, scale) => encodingGif(paint(modules, scale)),
  JPG: (modules, scale) => encodingJpeg(paint(modules, scale)),
  PNG: inOneStep((modules, scale) => encodePng(paint(modules, scale))),
  SVG: inOneStep((modules, scale) => Buffer.from(drawSvg(modules, scale))),
  /** The size is ignored: modules are characters. */
  TXT: inOneStep((modules, { margin }) => Buffer.from(`${drawLines(modules, margin).join('\n')}\n`)),
} as const satisfies Record<string, Drawing>;

/** Makes a task of a fast encoder: some milliseconds for the largest code. */
function inOneStep(draw: (modules: Modules, scale: Scale) => Uint8Array): Drawing {
  return function* (modules, scale) {
    yield;
    return draw(modules, scale);
  };
}

export type QrFormat = keyof typeof formats;

export interface QrOptions {
  /** GIF if left out. */
  readonly format?: QrFormat | undefined;
  /** Pixels per module, 1 to 10; 5 if left out. */
  readonly size?: number | undefined;
  /** Light modules around the code, 0 to 5; 4 if left out, as ISO/IEC 18004 requires. */
  readonly margin?: number | undefined;
}

/**
 * Draws the QR code of `uri`, `(modules + 2·margin)·size` pixels wide and high, as a cooperative task.
 * @returns the bytes of the file
 * @throws ServiceError `invalid_params` if `uri` is empty, `too_large` beyond 2953 bytes of UTF-8
 */
export const drawQrCode = (uri: string, options: QrOptions = {}): Promise<Uint8Array> =>
  runCooperatively(drawing(uri, options));

function* drawing(
  uri: string,
  { format = 'GIF', size = 5, margin = 4 }: QrOptions,
): CooperativeTask<Uint8Array> {
  const modules = yield* encodingModules(uri);
  return yield* formats[format](modules, { size, margin });
}
