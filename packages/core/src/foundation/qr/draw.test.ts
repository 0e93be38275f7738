/** Every format, read back by programs that are not ours: what comes out is what went in. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQrCode, readQrSvg, readQrText } from '../../testing/bed/engines/qr-reader.ts';
import { processorTime } from '../../testing/bed/measures/processor-time.ts';
import { turnsDuring } from '../../testing/bed/measures/turn-times.ts';
import { drawQrCode, type QrFormat } from './draw.ts';

/** 500 characters, as long as the URIs of tokens become: an endpoint, a session, a secret of 64 bytes. */
const token =
  `otpauth://totp/Watchword:alice.liddell%40wonderland.example.org?secret=${'GEZDGNBVGY3TQOJQ'.repeat(6)}GEZDGNA` +
  '&algorithm=SHA512&digits=10&issuer=Watchword%20of%20the%20Wonderland%20Company%20Ltd&period=30' +
  '&userid=alice.liddell%40wonderland.example.org&domain=Wonderland%20and%20Looking-Glass%20House%20and%20Yard' +
  '&endpoint=https%3A%2F%2Flogin.wonderland.example.org%3A8443%2Fotp%2Fmobile' +
  '&session=3f2a9d54c1e84b7f9a6610d2b5c8e7f3&version=1';

/** Text as long as a QR code can hold, of all characters. */
const longest = Array.from({ length: 2953 }, (_, at) => String.fromCharCode((at * 37) % 128)).join('');

const texts = { short: 'hello', token, longest } as const;
const pictures = ['GIF', 'PNG', 'JPG'] as const;

/** Modules in a row, of `short`, `token` and `longest`: versions 1, 15 and 40. */
const modules = { short: 21, token: 77, longest: 177 } as const;
const sideOf = (name: keyof typeof texts, { size, margin }: { size: number; margin: number }): number =>
  (modules[name] + 2 * margin) * size;

const readers: Readonly<Record<QrFormat, (file: Uint8Array) => { width: number; height: number }>> = {
  GIF: (file) => ({ width: Buffer.from(file).readUInt16LE(6), height: Buffer.from(file).readUInt16LE(8) }),
  PNG: (file) => ({ width: Buffer.from(file).readUInt32BE(16), height: Buffer.from(file).readUInt32BE(20) }),
  JPG: (file) => {
    const frame = Buffer.from(file).indexOf(Buffer.from([0xff, 0xc0]));
    return {
      width: Buffer.from(file).readUInt16BE(frame + 7),
      height: Buffer.from(file).readUInt16BE(frame + 5),
    };
  },
  SVG: (file) => {
    const [, width, height] = /width="([0-9]+)" height="([0-9]+)"/.exec(Buffer.from(file).toString()) ?? [];
    return { width: Number(width), height: Number(height) };
  },
  TXT: (file) => {
    const lines = Buffer.from(file).toString().split('\n').slice(0, -1);
    return { width: Math.max(...lines.map((line) => line.length)), height: lines.length };
  },
};

describe.each(['short', 'token', 'longest'] as const)('the %s text', (name) => {
  const text = texts[name];

  it.each(pictures)('is read from %s', async (format) => {
    for (const scale of [{ size: 2, margin: 4 }, {}, { size: 10, margin: 1 }, { size: 3, margin: 5 }]) {
      expect(await readQrCode(await drawQrCode(text, { format, ...scale }))).toBe(text);
    }
  });

  it('is read from SVG in a browser', async () => {
    const side = sideOf(name, { size: 5, margin: 4 });
    expect(await readQrSvg(await drawQrCode(text, { format: 'SVG' }), side)).toBe(text);
  });

  it('is read from TXT on a dark terminal', async () => {
    for (const margin of [1, 4]) {
      const shown = Buffer.from(await drawQrCode(text, { format: 'TXT', margin })).toString();
      expect(await readQrText(shown, 'dark')).toBe(text);
    }
  });

  it.each(['GIF', 'PNG', 'JPG', 'SVG'] as const)(
    '%s is (modules + 2·margin)·size wide and high',
    async (format) => {
      for (const size of [1, 7, 10]) {
        for (const margin of [0, 5]) {
          const side = sideOf(name, { size, margin });
          expect(readers[format](await drawQrCode(text, { format, size, margin }))).toEqual({
            width: side,
            height: side,
          });
        }
      }
    },
  );

  it('has a column for each module and a line for two in TXT, at any size', async () => {
    for (const [size, margin] of [
      [1, 0],
      [10, 5],
    ] as const) {
      const width = sideOf(name, { size: 1, margin });
      expect(readers.TXT(await drawQrCode(text, { format: 'TXT', size, margin }))).toEqual({
        width,
        height: (width + 1) / 2,
      });
    }
  });
});

describe('an arbitrary text of ASCII', () => {
  const ascii = fc.string({
    unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 600,
  });
  const scale = fc.record({ size: fc.integer({ min: 2, max: 6 }), margin: fc.integer({ min: 1, max: 5 }) });

  it.each(pictures)('is read from %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(ascii, scale, async (text, { size, margin }) => {
        expect(await readQrCode(await drawQrCode(text, { format, size, margin }))).toBe(text);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a text beyond ASCII', () => {
  it('is read with any content', async () => {
    const some = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(some, async (text) => {
        expect(await readQrCode(await drawQrCode(text, { format: 'PNG' }))).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    'Zoë',
    'é',
    'Grüße aus Köln, 20 €',
    'Ελληνικά и русский',
    '漢字とかな',
    'עברית ועربي',
    'key 🔑, lock 🔒',
    `${'x'.repeat(50)}ß`,
  ])('is read unchanged: %s', async (text) => {
    expect(await readQrCode(await drawQrCode(text, { format: 'PNG' }))).toBe(text);
  });

  it('takes the smallest version that holds its bytes, without a byte order mark', async () => {
    for (const [text, version] of [
      ['é'.repeat(8), 1],
      ['é'.repeat(9), 2],
      [`${'é'.repeat(114)}x`, 9],
      ['é'.repeat(115), 10],
      ['é'.repeat(135), 10],
      ['é'.repeat(1476), 40],
    ] as const) {
      const { width } = readers.PNG(await drawQrCode(text, { format: 'PNG', size: 1, margin: 0 }));
      expect([text.length, (width - 17) / 4]).toEqual([text.length, version]);
      expect(await readQrCode(await drawQrCode(text, { format: 'PNG' }))).toBe(text);
    }
  });
});

it('draws the longest and largest code in a fraction of a second', async () => {
  const spent = await processorTime(async () => {
    for (const format of [...pictures, 'SVG', 'TXT'] as const)
      await drawQrCode(longest, { format, size: 10 });
  });
  expect(spent).toBeLessThan(2000);
});

it.each<[QrFormat, number]>([
  ['GIF', 30],
  ['JPG', 30],
  ['PNG', 8],
  ['SVG', 8],
  ['TXT', 8],
])('yields in the longest and largest %s more than %i times', async (format, turns) => {
  const given = await turnsDuring(() => drawQrCode(longest, { format, size: 10 }));
  expect(given).toBeGreaterThan(turns);
});
