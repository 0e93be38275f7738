/** Versions and levels, by the capacities of ISO/IEC 18004 and by what zbarimg reads. */
import QRCode from 'qrcode-svg';
import { describe, expect, it } from 'vitest';
import { readQrCode } from '../../testing/bed/engines/qr-reader.ts';
import { paint } from './bitmap.ts';
import { capacities, encodeModules } from './matrix.ts';
import { encodePng } from './png.ts';

const text = (length: number): string =>
  Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 41) % 94))).join('');

/**
 * What a code tells of itself (ISO/IEC 18004 §7.9): its version by its side, its level by the second bit of the
 * format information, which is masked with 10…: dark for L (01), light for M (00).
 */
function describeCode(uri: string): string {
  const modules = encodeModules(uri);
  expect(modules[8]?.[0]).toBe(true);
  return `${(modules.length - 17) / 4}-${modules[8]?.[1] ? 'L' : 'M'}`;
}

describe('version and level', () => {
  it.each([
    [1, '1-M'],
    [14, '1-M'],
    [15, '1-L'],
    [17, '1-L'],
    [18, '2-M'],
    [26, '2-M'],
    [27, '2-L'],
    [230, '9-L'],
    [231, '10-L'],
    [271, '10-L'],
    [272, '11-L'],
    [858, '20-L'],
    [859, '21-L'],
    [2809, '39-L'],
    [2810, '40-L'],
    [2953, '40-L'],
  ])('of %d characters are %s', (length, code) => {
    expect(describeCode(text(length))).toBe(code);
  });
});

describe('every version', () => {
  it.each([...capacities.entries()])('%i, counted from 0, is read when it is full', async (index, [l, m]) => {
    expect(describeCode(text(l))).toBe(`${index + 1}-L`);
    for (const length of [l, m]) {
      const code = encodePng(paint(encodeModules(text(length)), { size: 3, margin: 4 }));
      expect(await readQrCode(code)).toBe(text(length));
    }
  });
});

describe('the mask', () => {
  /** The library's own choice, made as `make` makes it. */
  function ofLibrary(uri: string): readonly (readonly boolean[])[] {
    const own = encodeModules(uri);
    const { qrcode } = new QRCode({ content: '-', ecl: own[8]?.[1] ? 'L' : 'M' });
    qrcode.typeNumber = (own.length - 17) / 4;
    qrcode.dataList.length = 0;
    qrcode.dataCache = null;
    qrcode.addData(uri);
    qrcode.make();
    return qrcode.modules;
  }

  it.each([1, 2, 3, 14, 17, 60, 100, 231, 500, 858, 1500, 2331, 2953])(
    'of %i characters is that of qrcode-svg',
    (length) => {
      for (const uri of [text(length), 'a'.repeat(length), 'x0'.repeat(length).slice(0, length)])
        expect(encodeModules(uri)).toEqual(ofLibrary(uri));
    },
  );
});
