/** JSON of strangers: bounded before anything is built from it, and read as nobody else could read it otherwise. */
import { ServiceError } from './errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Each name once in each object: of two values for one name, another reader on the way may have seen the other
 * (RFC 8259 §4). Fractions with more digits than a double keeps are refused, not rounded (§6).
 * @param depth most levels of brackets and braces
 * @throws ServiceError `too_large` if it nests deeper; `parse_error` if it is not JSON in UTF-8; `invalid_request`
 *   naming what stands twice, or the number
 */
export function parseJson(bytes: Uint8Array, depth: number): unknown {
  const text = decode(bytes);
  const { deepest, flaw } = scan(text);
  if (deepest > depth) throw new ServiceError('too_large', { detail: `nested deeper than ${depth} levels` });
  const value = read(text);
  if (flaw !== undefined) throw new ServiceError('invalid_request', { detail: flaw });
  return value;
}

/**
 * The members of an object.
 * @throws ServiceError as {@link parseJson}; `invalid_request` if it is no object
 */
export function parseMembers(bytes: Uint8Array, depth: number): [name: string, value: unknown][] {
  const value = parseJson(bytes, depth);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('invalid_request', { detail: 'the body is no JSON object' });
  return Object.entries(value);
}

/**
 * The number is what its writer wrote, and its decimal text is a text that somebody would write: beyond 2^53
 * neighbours share a double, and `-0` and `1e-7` have no one spelling.
 */
export const isPlainNumber = (value: number): boolean =>
  Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0) && !String(value).includes('e');

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw noJson();
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noJson();
  }
}

const noJson = (): ServiceError =>
  new ServiceError('parse_error', { detail: 'the body is not JSON in UTF-8' });

interface Shape {
  /** How deep brackets and braces nest. */
  readonly deepest: number;
  /** The first thing that `JSON.parse` would pass over in silence, in words. */
  readonly flaw: string | undefined;
}

/** Text that is no JSON gets through here, too; it is told by whoever parses it. */
function scan(text: string): Shape {
  // The names of each object that is open; those of a list stay empty.
  const open: Set<string>[] = [];
  let [deepest, name]: [number, string] = [0, ''];
  let flaw: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === quote) [name, at] = stringAt(text, at);
    else if (c === openBracket || c === openBrace) deepest = Math.max(deepest, open.push(new Set()));
    else if (c === closeBracket || c === closeBrace) open.pop();
    else if (c === colon) flaw ??= entered(name, open.at(-1));
    else if (c === minus || isDigit(c)) {
      const number = numberAt(text, at);
      flaw ??= rounded(number);
      at += number.length - 1;
    }
  }
  return { deepest, flaw };
}

const [quote, backslash, colon, minus] = [34, 92, 58, 45];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];
const isDigit = (c: number): boolean => c >= 48 && c <= 57;

/** A string with its quotes, and where it ends. */
function stringAt(text: string, start: number): [string, number] {
  let end = start + 1;
  while (end < text.length && text.charCodeAt(end) !== quote)
    end += text.charCodeAt(end) === backslash ? 2 : 1;
  return [text.slice(start, end + 1), end];
}

function entered(written: string, names: Set<string> | undefined): string | undefined {
  // An escaped letter is the letter. What is no JSON is compared as it is written.
  const name = written.includes('\\') ? unescaped(written) : written;
  if (names?.has(name)) return `the name ${name.slice(0, 66)} stands twice in one JSON object`;
  names?.add(name);
  return undefined;
}

function unescaped(written: string): string {
  try {
    return JSON.stringify(JSON.parse(written));
  } catch {
    return written;
  }
}

const numberAt = (text: string, start: number): string => {
  let end = start + 1;
  while (end < text.length && /[-+.0-9eE]/.test(text.charAt(end))) end += 1;
  return text.slice(start, end);
};

/** Integers are judged where they are used: an id, a text and a count have limits of their own. */
function rounded(number: string): string | undefined {
  if (/^-?[0-9]*$/.test(number)) return undefined;
  const digits = (number.split(/e/i, 1)[0] ?? '').replace(/[-.]/g, '').replace(/^0+/, '');
  const value = Number(number);
  // A double keeps 15 digits of any number within its range.
  const isKept = digits.length <= 15 && Number.isFinite(value) && (value !== 0 || digits === '');
  return isKept ? undefined : `the number ${number.slice(0, 32)} would be rounded; write it in quotes`;
}
