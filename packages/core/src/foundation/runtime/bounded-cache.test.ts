import { describe, expect, it } from 'vitest';
import { ExpiringCache, memoizeFrozen, memoizeLast, TextCache } from './bounded-cache.ts';

it('is cleared when a value is added to a full TextCache', () => {
  const cache = new TextCache<number>(3);
  for (const number of [1, 2, 3]) expect(cache.keep(`${number}`, number)).toBe(number);
  expect(['1', '2', '3', '4'].map((text) => cache.get(text))).toEqual([1, 2, 3, undefined]);
  cache.keep('4', 4);
  expect(['1', '2', '3', '4'].map((text) => cache.get(text))).toEqual([undefined, undefined, undefined, 4]);
});

it('computes a result again when the argument differs from the last one', () => {
  const asked: string[] = [];
  const lengthOf = memoizeLast(
    ({ text }: { readonly text: string }) => asked.push(text),
    (a, b) => a.text === b.text,
  );
  for (const text of ['a', 'a', 'b', 'a']) lengthOf({ text });
  expect(asked).toEqual(['a', 'b', 'a']);
});

const made: string[] = [];
const joined = memoizeFrozen((list, { by }: { readonly by: string }) => {
  made.push(by);
  return list.join(by);
});
const [comma, space] = [{ by: ',' }, { by: ' ' }];

it('memoizes the result for a frozen list until it is about something else', () => {
  made.length = 0;
  const list = Object.freeze(['a', 'b']);
  expect([joined(list, comma), joined(list, comma)]).toEqual(['a,b', 'a,b']);
  expect(made).toEqual([',']);
  expect([joined(list, space), joined(list, comma)]).toEqual(['a b', 'a,b']);
  expect(joined(Object.freeze(['c']), comma)).toBe('c');
});

it('computes the result again for a list that is not frozen', () => {
  made.length = 0;
  const list = ['a'];
  expect(joined(list, comma)).toBe('a');
  list.push('b');
  expect(joined(list, comma)).toBe('a,b');
  expect(made).toEqual([',', ',']);
});

describe('ExpiringCache', () => {
  const terms = { capacity: 4, lifetime: 1000 };

  it('keeps a value for its lifetime, and at most twice as long', () => {
    const cache = new ExpiringCache<number>(terms);
    cache.keep('early', 1, 5000);
    cache.keep('late', 2, 5999);
    expect([cache.get('early', 5999), cache.get('late', 6998)]).toEqual([1, 2]);
    expect([cache.get('early', 7000), cache.get('late', 7000)]).toEqual([undefined, undefined]);
  });

  it('drops keys that are not used again', () => {
    const cache = new ExpiringCache<number>({ capacity: 10_000, lifetime: 1000 });
    for (let n = 0; n < 5000; n += 1) cache.keep(`user${n}`, n, n * 100);
    expect(cache.size).toBeLessThanOrEqual(20);
    cache.get('any', 1_000_000);
    expect(cache.size).toBe(0);
  });

  it('is cleared when it is full', () => {
    const cache = new ExpiringCache<number>(terms);
    for (let n = 0; n < 4; n += 1) cache.keep(`${n}`, n, n * 400);
    expect(cache.size).toBe(4);
    cache.keep('4', 4, 1600);
    expect([cache.size, cache.get('3', 1600), cache.get('4', 1600)]).toEqual([1, undefined, 4]);
  });

  it('is empty when the clock was set back', () => {
    const cache = new ExpiringCache<number>(terms);
    cache.keep('a', 1, 5000);
    expect(cache.get('a', 4999)).toBeUndefined();
  });
});
