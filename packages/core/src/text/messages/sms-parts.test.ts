import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf } from './sms-parts.ts';

describe('the parts of an SMS', () => {
  it.each([
    ['', 'GSM 03.38', 1],
    ['a'.repeat(160), 'GSM 03.38', 1],
    ['a'.repeat(161), 'GSM 03.38', 2],
    ['a'.repeat(306), 'GSM 03.38', 2],
    ['a'.repeat(307), 'GSM 03.38', 3],
    ['€'.repeat(80), 'GSM 03.38', 1],
    ['€'.repeat(81), 'GSM 03.38', 2],
    // The escape and its character stay together: 152 septets of 153.
    ['€'.repeat(152), 'GSM 03.38', 2],
    ['€'.repeat(153), 'GSM 03.38', 3],
    ['Grüße', 'GSM 03.38', 1],
    ['ç'.repeat(70), 'UCS-2', 1],
    ['ç'.repeat(71), 'UCS-2', 2],
    ['`', 'UCS-2', 1],
    ['😀'.repeat(35), 'UCS-2', 1],
    ['😀'.repeat(36), 'UCS-2', 2],
    // 33 pairs of 67 code units.
    ['😀'.repeat(67), 'UCS-2', 3],
  ])('%j', (text, alphabet, parts) => expect(partsOf(text)).toEqual({ alphabet, parts }));

  it('never fall as a text grows by a character of its alphabet', () => {
    const characters = fc.string({ unit: fc.constantFrom('a', '€', 'ß', 'ч', '😀'), maxLength: 500 });
    fc.assert(
      fc.property(characters, (text) => {
        const { alphabet, parts } = partsOf(text);
        const more = alphabet === 'UCS-2' ? 'ч' : 'a';
        expect(partsOf(text + more).parts).toBeGreaterThanOrEqual(parts);
        expect(partsOf(text + more).parts).toBeLessThanOrEqual(parts + 1);
      }),
    );
  });
});
