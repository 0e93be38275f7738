import { expect, it } from 'vitest';
import { ofFrozen } from './frozen.ts';

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
