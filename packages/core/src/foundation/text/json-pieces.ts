/** Long values as JSON, piece by piece: nobody waits while megabytes are written. */

/** Characters of a piece, roughly: a millisecond or less. */
const pieceLength = 65_536;

/** `JSON.stringify(value)` is one piece. Tells it without writing it, and without looking at more than a piece. */
export const isShortJson = (value: unknown): boolean => roomBehind(value, pieceLength) >= 0;

/**
 * The text of `JSON.stringify(value)` in pieces, each of them written when it is asked for.
 * @param value of objects, lists, texts, numbers, booleans and null, in no circle
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

/** How many characters are left of so many; less than 0 once it is certain that they do not do. */
function roomBehind(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - 6;
  return Array.isArray(value) ? roomBehindList(value, room) : roomBehindObject(Object.entries(value), room);
}

function roomBehindList(list: readonly unknown[], room: number): number {
  let left = room - 2;
  for (const item of list) {
    left = roomBehind(item, left);
    if (left < 0) break;
  }
  return left;
}

function roomBehindObject(members: Members, room: number): number {
  let left = room - 2;
  for (const [name, value] of members) {
    left = roomBehind(value, left - name.length - 3);
    if (left < 0) break;
  }
  return left;
}

function* partsOf(value: unknown): Generator<string, void, undefined> {
  if (isShortJson(value)) yield JSON.stringify(value) ?? 'null';
  else if (typeof value === 'string') yield* partsOfText(value);
  else if (Array.isArray(value)) yield* partsOfList(value);
  else if (typeof value === 'object' && value !== null) yield* partsOfObject(Object.entries(value));
}

/** Cut anywhere: half a surrogate pair is written as an escape, and two of them are that character. */
function* partsOfText(text: string): Generator<string, void, undefined> {
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
