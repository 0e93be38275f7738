/** Long values as JSON in pieces, so that other work may run between them. */

/** The approximate length of a piece in characters: a millisecond or less. */
const pieceLength = 65_536;

/** Returns whether `JSON.stringify(value)` is one piece, by reading no more than a piece of the value. */
export const isShortJson = (value: unknown): boolean => roomAfter(value, pieceLength) >= 0;

/**
 * Writes `JSON.stringify(value)` lazily, in pieces.
 * @param value a tree of objects, arrays, strings, numbers, booleans and null
 */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  let piece = '';
  for (const part of partsOf(value)) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

type Members = readonly (readonly [name: string, value: unknown])[];

/** Returns the characters that are left of `room` after a value; negative once it does not fit. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - 6;
  return Array.isArray(value) ? roomAfterList(value, room) : roomAfterObject(Object.entries(value), room);
}

function roomAfterList(list: readonly unknown[], room: number): number {
  let left = room - 2;
  for (const item of list) {
    left = roomAfter(item, left);
    if (left < 0) break;
  }
  return left;
}

function roomAfterObject(members: Members, room: number): number {
  let left = room - 2;
  for (const [name, value] of members) {
    left = roomAfter(value, left - name.length - 3);
    if (left < 0) break;
  }
  return left;
}

function* partsOf(value: unknown): Generator<string, void, undefined> {
  if (isShortJson(value)) yield JSON.stringify(value) ?? 'null';
  else if (typeof value === 'string') yield* partsOfString(value);
  else if (Array.isArray(value)) yield* partsOfList(value);
  else if (typeof value === 'object' && value !== null) yield* partsOfObject(Object.entries(value));
}

/** Cuts a string anywhere: both halves of a surrogate pair are written as escapes, which are the character together. */
function* partsOfString(text: string): Generator<string, void, undefined> {
  yield '"';
  for (let at = 0; at < text.length; at += pieceLength)
    yield JSON.stringify(text.slice(at, at + pieceLength)).slice(1, -1);
  yield '"';
}

function* partsOfList(list: readonly unknown[]): Generator<string, void, undefined> {
  let before = '[';
  for (const item of list) {
    yield before;
    yield* partsOf(item);
    before = ',';
  }
  yield ']';
}

function* partsOfObject(members: Members): Generator<string, void, undefined> {
  let before = '{';
  for (const [name, value] of members) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
