/** The default alphabet of GSM 03.38 (§6.2.1), one septet in an octet, as gateways expect it. */

/** The table, in the order of the codes, with the escape at 0x1B. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

const escape = 0x1b;

/** Codes after an escape (§6.2.1.1). */
const extension = new Map([
  ...([
    ['\f', 0x0a],
    ['^', 0x14],
    ['{', 0x28],
    ['}', 0x29],
    ['\\', 0x2f],
  ] as const),
  ...([
    ['[', 0x3c],
    ['~', 0x3d],
    [']', 0x3e],
    ['|', 0x40],
    ['€', 0x65],
  ] as const),
]);

const codes = new Map<string, readonly number[]>([
  ...Array.from(basic, (character, septet) => [character, [septet]] as const).filter(
    (_, septet) => septet !== escape,
  ),
  ...Array.from(extension, ([character, septet]) => [character, [escape, septet]] as const),
]);

/** Returns the septets of a character; undefined where the alphabet lacks it. */
export const gsmSeptets = (character: string): readonly number[] | undefined => codes.get(character);
