/** Splitting of texts into SMS parts, in the default alphabet of GSM 03.38 or as UCS-2 (GSM 03.40). */
import { gsmSeptets } from './gsm-alphabet.ts';

export interface SmsPieces {
  readonly alphabet: 'GSM 03.38' | 'UCS-2';
  /** Parts, at least one; joined they are the text. */
  readonly pieces: readonly string[];
}

/** The lengths of a single SMS and of a part, which has a header of six octets: in septets, and in UTF-16 code units. */
const lengths = { 'GSM 03.38': [160, 153], 'UCS-2': [70, 67] } as const;

/** Splits a text into SMS parts, between characters. */
export function piecesOf(text: string): SmsPieces {
  const characters = Array.from(text, (character) => ({ character, septets: gsmSeptets(character)?.length }));
  const alphabet = characters.every(({ septets }) => septets !== undefined) ? 'GSM 03.38' : 'UCS-2';
  const widths = characters.map(({ character, septets = 0 }) =>
    alphabet === 'UCS-2' ? character.length : septets,
  );
  const [whole, part] = lengths[alphabet];
  if (widths.reduce((sum, width) => sum + width, 0) <= whole) return { alphabet, pieces: [text] };
  const pieces: string[] = [];
  let [piece, used] = ['', 0];
  for (const [at, { character }] of characters.entries()) {
    const width = widths[at] ?? 0;
    if (used + width > part) {
      pieces.push(piece);
      [piece, used] = ['', 0];
    }
    piece += character;
    used += width;
  }
  return { alphabet, pieces: [...pieces, piece] };
}

/** Counts the SMS parts of a text. */
export const partsOf = (
  text: string,
): { readonly alphabet: SmsPieces['alphabet']; readonly parts: number } => {
  const { alphabet, pieces } = piecesOf(text);
  return { alphabet, parts: pieces.length };
};
