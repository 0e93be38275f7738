/** Pieces of JSON: together they are what `JSON.stringify` writes, and none of them is long. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isShortJson, jsonPieces } from './json-pieces.ts';

const long = (text: string): string => text.repeat(Math.ceil(100_000 / text.length));
const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

describe.each<[string, unknown]>([
  ['a text', long('abc')],
  ['a text of escapes', long('"\\\u0000é')],
  ['characters beyond the sixteenth bit, cut in two', `a${long('😀')}`],
  ['a list of texts', many(30_000, (n) => `uid=user${n},dc=example,dc=org`)],
  ['a list of numbers', many(50_000, (n) => n)],
  ['objects in a list', many(1000, (id) => ({ jsonrpc: '2.0', id, result: { mail: many(9, () => 'a@b') } }))],
  ['an object of objects', Object.fromEntries(many(5000, (n) => [`"${n}`, { cn: [`${n}`], sn: ['S'] }]))],
  ['what JSON leaves out', [long('a'), undefined, { a: undefined, b: long('b'), c: { d: undefined } }]],
  ['much in little', [[[{ a: [long('x'), [], {}, null, true, 1.5, -0] }]]]],
])('%s', (_, value) => {
  const read = (text: string): unknown => JSON.parse(text);

  it('is written as JSON.stringify writes it', () => {
    const pieces = [...jsonPieces(value)];
    expect(read(pieces.join(''))).toEqual(read(JSON.stringify(value)));
    expect(pieces.length).toBeGreaterThan(1);
    expect(isShortJson(value)).toBe(false);
  });

  it('has no long piece', () => {
    // A text of 65,536 characters has six for each if all are escaped.
    for (const piece of jsonPieces(value)) expect(piece.length).toBeLessThanOrEqual(7 * 65_536);
  });
});

it('writes a short value as one piece', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([...jsonPieces(value)]).toEqual([JSON.stringify(value)]);
      expect(isShortJson(value)).toBe(true);
    }),
  );
});

it('reads no more than a piece to find that a value is long', () => {
  let looks = 0;
  const counted = new Proxy(
    many(1_000_000, () => 'text'),
    {
      get: (list, name, self) => {
        looks += 1;
        return Reflect.get(list, name, self);
      },
    },
  );
  expect(isShortJson(counted)).toBe(false);
  expect(looks).toBeLessThan(50_000);
});
