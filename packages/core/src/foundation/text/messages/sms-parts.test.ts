import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gsmSeptets } from './gsm-alphabet.ts';
import { partsOf, piecesOf } from './sms-parts.ts';

describe('the parts of an SMS', () => {
  it.each([
    ['', 'GSM 03.38', 1],
    ['a'.repeat(160), 'GSM 03.38', 1],
    ['a'.repeat(161), 'GSM 03.38', 2],
    ['a'.repeat(306), 'GSM 03.38', 2],
    ['a'.repeat(307), 'GSM 03.38', 3],
    ['€'.repeat(80), 'GSM 03.38', 1],
    ['€'.repeat(81), 'GSM 03.38', 2],
    // 153 is odd: the escape of a sign stays with it.
    ['€'.repeat(152), 'GSM 03.38', 2],
    ['€'.repeat(153), 'GSM 03.38', 3],
    ['ж'.repeat(70), 'UCS-2', 1],
    ['ж'.repeat(71), 'UCS-2', 2],
    ['😀'.repeat(35), 'UCS-2', 1],
    ['😀'.repeat(66), 'UCS-2', 2],
    ['😀'.repeat(67), 'UCS-2', 3],
  ])('of %j: %s, %i', (text, alphabet, parts) => expect(partsOf(text)).toEqual({ alphabet, parts }));

  it('are the text when joined, have a bounded length, and end between characters', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '€', 'é', '[', 'ж', '😀', '\n'), maxLength: 400 });
    fc.assert(
      fc.property(texts, (text) => {
        const { alphabet, pieces } = piecesOf(text);
        expect(pieces.join('')).toBe(text);
        const widthOf = (piece: string) =>
          alphabet === 'UCS-2'
            ? piece.length
            : Array.from(piece).flatMap((one) => gsmSeptets(one) ?? []).length;
        const [whole, part] = alphabet === 'UCS-2' ? [70, 67] : [160, 153];
        for (const piece of pieces) {
          expect(piece.isWellFormed()).toBe(true);
          expect(widthOf(piece)).toBeLessThanOrEqual(pieces.length === 1 ? whole : part);
        }
      }),
    );
  });
});
