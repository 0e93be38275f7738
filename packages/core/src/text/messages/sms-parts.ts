/** How a text goes over the air: in the default alphabet of GSM 03.38 or as UCS-2, in one SMS or in parts (GSM 03.40). */

/** GSM 03.38 §6.2.1, without the escape. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Behind an escape, two septets each (§6.2.1.1). */
const extension = new Set('\f^{}\\[~]|€');

export interface SmsParts {
  readonly alphabet: 'GSM 03.38' | 'UCS-2';
  /** At least 1. */
  readonly parts: number;
}

/** A part has 140 octets, of which the header of a text in parts takes six: 160 and 153 septets, 70 and 67 code units. */
const lengths = { 'GSM 03.38': [160, 153], 'UCS-2': [70, 67] } as const;

/** No character is cut in two at the end of a part. */
export function partsOf(text: string): SmsParts {
  const characters = Array.from(text);
  const isBasic = characters.every((one) => basic.has(one) || extension.has(one));
  const alphabet = isBasic ? 'GSM 03.38' : 'UCS-2';
  const widths = characters.map((one) => (isBasic ? (extension.has(one) ? 2 : 1) : one.length));
  const [whole, part] = lengths[alphabet];
  if (widths.reduce((sum, width) => sum + width, 0) <= whole) return { alphabet, parts: 1 };
  let [parts, used] = [1, 0];
  for (const width of widths) {
    if (used + width > part) [parts, used] = [parts + 1, 0];
    used += width;
  }
  return { alphabet, parts };
}
