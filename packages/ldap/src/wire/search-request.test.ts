/** Compares the encoder with the decoders of responses and of the LDAP server. */
import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/src/foundation/text/filter.ts';
import { readFilter } from '../server/filters.ts';
import { type Bytes, element, integer, octetString } from './ber.ts';
import { BerCursor } from './ber-cursor.ts';
import { OwnRequest } from './request.ts';
import { filterBytes } from './search-request.ts';

const read = (bytes: Bytes): BerCursor => new BerCursor(Buffer.from(bytes, 'latin1'));

const lengths = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0xffffff, 0x1000000];

describe('BER', () => {
  it.each(lengths)('encodes an element of %d bytes', (length) => {
    const cursor = read(element(0x04, 'x'.repeat(length)) + element(0x04, 'next'));
    expect(cursor.bytes(0x04).length).toBe(length);
    expect(cursor.text(0x04)).toBe('next');
  });

  it.each([0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffff, 0x800000, 2 ** 31 - 1])(
    'has the number %d',
    (value) => {
      expect(read(integer(0x02, value)).integer()).toBe(value);
    },
  );

  it('encodes text as UTF-8, and bytes unchanged', () => {
    expect(read(octetString('a\0ü😀')).text(0x04)).toBe('a\0ü😀');
    expect([...read(octetString(Uint8Array.of(0, 127, 128, 255))).bytes(0x04)]).toEqual([0, 127, 128, 255]);
  });
});

describe('filter', () => {
  const value = 'a)(*\\ü\0';
  const bytes = Buffer.from([0xff, 0, 0x28]);
  const simple: readonly Filter[] = [
    { kind: 'present', attribute: 'mail' },
    ...(['equality', 'greaterOrEqual', 'lessOrEqual', 'approx'] as const).flatMap((kind): Filter[] => [
      { kind, attribute: 'cn', value },
      { kind, attribute: 'cn', value: bytes },
    ]),
    { kind: 'substrings', attribute: 'sn', initial: value, any: [value, 'b'], final: bytes },
    { kind: 'substrings', attribute: 'sn', any: ['b'] },
    { kind: 'extensible', attribute: 'ou', rule: 'caseExactMatch', value, dnAttributes: true },
    { kind: 'extensible', attribute: 'ou', value: bytes, dnAttributes: false },
  ];
  const all: readonly Filter[] = [
    ...simple,
    { kind: 'and', filters: simple },
    { kind: 'or', filters: [{ kind: 'not', filter: { kind: 'and', filters: [] } }, ...simple] },
  ];

  it.each(all.map((filter) => [filter.kind, filter] as const))(
    'is decoded as it was encoded: %s',
    (_, filter) => {
      expect(readFilter(read(filterBytes(filter)))).toEqual(filter);
    },
  );
});

it('refuses a request that is too long', () => {
  expect(() => new OwnRequest(0x63, 'x'.repeat(0xfffff0)).write()).not.toThrow();
  expect(() => new OwnRequest(0x63, 'x'.repeat(0xffffff)).write()).toThrow();
});
