/**
 * The modules of a QR code (ISO/IEC 18004): byte mode, the smallest version that holds the text at error
 * correction level L, and level M where the text fits the same version.
 */
import { createRequire } from 'node:module';
import type QRCode from 'qrcode-svg';
import { ServiceError } from '../errors/errors.ts';
import { type CooperativeTask, runAtOnce } from '../runtime/cooperative.ts';
import { trueOnce } from '../runtime/true-once.ts';
import { penaltyOf } from './mask.ts';

/** The class of qrcode-svg, with the method that its types leave out. */
type DrawingLibrary = new (
  options: QRCode.Options,
) => {
  readonly qrcode: QRCode.Model & {
    /** Makes the matrix with a mask. @param isTest leaves out the format information */
    makeImpl(isTest: boolean, mask: number): void;
    readonly dataList: readonly Segment[];
  };
};

/** A data segment of the library. */
interface Segment {
  parsedData: number[];
  write(bits: Bits): void;
}

interface Bits {
  readonly buffer: number[];
  length: number;
  put(number: number, bits: number): void;
}

const require = createRequire(import.meta.url);

/** Loads the library for the first code: most programs draw none. */
export const drawingLibrary = (): DrawingLibrary => require('qrcode-svg');

const masks = 8;

/** Rows of modules, true for dark; as many rows as columns, 21 to 177, without a quiet zone. */
export type Modules = readonly (readonly boolean[])[];

/** The capacities of versions 1 to 40 in bytes at levels L and M (ISO/IEC 18004 table 7). */
export const capacities: readonly (readonly [l: number, m: number])[] = [
  [17, 14],
  [32, 26],
  [53, 42],
  [78, 62],
  [106, 84],
  [134, 106],
  [154, 122],
  [192, 152],
  [230, 180],
  [271, 213],
  [321, 251],
  [367, 287],
  [425, 331],
  [458, 362],
  [520, 412],
  [586, 450],
  [644, 504],
  [718, 560],
  [792, 624],
  [858, 666],
  [929, 711],
  [1003, 779],
  [1091, 857],
  [1171, 911],
  [1273, 997],
  [1367, 1059],
  [1465, 1125],
  [1528, 1190],
  [1628, 1264],
  [1732, 1370],
  [1840, 1452],
  [1952, 1538],
  [2068, 1628],
  [2188, 1722],
  [2303, 1809],
  [2431, 1911],
  [2563, 1989],
  [2699, 2099],
  [2809, 2213],
  [2953, 2331],
];

/**
 * Encodes a text in UTF-8. A text beyond ASCII has an ECI header, which takes one byte more.
 * @throws ServiceError `invalid_params` if the text is empty; `too_large` beyond 2953 bytes
 */
export const encodeModules = (uri: string): Modules => runAtOnce(encodingModules(uri));

/** Encodes a text as {@link encodeModules} does, as a cooperative task: thousands of characters take a while. */
export function* encodingModules(uri: string): CooperativeTask<Modules> {
  if (uri === '') throw new ServiceError('invalid_params', { detail: 'Parameter uri is empty' });
  if (isCold()) yield* warmingUp();
  const bytes = Buffer.from(uri);
  // The ECI header has 12 bits, and every version has 4 bits to spare.
  const needed = bytes.length + (isAscii(bytes) ? 0 : 1);
  const index = capacities.findIndex(([l]) => needed <= l);
  const [, m] = capacities[index] ?? tooLarge(needed);
  return yield* filling(bytes, { version: index + 1, level: needed <= m ? 'M' : 'L' });
}

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);

const isCold = trueOnce();

/** Encodes small codes first: the first codes of a process are slow, until V8 has compiled the encoder. */
function* warmingUp(): CooperativeTask<void> {
  drawingLibrary();
  for (const version of [1, 2, 4, 8, 12, 16]) {
    yield;
    yield* filling(Buffer.from('-'), { version, level: 'L' });
  }
  yield;
}

function tooLarge(length: number): never {
  const most = capacities.at(-1)?.[0];
  throw new ServiceError('too_large', {
    detail: `Parameter uri takes ${length} bytes, and a QR code holds ${most}`,
  });
}

/**
 * Fills a code of a version. The library would put a byte order mark before a text beyond ASCII, and count its three bytes; so its model is
 * made for a short text, and gets the version and the bytes afterwards.
 */
function* filling(
  bytes: Buffer,
  { version, level }: { version: number; level: 'L' | 'M' },
): CooperativeTask<Modules> {
  const Library = drawingLibrary();
  const { qrcode } = new Library({ content: '-', ecl: level });
  qrcode.typeNumber = version;
  const [segment] = qrcode.dataList;
  if (segment) setBytes(segment, bytes, version);
  qrcode.dataCache = null;
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let mask = 0; mask < masks; mask++) {
    yield;
    qrcode.makeImpl(true, mask);
    yield;
    const penalty = penaltyOf(qrcode.modules);
    if (penalty < least) [best, least] = [mask, penalty];
  }
  yield;
  qrcode.makeImpl(false, best);
  return qrcode.modules;
}

/** Sets the bytes of a segment, with an ECI header (ISO/IEC 18004 §7.4.3) for UTF-8 beyond ASCII, which readers would misread. */
function setBytes(segment: Segment, bytes: Uint8Array, version: number): void {
  segment.parsedData = [...bytes];
  if (isAscii(bytes)) return;
  segment.write = (bits) => {
    // Replaces the header that the library has written.
    bits.buffer.length = 0;
    bits.length = 0;
    bits.put(modes.eci, 4);
    bits.put(utf8, 8);
    bits.put(modes.bytes, 4);
    bits.put(bytes.length, version < 10 ? 8 : 16);
    for (const byte of bytes) bits.put(byte, 8);
  };
}

/** Mode indicators (ISO/IEC 18004 table 2). */
const modes = { eci: 0b0111, bytes: 0b0100 };

/** The ECI assignment of UTF-8. */
const utf8 = 26;
