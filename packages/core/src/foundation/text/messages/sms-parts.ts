/** How a text goes over the air: in the default alphabet of GSM 03.38 or as UCS-2, in one SMS or in parts (GSM 03.40). */
import { gsmSeptets } from './gsm-alphabet.ts';

export interface SmsPieces {
  readonly alphabet: 'GSM 03.38' | 'UCS-2';
  /** At least one; together they are the text. */
  readonly pieces: readonly string[];
}

/** A part has 140 octets, of which the header of a text in parts takes six: 160 and 153 septets, 70 and 67 code units. */
const lengths = { 'GSM 03.38': [160, 153], 'UCS-2': [70, 67] } as const;

/** No character is cut in two at the end of a piece. */
export function piecesOf(text: string): SmsPieces {
  const characters = Array.from(text, (one) => ({ one, septets: gsmSeptets(one)?.length }));
  const alphabet = characters.every(({ septets }) => septets !== undefined) ? 'GSM 03.38' : 'UCS-2';
  const widths = characters.map(({ one, septets = 0 }) => (alphabet === 'UCS-2' ? one.length : septets));
  const [whole, part] = lengths[alphabet];
  if (widths.reduce((sum, width) => sum + width, 0) <= whole) return { alphabet, pieces: [text] };
  const pieces: string[] = [];
  let [piece, used] = ['', 0];
  for (const [at, { one }] of characters.entries()) {
    const width = widths[at] ?? 0;
    if (used + width > part) {
      pieces.push(piece);
      [piece, used] = ['', 0];
    }
    piece += one;
    used += width;
  }
  return { alphabet, pieces: [...pieces, piece] };
}

/** As many SMS as it is. */
export const partsOf = (
  text: string,
): { readonly alphabet: SmsPieces['alphabet']; readonly parts: number } => {
  const { alphabet, pieces } = piecesOf(text);
  return { alphabet, parts: pieces.length };
};
