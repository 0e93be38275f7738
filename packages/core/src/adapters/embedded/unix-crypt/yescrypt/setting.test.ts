import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSetting } from './setting.ts';

const key = 'hgQCaELfHgCYm6C47BxemMA7nzRqL5uRe2Wk.18s3T1';
const costOf = (parameters: string) => parseSetting(`$y$${parameters}$abcd$${key}`)?.cost;

describe('the setting of a yescrypt hash', () => {
  it('has the costs that crypt_gensalt(3) chose', () => {
    expect(costOf('j75')).toEqual({ N: 1024, r: 8, p: 1, t: 0 });
    expect(costOf('j9T')).toEqual({ N: 4096, r: 32, p: 1, t: 0 });
    expect(costOf('jBT')).toEqual({ N: 16384, r: 32, p: 1, t: 0 });
  });

  it('may have numbers of several digits, lanes and time', () => {
    expect(costOf('j4kn')).toEqual({ N: 128, r: 100, p: 1, t: 0 });
    expect(costOf('j750C1')).toEqual({ N: 1024, r: 8, p: 16, t: 4 });
  });

  it('has a salt in base64', () => {
    expect(parseSetting(`$y$j9T$F5Jx5/$${key}`)?.salt.length).toBe(4);
    expect(parseSetting(`$y$j9T$$${key}`)?.salt.length).toBe(0);
  });

  it.each([
    ['128 MiB', 'jCT'],
    ['512 GiB', 'jKzzzzzz'],
    ['all of memory', 'jzzzzzzzzzzzz'],
    ['17 lanes', 'j75.D'],
    ['lanes of three blocks', 'j0../'],
    ['too much time', 'j75/2'],
    ['an upgraded hash', 'j751.'],
    ['a ROM', 'j755.'],
    ['classic scrypt', '.75'],
    ['YESCRYPT_WORM', '/75'],
    ['another flavour', 'k.75'],
    ['a missing number', 'j7'],
    ['a missing digit', 'j7k'],
    ['a missing digit of what is there', 'j75k'],
    ['a missing lane', 'j75.'],
    ['a number too many', 'j75..0'],
  ])('is refused for %s', (_, parameters) => {
    expect(costOf(parameters)).toBeUndefined();
  });

  it.each([
    `$y$j9T$a$${key}`,
    `$y$j9T$ab$${key}`,
    `$y$j9T$abcde$${key}`,
    `$y$j9T$ab!d$${key}`,
    `$y$j9T$${'a'.repeat(87)}$${key}`,
    `$y$j9T$abcd$${key}x`,
    `$y$j9T$abcd$${key}\n`,
    '$y$j9T$abcd$',
    '$y$j9T$abcd',
    '$y$',
    '$y$j9T$$$',
  ])('is not read from %j', (stored) => {
    expect(parseSetting(stored)).toBeUndefined();
  });

  it('never asks for more than is allowed, whatever is stored', () => {
    const digit = fc.constantFrom(...'./09AZaz5Tjkwxy');
    fc.assert(
      fc.property(fc.string({ unit: digit, maxLength: 12 }), (parameters) => {
        const { N, r, p, t } = costOf(`j${parameters}`) ?? { N: 4, r: 1, p: 1, t: 0 };
        expect(128 * N * r).toBeLessThanOrEqual(64 * 1024 * 1024);
        expect([N, r, p, t].every(Number.isInteger)).toBe(true);
        expect(4 * p).toBeLessThanOrEqual(Math.min(64, N));
        expect(t).toBeLessThanOrEqual(4);
      }),
      { numRuns: 2000 },
    );
  });
});
