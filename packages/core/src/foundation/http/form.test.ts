import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isReason } from '../errors/errors.ts';
import { formFields } from './form.ts';

it('reads the fields of a form as they were written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))),
      (fields) => {
        const text = new URLSearchParams(fields).toString();
        expect([...formFields(text)]).toEqual([...new URLSearchParams(text)]);
        expect([...formFields(Buffer.from(text))]).toEqual([...new URLSearchParams(text)]);
      },
    ),
  );
});

it.each([
  ['100%', '100%'],
  ['100%25', '100%'],
  ['%E4%BD%A0+%zz', '你 %zz'],
  ['%EF%BF%BD', '\uFFFD'],
])('a field %j is %j', (written, read) => {
  expect(formFields(`a=${written}`).get('a')).toBe(read);
});

it.each([
  ['Latin-1 in escapes', 'password=gr%FCn'],
  ['half a character', 'password=%E4%BD'],
  ['a surrogate', 'password=%ED%A0%80'],
  ['bytes of Latin-1', Buffer.from('password=gr\u00fcn', 'latin1')],
])('%s is refused, and not read as other characters', (_, form) => {
  expect(() => formFields(form)).toThrow(expect.toSatisfy((error) => isReason(error, 'parse_error')));
});
