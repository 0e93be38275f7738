/** Untrusted JSON: checked against limits before it is parsed, and refused where parsers may disagree. */
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTick } from 'node:timers/promises';
import { ServiceError } from '../errors/errors.ts';
import { flatMembers } from '../runtime/flat-members.ts';
import { bufferOf, utf8Text } from './value.ts';

/** The most values in one text. */
const mostValues = 50_000;
/** The most names in one object, not counting indexes. */
export const mostNames = 1000;
/** Characters between two yields to the event loop. */
const charactersAtOnce = 65_536;

/**
 * Parses JSON. Refuses duplicate names in an object (RFC 8259 §4), because another parser may take the other value, and fractions that a
 * double would round (§6).
 * @param depth the most levels of brackets and braces
 * @throws ServiceError `too_large` beyond the depth or the most values or names; `parse_error` if the text is not JSON in UTF-8;
 *   `invalid_request` for a duplicate name or a rounded number
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

/** Parses JSON as {@link parseJson} does, and yields to the event loop in a long text. */
export async function parseLongJson(bytes: Uint8Array, depth: number): Promise<unknown> {
  const scan = new Scan(decode(bytes), depth);
  while (!scan.goOn(charactersAtOnce)) await nextTick();
  const value = read(scan);
  if (scan.text.length > charactersAtOnce) await nextTick();
  return value;
}

/**
 * Parses the members of a JSON object.
 * @throws ServiceError as {@link parseJson}; `invalid_request` if the text is no object
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
 * Returns whether the decimal text of a number is surely what the caller wrote: integers beyond 2^53 share a double, and `-0` and `1e-7`
 * have other spellings.
 */
export const isPlainNumber = (value: number): boolean =>
  Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0) && !String(value).includes('e');

/** Returns `JSON.stringify(value)`, faster for short values. */
export function writeJson(value: string | number | boolean | object): string {
  if (typeof value === 'string' && isPlainText(value)) return `"${value}"`;
  return Number.isInteger(value) ? String(value) : JSON.stringify(value);
}

/** Returns whether a text is ASCII that needs no escape. */
function isPlainText(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c < 0x20 || c > 0x7e || c === quote || c === backslash) return false;
  }
  return true;
}

/** Decodes UTF-8, without a byte order mark (RFC 8259 §8.1). */
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

/** Characters of a text that cannot exceed the most values or names. */
const shortText = 4096;

/**
 * Parses a short object of strings, booleans and null, as most requests are. A duplicate name shows in the number of members.
 * @returns undefined where {@link Scan} has to check the text
 */
function flatObject(text: string): object | undefined {
  const names = text.length > shortText ? undefined : namesOfFlat(text);
  if (names === undefined) return undefined;
  const value = parsed(text);
  return typeof value === 'object' && value !== null && Object.keys(value).length === names
    ? value
    : undefined;
}

/** Counts the names of an object; undefined where it has escapes, brackets or numbers, or is no object. */
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

/** A check of a text before it is parsed. It accepts invalid JSON, which `JSON.parse` then refuses. */
class Scan {
  readonly text: string;
  /** The first duplicate name or rounded number, in words. */
  flaw: string | undefined;
  readonly #depth: number;
  /** The names of each open object; undefined for an array. */
  readonly #open: (Set<string> | undefined)[] = [];
  #name = '';
  #at = 0;
  #values = 1;

  constructor(text: string, depth: number) {
    this.text = text;
    this.#depth = depth;
  }

  /** Checks the next characters. @returns whether the end is reached @throws ServiceError `too_large` */
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

/** Returns a string with its quotes, and the index of the closing quote. */
function stringAt(text: string, start: number): [string, number] {
  let end = start + 1;
  while (end < text.length && text.charCodeAt(end) !== quote)
    end += text.charCodeAt(end) === backslash ? 2 : 1;
  return [text.slice(start, end + 1), end];
}

function entered(written: string, names: Set<string> | undefined): string | undefined {
  // An escaped letter equals the letter.
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

/** Returns the flaw of a fraction that a double would round. Integers are checked where they are used. */
function rounded(number: string): string | undefined {
  if (/^-?[0-9]*$/.test(number)) return undefined;
  const digits = (number.split(/e/i, 1)[0] ?? '').replace(/[-.]/g, '').replace(/^0+/, '');
  const value = Number(number);
  // A double keeps 15 digits of any number within its range.
  const isKept = digits.length <= 15 && Number.isFinite(value) && (value !== 0 || digits === '');
  return isKept ? undefined : `the number ${number.slice(0, 32)} would be rounded; write it in quotes`;
}
