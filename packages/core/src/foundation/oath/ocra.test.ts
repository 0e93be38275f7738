/** The vectors of RFC 6287, appendix C, and the grammar of its §6. */
import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuestion, type OcraInput, ocra, parseSuite } from './ocra.ts';

const digits = '1234567890'.repeat(7);
const keys = { sha1: digits.slice(0, 20), sha256: digits.slice(0, 32), sha512: digits.slice(0, 64) };
/** "132d0b6" steps of a minute: Mar 25 2008, 12:06:30 GMT. */
const time = 0x132d0b6 * 60_000;
const pin = '1234';

function code(text: string, input: OcraInput): string {
  const suite = parseSuite(text);
  if (!suite) throw new Error(`${text} is no suite`);
  return ocra(createSecretKey(Buffer.from(keys[suite.hash])), suite, input);
}

const repeated = (length: number) => Array.from({ length }, (_, n) => String(n).repeat(8));

describe('RFC 6287, C.1: one-way', () => {
  it.each<[string, readonly string[], (n: number) => OcraInput]>([
    [
      'OCRA-1:HOTP-SHA1-6:QN08',
      '237653 243178 653583 740991 608993 388898 816933 224598 750600 294470'.split(' '),
      (n) => ({ question: repeated(10)[n] ?? '' }),
    ],
    [
      'OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1',
      '65347737 86775851 78192410 71565254 10104329 65983500 70069104 91771096 75011558 08522129'.split(' '),
      (n) => ({ counter: n, question: '12345678', pin }),
    ],
    [
      'OCRA-1:HOTP-SHA256-8:QN08-PSHA1',
      '83238735 01501458 17957585 86776967 86807031'.split(' '),
      (n) => ({ question: repeated(5)[n] ?? '', pin }),
    ],
    [
      'OCRA-1:HOTP-SHA512-8:C-QN08',
      '07016083 63947962 70123924 25341727 33203315 34205738 44343969 51946085 20403879 31409299'.split(' '),
      (n) => ({ counter: n, question: repeated(10)[n] ?? '' }),
    ],
    [
      'OCRA-1:HOTP-SHA512-8:QN08-T1M',
      '95209754 55907591 22048402 24218844 36209546'.split(' '),
      (n) => ({ question: repeated(5)[n] ?? '', time }),
    ],
  ])('computes the codes of %s', (suite, codes, input) => {
    expect(codes.map((_, n) => code(suite, input(n)))).toEqual(codes);
  });
});

describe('RFC 6287, C.2: mutual, and C.3: signatures', () => {
  const server = (n: number) => ({ question: `CLI2222${n}SRV1111${n}` });
  const client = (n: number) => ({ question: `SRV1111${n}CLI2222${n}`, pin });
  it.each<[string, string, readonly string[], (n: number) => OcraInput]>([
    [
      'server',
      'OCRA-1:HOTP-SHA256-8:QA08',
      '28247970 01984843 65387857 03351211 83412541'.split(' '),
      server,
    ],
    [
      'client',
      'OCRA-1:HOTP-SHA256-8:QA08',
      '15510767 90175646 33777207 95285278 28934924'.split(' '),
      client,
    ],
    [
      'server',
      'OCRA-1:HOTP-SHA512-8:QA08',
      '79496648 76831980 12250499 90856481 12761449'.split(' '),
      server,
    ],
    [
      'client',
      'OCRA-1:HOTP-SHA512-8:QA08-PSHA1',
      '18806276 70020315 01600026 18951020 32528969'.split(' '),
      client,
    ],
    [
      'signature',
      'OCRA-1:HOTP-SHA256-8:QA08',
      '53095496 04110475 31331128 76028668 46554205'.split(' '),
      (n) => ({ question: `SIG1${n}000` }),
    ],
    [
      'signature',
      'OCRA-1:HOTP-SHA512-8:QA10-T1M',
      '77537423 31970405 10235557 95213541 65360607'.split(' '),
      (n) => ({ question: `SIG1${n}00000`, time }),
    ],
  ])('computes the codes of %s, %s', (_, suite, codes, input) => {
    expect(codes.map((__, n) => code(suite, input(n)))).toEqual(codes);
  });
});

describe('a suite', () => {
  it.each([
    ['OCRA-1:HOTP-SHA1-6:QN06-T1M', { digits: 6, question: { format: 'N', length: 6 }, period: 60 }],
    [
      'OCRA-1:HOTP-SHA512-0:C-QH64-PSHA256-S128-T48H',
      { digits: 0, hasCounter: true, pin: 'sha256', session: 128 },
    ],
    ['OCRA-1:HOTP-SHA1-10:QA10-S', { digits: 10, session: 64, period: undefined }],
    ['ocra-1:hotp-sha256-4:qn04-t59s', { hash: 'sha256', digits: 4, period: 59 }],
  ])('is read: %s', (text, expected) => {
    expect(parseSuite(text)).toMatchObject({ text, ...expected });
  });

  it.each([
    '',
    'OCRA-2:HOTP-SHA1-6:QN08',
    'OCRA-1:HOTP-MD5-6:QN08',
    'OCRA-1:HOTP-SHA1-3:QN08',
    'OCRA-1:HOTP-SHA1-11:QN08',
    'OCRA-1:HOTP-SHA1-6:C',
    'OCRA-1:HOTP-SHA1-6:QN03',
    'OCRA-1:HOTP-SHA1-6:QN65',
    'OCRA-1:HOTP-SHA1-6:QX08',
    'OCRA-1:HOTP-SHA1-6:QN08-C',
    'OCRA-1:HOTP-SHA1-6:QN08-PMD5',
    'OCRA-1:HOTP-SHA1-6:QN08-T0M',
    'OCRA-1:HOTP-SHA1-6:QN08-T60M',
    'OCRA-1:HOTP-SHA1-6:QN08-T49H',
    'OCRA-1:HOTP-SHA1-6:QN08-S000',
    'OCRA-1:HOTP-SHA1-6:QN08-S513',
    'OCRA-1:HOTP-SHA1-6:QN08-QN08',
    'OCRA-1:HOTP-SHA1-6:QN08 ',
  ])('is refused: %s', (text) => {
    expect(parseSuite(text)).toBeUndefined();
  });

  it('is parsed or refused for any text, without an error', () => {
    fc.assert(fc.property(fc.string(), (text) => parseSuite(text) === undefined || text.length > 10));
  });
});

it('accepts a question in the format of its suite only', () => {
  const of = (format: 'A' | 'N' | 'H') => ({ question: { format, length: 8 } });
  expect(['12345678', '1234567a', '', 'x-'].map((text) => isQuestion(text, of('N')))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(['12ab', '12ag', '12AB'].map((text) => isQuestion(text, of('H')))).toEqual([true, false, true]);
  expect(['CLI22220SRV11110', 'ä'].map((text) => isQuestion(text, of('A')))).toEqual([true, false]);
});

it('computes a code that depends on each input that the suite names, and on no other', () => {
  const base = { counter: 7, question: '12345678', pin, session: Buffer.from('abc'), time };
  const other = {
    counter: 8,
    question: '12345679',
    pin: '1235',
    session: Buffer.from('abd'),
    time: time + 60_000,
  };
  for (const [suite, named] of [
    ['OCRA-1:HOTP-SHA256-0:QN08', ['question']],
    ['OCRA-1:HOTP-SHA256-0:C-QN08', ['question', 'counter']],
    ['OCRA-1:HOTP-SHA256-0:QN08-PSHA512', ['question', 'pin']],
    ['OCRA-1:HOTP-SHA256-0:QN08-S064', ['question', 'session']],
    ['OCRA-1:HOTP-SHA256-0:C-QN08-PSHA1-S032-T1M', ['question', 'counter', 'pin', 'session', 'time']],
  ] as const) {
    const changed = (Object.keys(base) as (keyof typeof base)[]).filter(
      (name) => code(suite, { ...base, [name]: other[name] }) !== code(suite, base),
    );
    expect([suite, changed.sort()]).toEqual([suite, [...named].sort()]);
  }
});
