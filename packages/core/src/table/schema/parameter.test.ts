/** Values of a parameter on the wire, and what the code gets for them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBase32 } from '../../foundation/oath/base32.ts';
import { processorTime } from '../../testing/bed/measures/processor-time.ts';
import { decodeBase64, decodeLenientBase64 } from './base64.ts';
import {
  base64,
  flag,
  integer,
  list,
  namesOrValues,
  optional,
  type Param,
  settingsByName,
  tokenSecret,
  valuesByName,
} from './index.ts';

/** Both stages, as the dispatcher runs them; undefined where the first refuses. */
function read<In, Out>(param: Param<In, Out>, wire: unknown): Out | undefined {
  const typed = param.shape().safeParse(wire);
  return typed.success ? param.convert(typed.data, 'it') : undefined;
}

/** The same list keyed by index, the keys written in another order. */
function byIndex(items: readonly unknown[], order: readonly number[]): unknown {
  return JSON.parse(`{${order.map((index) => `"${index}":${JSON.stringify(items[index])}`).join(',')}}`);
}

const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer()), { maxLength: 15 });
const shuffled = texts.chain((items) =>
  fc.record({
    items: fc.constant(items),
    order: fc.shuffledSubarray([...items.keys()], { minLength: items.length, maxLength: items.length }),
  }),
);

describe('lists keyed by index', () => {
  it('reads lists as arrays, in any order of keys', () => {
    fc.assert(
      fc.property(shuffled, ({ items, order }) => {
        const keyed = byIndex(items, order);
        const expected = items.map(String);
        expect(read(list(), items)).toEqual(expected);
        expect(read(list(), keyed)).toEqual(expected);
        expect(read(valuesByName(), { a: keyed })?.get('a')).toEqual(expected);
        expect(read(namesOrValues(), keyed)?.names).toEqual(expected);
        expect(read(namesOrValues(), { a: keyed })?.values.get('a')).toEqual(expected);
      }),
    );
  });

  it('accepts gaps, as PHP leaves them', () => {
    expect(read(list(), { 7: 'c', 2: 'b' })).toEqual(['b', 'c']);
  });

  it.each([
    ['a name among them', { 0: 'a', name: 'b' }],
    ['a zero in front', { '00': 'a' }],
    ['a sign', { '-1': 'a', 0: 'b' }],
    ['a fraction', { '0.0': 'a' }],
    ['a huge index', { 4294967296: 'a' }],
    ['a list in them', { 0: ['a'] }],
    ['null in them', { 0: null }],
    ['a text', 'a'],
    ['nothing', null],
  ])('refuses lists with %s', (_, wire) => {
    expect(read(list(), wire)).toBeUndefined();
    expect(read(valuesByName(), { a: wire === 'a' ? true : wire })).toBeUndefined();
  });
});

describe('maps', () => {
  it('accept a text, a number or a list for each name', () => {
    const map = read(valuesByName(), { a: 'x', b: 7, c: ['y', 8], d: { 0: 'z' }, constructor: 'w' });
    expect(map && Object.fromEntries(map)).toEqual({
      a: ['x'],
      b: ['7'],
      c: ['y', '8'],
      d: ['z'],
      constructor: ['w'],
    });
  });

  it('accepts the empty list that PHP makes of an empty map', () => {
    expect(read(valuesByName(), [])).toEqual(new Map());
    expect(read(settingsByName(), [])).toEqual(new Map());
    expect(read(namesOrValues(), [])).toEqual({ names: [], values: new Map() });
    expect(read(valuesByName(), ['a'])).toBeUndefined();
    expect(read(settingsByName(), ['a'])).toBeUndefined();
  });

  it('accept texts, numbers, booleans and null as single values', () => {
    const map = read(settingsByName(), { a: 'x', b: 7, c: true, d: null });
    expect(map && Object.fromEntries(map)).toEqual({ a: 'x', b: '7', c: true, d: null });
    expect(read(settingsByName(), { a: ['x'] })).toBeUndefined();
  });
});

describe('flags', () => {
  it.each([true, 1, '1', 'true', 'True', 'TRUE'])('reads %j as true', (wire) =>
    expect(read(flag(), wire)).toBe(true),
  );
  it.each([false, 0, '0', 'false', 'False', 'FALSE', ''])('reads %j as false', (wire) =>
    expect(read(flag(), wire)).toBe(false),
  );
  it.each([2, -1, '2', 'truthy', ' true', [], {}, null])('refuses %j', (wire) => {
    expect(read(flag(), wire)).toBeUndefined();
  });

  it('accepts a missing optional flag', () => {
    expect(optional(flag()).shape().safeParse(null).success).toBe(true);
    expect(optional(flag()).convert(undefined, 'it')).toBeUndefined();
  });
});

describe('integers', () => {
  it.each([
    [0, 0],
    ['0', 0],
    [17, 17],
    ['0017', 17],
    ['999999999999999', 999_999_999_999_999],
  ])('reads %j as %d', (wire, value) => expect(read(integer(), wire)).toBe(value));
  it.each([-1, 1.5, '1.5', '-1', '+1', ' 1', '1e3', '0x10', '', 2 ** 53, '9'.repeat(16), true, null, [1]])(
    '%j is none',
    (wire) => expect(read(integer(), wire)).toBeUndefined(),
  );
});

describe('the secret of a token', () => {
  const long = Buffer.from('12345678901234567890123456789012');
  it.each([
    ['hexadecimal', long.toString('hex')],
    ['hexadecimal', '00112233445566778899aabb'],
    ['hexadecimal', '00112233445566778899AABBCCDDEEFF'],
    ['hexadecimal', `0x${long.toString('hex')}`],
    ['hexadecimal', '0011 2233 4455 6677 8899 aabb'],
    ['hexadecimal', '00-11-22-33-44-55-66-77-88-99-aa-bb'],
    ['Base32', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
    ['Base32', 'gezdgnbvgy3tqojqgezdgnbvgy3tqojq'],
    ['Base32', 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'],
    ['Base32', 'GEZDGNBVGY3TQOJQGEZDGNBVGY======'],
    ['Base32', toBase32(long)],
  ])('is refused in %s by name: %s', (form, text) => {
    const detail = `Parameter it is ${form}, not base64: encode the bytes that it stands for in base64`;
    expect(() => read(tokenSecret(), text)).toThrow(
      expect.objectContaining({ reason: 'invalid_params', detail }),
    );
    expect(read(base64(), text)).toBeDefined();
  });

  it.each([
    ['fewer than 24 characters', '00112233445566778899aa'],
    ['an odd number of digits', '00112233445566778899aabbccd'],
    ['no whole number of bytes in Base32', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3'],
    ['padding of base64 alone', 'GEZDGNBVGY3TQOJQGEZDGNBVGY=='],
    ['both cases', 'GEZDGNBVGY3TQOJQgezdgnbvgy3tqojq'],
    ['zeros', Buffer.alloc(64).toString('base64')],
    ['ones', Buffer.alloc(64, 1).toString('base64')],
  ])('is read in base64 with %s: %s', (_, text) => {
    expect(read(tokenSecret(), text)).toEqual(Buffer.from(text, 'base64'));
  });

  it('reads base64 for any bytes, of 10 to 17, 20, 32 and 64', () => {
    const lengths = [...Array.from({ length: 8 }, (_, more) => 10 + more), 20, 32, 64];
    const bytes = fc.oneof(
      ...lengths.map((length) => fc.uint8Array({ minLength: length, maxLength: length })),
    );
    fc.assert(
      fc.property(bytes, (secret) => {
        const text = Buffer.from(secret).toString('base64');
        expect([...(read(tokenSecret(), text) ?? [])]).toEqual([...secret]);
      }),
    );
  });
});

describe('base64', () => {
  it('accepts white space anywhere, missing padding and both alphabets', () => {
    const space = fc.constantFrom('', '', ' ', '\n', '\r\n', '\t');
    fc.assert(
      fc.property(fc.uint8Array(), fc.boolean(), fc.array(space, { minLength: 1 }), (bytes, url, spaces) => {
        const wire = Buffer.from(bytes).toString(url ? 'base64url' : 'base64');
        const spread = Array.from(wire, (c, at) => c + spaces[at % spaces.length]).join('');
        expect([...decodeBase64(spread, 'it')]).toEqual([...bytes]);
        expect([...(read(base64(), spread) ?? [])]).toEqual([...bytes]);
      }),
    );
  });

  it.each(['A', 'AAAAA', 'A=A=', '=A', 'AA!A', 'AAé=', 'AA\u0000A'])('refuses %j', (wire) => {
    expect(() => decodeBase64(wire, 'it')).toThrow('Parameter it not Base64');
  });

  it('ignores quotes, line numbers and other foreign characters in a binary attribute', () => {
    const noise = fc.constantFrom('', '', '"', "'", ' ', '\n', '=', '!', 'é', '\u0000', '-----BEGIN IT-----');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.array(noise, { minLength: 1 }), (bytes, noises) => {
        const wire = Buffer.from(bytes).toString('base64');
        const spread = Array.from(wire, (c, at) => c + noises[at % noises.length]).join('');
        expect([...decodeLenientBase64(spread, 'it')]).toEqual([...bytes]);
      }),
    );
  });

  it.each(['A', '"AAAAA"', '!', '==', '"'])('refuses a binary attribute: %j', (wire) => {
    expect(() => decodeLenientBase64(wire, 'it')).toThrow('Parameter it not Base64');
  });

  it('reads in linear time', async () => {
    const spent = await processorTime(() => {
      expect(() => decodeBase64(`A${'='.repeat(1e6)}A`, 'it')).toThrow('not Base64');
      expect(() => decodeBase64(`${' '.repeat(1e6)}!`, 'it')).toThrow('not Base64');
      expect(() => decodeLenientBase64('-----A'.repeat(1e5), 'it')).not.toThrow();
      expect(() => decodeLenientBase64('-'.repeat(1e6 + 1), 'it')).toThrow('not Base64');
    });
    expect(spent).toBeLessThan(300);
  });
});
