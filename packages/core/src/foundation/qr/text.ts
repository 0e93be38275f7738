/** QR codes as text for terminals: a character is two modules, drawn as half blocks. */
import { encodeModules, type Modules } from './matrix.ts';

export interface QrTextOptions {
  /** Light modules around the code; 4 if left out. Most readers accept 1. */
  readonly margin?: number;
  /**
   * Whether ANSI escapes set the colours, for terminals of any colours. Without them a light terminal shows a negative, which old readers
   * may not read.
   */
  readonly colours?: boolean;
}

/** White on black, of the part of the 256 colours that themes do not change. */
const [whiteOnBlack, usual] = ['\x1b[38;5;231;48;5;16m', '\x1b[0m'];

/**
 * Draws the QR code of a URI as lines of text for a terminal. A module is one column wide and half a line high.
 * @param uri the text of the code
 * @param options the light modules around the code, and whether ANSI escapes set the colours
 * @returns lines, each ended by a line feed
 * @throws ServiceError as {@link encodeModules} does
 * @example
 * ```ts
 * import { qrText } from '@watchword/core';
 *
 * console.log(qrText('https://example.org/', { margin: 1 }).split('\n').length); // 15
 * ```
 */
export function qrText(uri: string, { margin = 4, colours = false }: QrTextOptions = {}): string {
  const lines = drawLines(encodeModules(uri), margin);
  return lines.map((line) => `${colours ? `${whiteOnBlack}${line}${usual}` : line}\n`).join('');
}

export function drawLines(modules: Modules, margin: number): readonly string[] {
  const width = modules.length + 2 * margin;
  // The number of rows is odd: the lower half of the last line is a light row.
  return Array.from({ length: Math.ceil(width / 2) }, (_, line) =>
    Array.from({ length: width }, (_, column) => {
      const isLight = (row: number) => !modules[row - margin]?.[column - margin];
      return halfBlock(isLight(2 * line), isLight(2 * line + 1));
    }).join(''),
  );
}

function halfBlock(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}
