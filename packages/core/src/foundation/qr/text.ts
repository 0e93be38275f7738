/** QR codes as text: two modules to a character, by half blocks, to be scanned from a terminal. */
import { encodeModules, type Modules } from './matrix.ts';

export interface QrTextOptions {
  /** Light modules around the code; readers want 4 (the default), most make do with 1. */
  readonly margin?: number;
  /**
   * Sets colours by ANSI escapes, so that it is dark on light whatever the terminal's own. Without them light
   * modules are drawn and dark ones left out: right on a dark terminal, and a negative on a light one, which
   * telephones read as well but old readers may not.
   */
  readonly colours?: boolean;
}

/** White on black of the fixed part of the 256 colours, which no theme changes. */
const [whiteOnBlack, usual] = ['\x1b[38;5;231;48;5;16m', '\x1b[0m'];

/**
 * The QR code of `uri` as lines of text, each ended by a line feed; a module is one column wide and half a
 * line high.
 * @throws ServiceError as {@link encodeModules}.
 */
export function qrText(uri: string, { margin = 4, colours = false }: QrTextOptions = {}): string {
  const lines = drawLines(encodeModules(uri), margin);
  return lines.map((line) => `${colours ? `${whiteOnBlack}${line}${usual}` : line}\n`).join('');
}

export function drawLines(modules: Modules, margin: number): readonly string[] {
  const width = modules.length + 2 * margin;
  // Rows are odd in number: the lower half of the last line is one more light row.
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
