import { expect, it } from 'vitest';
import { dataOf, holderOf } from '../testing/holder.ts';
import { behindPrefix, prefixKey, prefixOf } from './prefix.ts';

const registered = dataOf(new Map([[prefixKey, Buffer.from('Pin47')]]));

it('is wanted where the setting says so and one is registered', () => {
  const wanted = (OTPPrefix: string, data = registered) =>
    prefixOf(holderOf({ settings: { OTPPrefix }, data }));
  expect(wanted('Yes')).toBe('Pin47');
  expect(wanted('No')).toBeUndefined();
  expect(wanted('Yes', dataOf())).toBeUndefined();
});

it.each([
  ['Pin47', 'Pin47123456', true, '123456'],
  ['Pin47', ' Pin47 123456', true, ' 123456'],
  ['Pin47', 'Pin48123456', false, '123456'],
  ['Pin47', 'Pin4', false, ''],
  [undefined, 'Pin47123456', true, 'Pin47123456'],
])('%s before %j', (prefix, text, isRight, code) => {
  expect(behindPrefix(prefix, text)).toEqual({ isRight, code });
});
