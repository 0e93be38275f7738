import { expect, it } from 'vitest';
import { Lately } from './lately.ts';

it('holds so many at most, and then begins anew', () => {
  const lately = new Lately<number>(3);
  for (const number of [1, 2, 3]) expect(lately.keep(`${number}`, number)).toBe(number);
  expect(['1', '2', '3', '4'].map((text) => lately.get(text))).toEqual([1, 2, 3, undefined]);
  lately.keep('4', 4);
  expect(['1', '2', '3', '4'].map((text) => lately.get(text))).toEqual([undefined, undefined, undefined, 4]);
});
