import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMailAddress } from './mail-address.ts';
import { phoneNumber } from './phone-number.ts';

describe('a mail address', () => {
  it.each([
    'alice@example.org',
    "o'neil.x+tag@mail.example.co.uk",
    'a@localhost',
    '1_2=3@xn--bcher-kva.example',
  ])('is accepted: %s', (text) => expect(isMailAddress(text)).toBe(true));

  it.each([
    ...[
      '',
      'alice',
      '@example.org',
      'alice@',
      'a b@example.org',
      'a@b@c',
      '.a@example.org',
      'a..b@example.org',
    ],
    ...[
      'alice@example.org\r\nBcc: eve@example.org',
      'alice@example.org,eve@example.org',
      '<alice@example.org>',
    ],
    ...[
      'Alice <alice@example.org>',
      '"a b"@example.org',
      'alice@[127.0.0.1]',
      'alice@-example.org',
      'älice@example.org',
    ],
    ...[
      `${'a'.repeat(65)}@example.org`,
      `a@${'b.'.repeat(130)}org`,
      'alice@example.org\n',
      'alice@example.org\0',
    ],
  ])('is refused: %j', (text) => expect(isMailAddress(text)).toBe(false));

  it('has no character that is special in a header or an envelope', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, behind) => {
        const text = `${before}a@b.c${behind}`;
        expect(isMailAddress(text) && /[\s,;:<>()[\]\\"\p{Cc}]/u.test(text)).toBe(false);
      }),
    );
  });
});

describe('a phone number', () => {
  it.each([
    ['+49 (151) 234-56.78', '+491512345678'],
    ['0049 151/2345678', '+491512345678'],
    ['+49 (0) 151 2345678', '+491512345678'],
    ['0151 2345678', '01512345678'],
    ['110', '110'],
  ])('is read: %j as %s', (text, number) => expect(phoneNumber(text)).toBe(number));

  it.each([
    '',
    '+',
    '12',
    '+0123456789',
    'alice',
    '+49151x',
    '1;2345',
    `+${'1'.repeat(16)}`,
    '4'.repeat(50),
    '++491512345678',
  ])('is refused: %j', (text) => expect(phoneNumber(text)).toBeUndefined());

  it('is unchanged when it is read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'+0123456789 ()-./') }), (text) => {
        const number = phoneNumber(text);
        if (number !== undefined) expect(phoneNumber(number)).toBe(number);
      }),
    );
  });
});
