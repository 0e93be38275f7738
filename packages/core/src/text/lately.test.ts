import { expect, it } from 'vitest';
import { Lately, ofFrozen } from './lately.ts';

it('holds so many at most, and then begins anew', () => {
  const lately = new Lately<number>(3);
  for (const number of [1, 2, 3]) expect(lately.keep(`${number}`, number)).toBe(number);
  expect(['1', '2', '3', '4'].map((text) => lately.get(text))).toEqual([1, 2, 3, undefined]);
  lately.keep('4', 4);
  expect(['1', '2', '3', '4'].map((text) => lately.get(text))).toEqual([undefined, undefined, undefined, 4]);
});

const made: string[] = [];
const joined = ofFrozen((list, { by }: { readonly by: string }) => {
  made.push(by);
  return list.join(by);
});
const [comma, space] = [{ by: ',' }, { by: ' ' }];

it('is made once of a frozen list, and anew where it is about something else', () => {
  made.length = 0;
  const list = Object.freeze(['a', 'b']);
  expect([joined(list, comma), joined(list, comma)]).toEqual(['a,b', 'a,b']);
  expect(made).toEqual([',']);
  expect([joined(list, space), joined(list, comma)]).toEqual(['a b', 'a,b']);
  expect(joined(Object.freeze(['c']), comma)).toBe('c');
});

it('is made anew of a list that may have changed', () => {
  made.length = 0;
  const list = ['a'];
  expect(joined(list, comma)).toBe('a');
  list.push('b');
  expect(joined(list, comma)).toBe('a,b');
  expect(made).toEqual([',', ',']);
});
