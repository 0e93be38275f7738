/** Text files from any editor: UTF-8, with or without a byte order mark. */
import { readFileSync } from 'node:fs';

/** An error of text that is not UTF-8. The message completes a sentence with the name of the file. */
export class NotText extends Error {}

/**
 * Reads a text file without its byte order mark.
 * @param options.isLenient replaces bytes that are not UTF-8, for PEM with comments in any encoding
 * @throws NotText for another encoding; the system's error if the file cannot be read
 */
export function readTextFile(file: string | number, { isLenient = false } = {}): string {
  const bytes = readFileSync(file);
  // Without a mark, UTF-16 is recognized by the zero bytes of ASCII characters.
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16 || bytes.includes(0)) throw new NotText('it is in UTF-16 or binary; save it as UTF-8');
  if (isLenient) return new TextDecoder().decode(bytes);
  try {
    return decode(bytes);
  } catch {
    throw new NotText(`line ${wrongLine(bytes)} is not in UTF-8; save the file as UTF-8`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 without the byte order mark. */
const decode = (bytes: Uint8Array): string => utf8.decode(bytes);

function wrongLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    try {
      decode(bytes.subarray(start, next));
    } catch {
      return line;
    }
    start = next;
  }
  return line;
}

/** Removes the byte order mark and trailing line ends from a secret. */
export const trimSecret = (text: string): string => text.replace(/^\uFEFF/, '').replace(/[\r\n]+$/, '');

/** Returns a fault of a one-line secret (a second line, a control character) to complete a sentence; undefined: none. */
export function controlCharacter(secret: string): string | undefined {
  const [character] = /\p{Cc}/u.exec(secret) ?? [];
  if (character === undefined) return undefined;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const what = /[\r\n]/.test(character) ? 'more than one line' : `a control character (U+${code})`;
  return `holds ${what}, which no password has`;
}
