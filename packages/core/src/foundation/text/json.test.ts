/** Bounds of JSON, for every sender; what is refused altogether, the tests of the doors show. */
import { describe, expect, it } from 'vitest';
import { parseJson, parseLongJson, writeJson } from './json.ts';

const tooLarge = (detail: string) => expect.objectContaining({ reason: 'too_large', detail });
const names = (count: number, name: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => `"${name(index)}":0`).join(',')}}`;

describe.each([
  ['at once', async (text: string) => parseJson(Buffer.from(text), 8)],
  ['cooperatively', (text: string) => parseLongJson(Buffer.from(text), 8)],
])('JSON that is read %s', (_, read) => {
  it('has at most fifty thousand values', async () => {
    expect(await read(`[${'0,'.repeat(49_997)}0]`)).toHaveLength(49_998);
    await expect(read(`[${'0,'.repeat(50_000)}0]`)).rejects.toEqual(tooLarge('more than 50000 values'));
    await expect(read(`[${'{},'.repeat(25_000)}{}]`)).rejects.toEqual(tooLarge('more than 50000 values'));
  });

  it('has at most a thousand names in an object, but for indexes of a list', async () => {
    expect(Object.keys((await read(names(1000, (index) => `a${index}`))) as object)).toHaveLength(1000);
    const detail = 'more than 1000 names in one JSON object';
    await expect(read(names(1001, (index) => `a${index}`))).rejects.toEqual(tooLarge(detail));
    await expect(read(`{"a":${names(1001, (index) => `a${index}`)}}`)).rejects.toEqual(tooLarge(detail));
    expect(Object.keys((await read(names(20_000, String))) as object)).toHaveLength(20_000);
  });

  it('is refused for its depth before any other flaw', async () => {
    await expect(read(`${'['.repeat(9)}${'0,'.repeat(99_999)}`)).rejects.toEqual(
      tooLarge('nested deeper than 8 levels'),
    );
  });

  it('is parsed the same way at any length', async () => {
    const text = JSON.stringify([
      { a: 'x'.repeat(70_000), b: [1, -2.5, null, '"\\'] },
      'y'.repeat(65_536),
      {},
    ]);
    expect(await read(text)).toEqual(JSON.parse(text));
    await expect(read(`${text.slice(0, -1)},{"a":1,"a":2}]`)).rejects.toMatchObject({
      reason: 'invalid_request',
    });
    await expect(read(text.slice(0, -1))).rejects.toMatchObject({ reason: 'parse_error' });
  });
});

describe('writeJson', () => {
  it.each([
    ...['', 'Authentication success', 'a"b', 'a\\b', 'a\n', '\0', '\x7f', 'ü€😀', '\ud800', '</script>'],
    ...[
      0,
      -0,
      1,
      -1,
      1.5,
      1e21,
      1e-7,
      Number.MAX_SAFE_INTEGER,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      false,
    ],
    ...[[], ['a"'], { a: 1, b: ['c'] }],
  ])('writes what JSON.stringify writes: %j', (value) => {
    expect(writeJson(value)).toBe(JSON.stringify(value));
  });
});
