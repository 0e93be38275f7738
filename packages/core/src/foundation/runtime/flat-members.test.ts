/** The fast path reads what `JSON.parse` reads, and leaves anything else to it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as members from './flat-members.ts';

const flatMembers = (text: string) => members.flatMembers(text, Buffer.from(text));

/** Parses JSON; undefined where it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('flatMembers', () => {
  it.each([
    ['{"a":"b"}', [['a', 'b']]],
    [
      ' {\t"username" :\r\n"alice", "__proto__":"x y" }\n',
      [
        ['username', 'alice'],
        ['__proto__', 'x y'],
      ],
    ],
    ['{"":""}', [['', '']]],
    [
      '{"b":"1","1":"2"}',
      [
        ['b', '1'],
        ['1', '2'],
      ],
    ],
  ])('reads the members of %s', (text, members) => {
    expect(flatMembers(text)).toEqual(members);
  });

  it.each([
    ...[
      '',
      '{',
      '{}',
      '[]',
      '"a"',
      'null',
      '{"a"',
      '{"a":',
      '{"a":"',
      '{"a":"b"',
      '{"a":"b",',
      '{"a":"b",}',
      '{,}',
    ],
    ...['{"a":1}', '{"a":null}', '{"a":["b"]}', '{"a":{"b":"c"}}', '{"a":"b"}}', '{"a":"b"} x', 'x{"a":"b"}'],
    ...['{"a":"\\n"}', '{"\\u0061":"b"}', '{"a":"\n"}', '{"a\0":"b"}', "{'a':'b'}", '{a:"b"}', '{"a" "b"}'],
    ...[
      '{"a":"b" "c":"d"}',
      '{"a":"b",,"c":"d"}',
      '{"a":"b","a":"c"}',
      '\u00a0{"a":"b"}',
      '\ufeff{"a":"b"}',
      '{"a":"ü"}',
      '{"ü":"b"}',
      '{"a":"b"}\0',
    ],
  ])('reads nothing from %j', (text) => {
    expect(flatMembers(text)).toBeUndefined();
  });

  it('reads nothing where there are more than 32 members', () => {
    const many = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 'x'])));
    expect(flatMembers(many(32))).toHaveLength(32);
    expect(flatMembers(many(33))).toBeUndefined();
  });

  it('finds the members that JSON.parse finds', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '"',
      ':',
      ',',
      ' ',
      '\\',
      'a',
      'b',
      '1',
      '\n',
      'é',
      '"a"',
      '"b"',
      '"a":"b"',
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
      fc.dictionary(fc.string(), fc.string(), { maxKeys: 5 }).map((object) => JSON.stringify(object)),
      fc
        .dictionary(fc.string(), fc.string(), { maxKeys: 5 })
        .map((object) => JSON.stringify(object, null, 2)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const found = flatMembers(text);
        if (found === undefined) return;
        const value = parsed(text);
        expect(value).toBeTypeOf('object');
        expect(new Map(found)).toEqual(new Map(Object.entries(value as object)));
        expect(new Set(found.map(([name]) => name)).size).toBe(found.length);
      }),
      { numRuns: 3000 },
    );
  });
});
