import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withArrays } from './lists.ts';

describe('lists keyed by index', () => {
  it.each<[unknown, unknown]>([
    [{ 0: 'a', 1: 'b' }, ['a', 'b']],
    [JSON.parse('{"1":"b","0":"a"}'), ['a', 'b']],
    [{ 'uid=a': { mail: { 0: 'x' } } }, { 'uid=a': { mail: ['x'] } }],
    [[{ 0: { 0: 1 } }], [[[1]]]],
  ])('turns into an array: %j', (wire, expected) => {
    expect(withArrays(wire)).toEqual(expected);
  });

  it.each([
    { 1: 'a' },
    { 0: 'a', 2: 'b' },
    { 0: 'a', x: 'b' },
    { '00': 'a' },
    { '-0': 'a' },
    { '0.0': 'a' },
    { '2.5.4.3': ['a'] },
    { length: 1 },
    [],
    {},
    null,
    'text',
    0,
    false,
  ])('leaves other values unchanged: %j', (wire) => {
    expect(withArrays(wire)).toEqual(wire);
  });

  it('leaves the prototype alone', () => {
    const read = withArrays(JSON.parse('{"__proto__":{"polluted":true},"0":"a"}'));
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(Object(read))).toContain('__proto__');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('converts nested lists up to a limit', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(withArrays(nested(60))).toEqual(nested(60));
    expect(() => withArrays(nested(100_000))).toThrow(expect.objectContaining({ reason: 'protocol' }));
  });

  const list = fc.array(fc.string(), { minLength: 1 });

  it('restores lists of any length and order of keys', () => {
    fc.assert(
      fc.property(list, fc.boolean(), (values, backwards) => {
        const entries = [...values.entries()];
        const keyed = Object.fromEntries(backwards ? entries.reverse() : entries);
        expect(withArrays(JSON.parse(JSON.stringify(keyed)))).toEqual(values);
      }),
    );
  });

  it('converts lists alike in every answer, and keeps the keys of maps', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    fc.assert(
      fc.property(fc.dictionary(name, list), (attributes) => {
        const keyed = Object.entries(attributes).map(([key, values]) => [key, { ...values }]);
        expect(withArrays(Object.fromEntries(keyed))).toEqual(attributes);
      }),
    );
  });
});
