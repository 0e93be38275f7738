/**
 * The members of a short JSON object of plain texts, as nearly every request to a web service is, read in one go: `JSON.parse` makes
 * ready for anything, looks each name up among all names that there are, and makes an object to be taken apart again.
 */

/** Nobody else needs more; for each name all before it are looked at. */
const mostMembers = 32;

/**
 * @param text and its bytes @returns undefined: it may be anything, also no JSON, or one where a name stands twice; {@link parseJson} tells
 */
export function flatMembers(text: string, bytes: Buffer): [name: string, value: string][] | undefined {
  if (text.length !== bytes.length) return undefined; // not in ASCII, where a character is a byte
  const members: [string, string][] = [];
  let at = pastSpace(text, 0);
  if (text.charCodeAt(at) !== openBrace) return undefined;
  do {
    const name = pastSpace(text, at + 1);
    const nameEnd = endOfText(text, name);
    const between = pastSpace(text, nameEnd + 1);
    if (nameEnd < 0 || text.charCodeAt(between) !== colon) return undefined;
    const value = pastSpace(text, between + 1);
    const valueEnd = endOfText(text, value);
    if (valueEnd < 0) return undefined;
    // Taken from the bytes: a piece of the text would keep all of it as long as it is kept itself, and the password with it.
    const taken = bytes.toString('latin1', value + 1, valueEnd);
    if (!enter(members, text.slice(name + 1, nameEnd), taken)) return undefined;
    at = pastSpace(text, valueEnd + 1);
  } while (text.charCodeAt(at) === comma);
  const isWhole = text.charCodeAt(at) === closeBrace && pastSpace(text, at + 1) === text.length;
  return isWhole ? members : undefined;
}

function enter(members: [string, string][], name: string, value: string): boolean {
  if (members.length === mostMembers) return false;
  for (const member of members) if (member[0] === name) return false;
  members.push([name, value]);
  return true;
}

const [quote, comma, colon, backslash, openBrace, closeBrace] = [0x22, 0x2c, 0x3a, 0x5c, 0x7b, 0x7d];

/** Where the text that begins here with a quote ends; less than 0: it is no text, or one with escapes. */
function endOfText(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) return -1;
  for (let at = start + 1; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === quote) return at;
    // RFC 8259 §7: control characters are written as escapes.
    if (c === backslash || c < 0x20) return -1;
  }
  return -1;
}

/** White space of RFC 8259 §2. */
function pastSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const isSpace = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
