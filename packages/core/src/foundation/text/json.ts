/** JSON of strangers: bounded before anything is built from it, and read as nobody else could read it otherwise. */
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../errors/errors.ts';
import { flatMembers } from '../runtime/flat-members.ts';
import { bufferOf, utf8Text } from './value.ts';

/** More than anybody has to say in one request, and what is built of them holds nobody up. */
const mostValues = 50_000;
/** The same of names in one object. Those that are indexes make a list. */
export const mostNames = 1000;
/** Characters that are looked at before others have their turn. */
const stint = 65_536;

/**
 * Each name once in each object: of two values for one name, another reader on the way may have seen the other
 * (RFC 8259 §4). Fractions with more digits than a double keeps are refused, not rounded (§6).
 * @param depth most levels of brackets and braces
 * @throws ServiceError `too_large` if it nests deeper, or says more than anybody has to say; `parse_error` if it is not JSON in UTF-8; `invalid_request`
 *   naming what stands twice, or the number
 */
export function parseJson(bytes: Uint8Array, depth: number): unknown {
  return valueOf(decode(bytes), depth);
}

function valueOf(text: string, depth: number): unknown {
  const value = flatObject(text);
  if (value) return value;
  const scan = new Scan(text, depth);
  scan.goOn(Number.POSITIVE_INFINITY);
  return read(scan);
}

/** {@link parseJson} of a text that may be long: others have their turn now and then. */
export async function parseLongJson(bytes: Uint8Array, depth: number): Promise<unknown> {
  const scan = new Scan(decode(bytes), depth);
  while (!scan.goOn(stint)) await nextTurn();
  const value = read(scan);
  if (scan.text.length > stint) await nextTurn();
  return value;
}

/**
 * The members of an object.
 * @throws ServiceError as {@link parseJson}; `invalid_request` if it is no object
 */
export function parseMembers(bytes: Uint8Array, depth: number): [name: string, value: unknown][] {
  const text = decode(bytes);
  const flat = depth > 0 && text.length <= shortText ? flatMembers(text, bufferOf(bytes)) : undefined;
  if (flat) return flat;
  const value = valueOf(text, depth);
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

/** As `JSON.stringify`, which takes longer to begin than most values to write. */
export function writeJson(value: string | number | boolean | object): string {
  if (typeof value === 'string' && isPlainText(value)) return `"${value}"`;
  return Number.isInteger(value) ? String(value) : JSON.stringify(value);
}

/** Characters of ASCII that stand for themselves. */
function isPlainText(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c < 0x20 || c > 0x7e || c === quote || c === backslash) return false;
  }
  return true;
}

/** A byte order mark is none of it (RFC 8259 §8.1). */
function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw noJson();
  const text = utf8Text(bytes);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function read({ text, flaw }: Scan): unknown {
  const value = parsed(text);
  if (flaw !== undefined) throw new ServiceError('invalid_request', { detail: flaw });
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noJson();
  }
}

const noJson = (): ServiceError =>
  new ServiceError('parse_error', { detail: 'the body is not JSON in UTF-8' });

/** Nothing in it is too much, however it is made up. */
const shortText = 4096;

/**
 * A short object of texts and words, as most requests are: in one look, without its names. A name that stands twice is one member.
 * Undefined: {@link Scan} has to look at it.
 */
function flatObject(text: string): object | undefined {
  const names = text.length > shortText ? undefined : namesOfFlat(text);
  if (names === undefined) return undefined;
  const value = parsed(text);
  return typeof value === 'object' && value !== null && Object.keys(value).length === names
    ? value
    : undefined;
}

/** How many names it has; undefined: it holds escapes, brackets or numbers, or is no object. */
function namesOfFlat(text: string): number | undefined {
  if (text.charCodeAt(0) !== openBrace) return undefined;
  let isInString = false;
  let names = 0;
  for (let at = 1; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === quote) isInString = !isInString;
    else if (c === backslash) return undefined;
    else if (isInString) continue;
    else if (c === colon) names += 1;
    else if (c === openBrace || c === openBracket || c === minus || isDigit(c)) return undefined;
  }
  return names;
}

/** A look at what is to be parsed. Text that is no JSON gets through here, too; it is told by whoever parses it. */
class Scan {
  readonly text: string;
  /** The first thing that `JSON.parse` would pass over in silence, in words. */
  flaw: string | undefined;
  readonly #depth: number;
  /** The names of each object that is open; a list has none. */
  readonly #open: (Set<string> | undefined)[] = [];
  #name = '';
  #at = 0;
  #values = 1;

  constructor(text: string, depth: number) {
    this.text = text;
    this.#depth = depth;
  }

  /** Looks at some characters more. @returns whether that was all @throws ServiceError `too_large` */
  goOn(characters: number): boolean {
    const { text } = this;
    const end = Math.min(text.length, this.#at + characters);
    for (; this.#at < end; this.#at += 1) {
      const c = text.charCodeAt(this.#at);
      if (c === quote) [this.#name, this.#at] = stringAt(text, this.#at);
      else if (c === openBracket) this.#begin(undefined);
      else if (c === openBrace) this.#begin(new Set());
      else if (c === closeBracket || c === closeBrace) this.#open.pop();
      else if (c === comma) this.#count();
      else if (c === colon) this.#enter(this.#open.at(-1));
      else if (c === minus || isDigit(c)) this.#passNumber();
    }
    return this.#at >= text.length;
  }

  #begin(names: Set<string> | undefined): void {
    if (this.#open.push(names) > this.#depth)
      throw new ServiceError('too_large', { detail: `nested deeper than ${this.#depth} levels` });
    this.#count();
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > mostValues)
      throw new ServiceError('too_large', { detail: `more than ${mostValues} values` });
  }

  #enter(names: Set<string> | undefined): void {
    this.flaw ??= entered(this.#name, names);
    if (names && names.size > mostNames && !isIndex(this.#name))
      throw new ServiceError('too_large', { detail: `more than ${mostNames} names in one JSON object` });
  }

  #passNumber(): void {
    const number = numberAt(this.text, this.#at);
    this.flaw ??= rounded(number);
    this.#at += number.length - 1;
  }
}

const [quote, comma, minus, colon, backslash] = [34, 44, 45, 58, 92];
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

const isIndex = (written: string): boolean => /^"[0-9]{1,6}"$/.test(written);

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
