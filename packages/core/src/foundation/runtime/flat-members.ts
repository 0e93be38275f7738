/**
 * A fast path for the most common request body: a short JSON object of plain strings. `JSON.parse` would intern each name and build an
 * object that the caller takes apart again.
 */

/** The most members: each name is compared with all before it. */
const mostMembers = 32;

/**
 * Reads the members of a flat JSON object.
 * @param bytes the text in UTF-8
 * @returns undefined where the text is anything else, such as invalid JSON or an object with a duplicate name; {@link parseJson} then decides
 */
export function flatMembers(text: string, bytes: Buffer): [name: string, value: string][] | undefined {
  if (text.length !== bytes.length) return undefined; // not ASCII
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
    // A slice of `text` would keep the whole body, with its password, in memory as long as the slice.
    const copied = bytes.toString('latin1', value + 1, valueEnd);
    if (!enter(members, text.slice(name + 1, nameEnd), copied)) return undefined;
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

/** Returns the index of a string's closing quote; -1 where no string begins here, or one with escapes. */
function endOfText(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) return -1;
  for (let at = start + 1; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === quote) return at;
    // Control characters must be escaped (RFC 8259 §7).
    if (c === backslash || c < 0x20) return -1;
  }
  return -1;
}

/** Returns the index after white space (RFC 8259 §2). */
function pastSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const isSpace = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
