/** Tables that come back as they were, and those of other programs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv, writeCsv } from './csv.ts';

describe('CSV', () => {
  it('comes back as it was written, whatever is in a cell', () => {
    const sign = fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r', ' ', '😀');
    const cell = fc.string({ unit: sign }).map((text) => `x${text}`);
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
        const table = [['one', 'two'], ...rows];
        expect(parseCsv(writeCsv(table))).toEqual(table);
      }),
    );
  });

  it('is read as other programs write it', () => {
    expect(parseCsv('\uFEFFuid;mail\r\nzoe;"a;b"\r\n\r\n')).toEqual([
      ['uid', 'mail'],
      ['zoe', 'a;b'],
    ]);
    expect(parseCsv('a\tb,c\td\n1\t2\t')).toEqual([
      ['a', 'b,c', 'd'],
      ['1', '2', ''],
    ]);
    expect(parseCsv('zoe\nalice')).toEqual([['zoe'], ['alice']]);
    expect(parseCsv('a,"never closed\nb')).toEqual([['a', 'never closed\nb']]);
    expect(parseCsv('')).toEqual([]);
  });

  it('runs no formula in a table program', () => {
    expect(writeCsv([['=HYPERLINK("x")', '-1', '@x', 'a']])).toBe(`"'=HYPERLINK(""x"")",'-1,'@x,a\r\n`);
  });
});
