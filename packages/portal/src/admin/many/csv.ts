/** Parses tables as text: CSV (RFC 4180), also separated by semicolons or tabs. */

/** Rows of cells; a line without anything is none. A quotation mark that is never closed ends with the text. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(source);
  const rows: string[][] = [[]];
  for (let at = 0; at <= source.length; at += 1) {
    const { value, end } = readCell(source, at, separator);
    rows.at(-1)?.push(value);
    at = source[end] === '\r' && source[end + 1] === '\n' ? end + 1 : end;
    if (source[at] !== separator) rows.push([]);
  }
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}

interface Cell {
  readonly value: string;
  /** The end of a cell: at the separator, the end of the line, or of the text. */
  readonly end: number;
}

function readCell(source: string, start: number, separator: string): Cell {
  let value = '';
  let at = start;
  if (source[at] === '"') {
    for (at += 1; at < source.length; at += 1) {
      if (source[at] !== '"') value += source[at];
      else if (source[at + 1] === '"') {
        value += '"';
        at += 1;
      } else break;
    }
    at += 1;
  }
  for (; at < source.length && source[at] !== separator && !isBreak(source[at]); at += 1) value += source[at];
  return { value, end: Math.min(at, source.length) };
}

const isBreak = (sign: string | undefined): boolean => sign === '\n' || sign === '\r';

/** Returns the separator: the most frequent one in the first line, outside of quotation marks. */
function separatorOf(source: string): string {
  const [line = ''] = source.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counted = [',', ';', '\t'].map((sign) => [sign, line.split(sign).length] as const);
  return counted.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Puts an apostrophe before a cell that a table program would run as a formula (CWE-1236); it does not show the apostrophe. */
const harmless = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);

const quoted = (cell: string): string =>
  /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => quoted(harmless(cell))).join(',')}\r\n`).join('');
