/** JSON of strangers: bounded before anything is built from it. */
import { ServiceError } from './errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * @param depth most levels of brackets and braces
 * @throws ServiceError `too_large` if it nests deeper; `parse_error` if it is not JSON in UTF-8
 */
export function parseJson(bytes: Uint8Array, depth: number): unknown {
  return parse(bytes, depth).value;
}

/**
 * The members of an object, each name once: of two values for one name, another reader on the way may have seen
 * the other (RFC 8259 §4).
 * @throws ServiceError as {@link parseJson}; `invalid_request` if it is no object or says a name twice
 */
export function parseMembers(bytes: Uint8Array, depth: number): [name: string, value: unknown][] {
  const { value, members } = parse(bytes, depth);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('invalid_request', { detail: 'the body is no JSON object' });
  const entries = Object.entries(value);
  if (members !== entries.length)
    throw new ServiceError('invalid_request', { detail: 'a name stands twice in the JSON object' });
  return entries;
}

function parse(bytes: Uint8Array, depth: number): { value: unknown; members: number } {
  try {
    const text = utf8.decode(bytes);
    const { deepest, members } = scan(text);
    if (deepest > depth)
      throw new ServiceError('too_large', { detail: `nested deeper than ${depth} levels` });
    return { value: JSON.parse(text), members };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('parse_error', { detail: 'the body is not JSON in UTF-8' });
  }
}

interface Shape {
  /** How deep brackets and braces nest. */
  readonly deepest: number;
  /** Colons on the first level: members as they are written. */
  readonly members: number;
}

function scan(text: string): Shape {
  let [depth, deepest, members] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === quote) at = endOfString(text, at);
    else if (c === openBracket || c === openBrace) deepest = Math.max(deepest, ++depth);
    else if (c === closeBracket || c === closeBrace) depth -= 1;
    else if (c === colon && depth === 1) members += 1;
  }
  return { deepest, members };
}

const [quote, backslash, colon] = [34, 92, 58];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
