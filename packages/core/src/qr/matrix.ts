/**
 * The modules of a QR code (ISO/IEC 18004): byte mode, the smallest version that holds the text at error
 * correction level L, and level M where the text fits the same version.
 */
import { createRequire } from 'node:module';
import type QRCode from 'qrcode-svg';
import { inOneGo, type Work } from '../concurrency/stints.ts';
import { ServiceError } from '../errors/errors.ts';
import { penaltyOf } from './mask.ts';

/** The class of qrcode-svg, with the method that its types leave out. */
type DrawingLibrary = new (
  options: QRCode.Options,
) => {
  readonly qrcode: QRCode.Model & {
    /** Makes the matrix with a mask. @param isTest without what tells the mask, to look at the picture */
    makeImpl(isTest: boolean, mask: number): void;
  };
};

const require = createRequire(import.meta.url);

/** Loaded for the first picture: most programs draw none. */
export const drawingLibrary = (): DrawingLibrary => require('qrcode-svg');

const masks = 8;

/** Rows of modules, true where dark; as many rows as columns, 21 to 177. No quiet zone. */
export type Modules = readonly (readonly boolean[])[];

/** How many bytes version 1, 2, … 40 holds at levels L and M (ISO/IEC 18004 table 7). */
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
 * The modules of the code that says `uri`.
 * @throws ServiceError `invalid_params` if it is empty or not ASCII (a URI is, RFC 3986 §2: all else is
 * percent-encoded, and readers differ on what bytes above 127 mean); `too_large` beyond 2953 characters.
 */
export const encodeModules = (uri: string): Modules => inOneGo(encodingModules(uri));

/** {@link encodeModules}, which takes a while for thousands of characters, in stints. */
export function* encodingModules(uri: string): Work<Modules> {
  if (!/^[\x00-\x7f]+$/.test(uri)) {
    throw new ServiceError('invalid_params', {
      detail: uri === '' ? 'Parameter uri is empty' : 'Parameter uri not ASCII',
    });
  }
  if (!isWarm) yield* warmingUp();
  const index = capacities.findIndex(([l]) => uri.length <= l);
  const [, m] = capacities[index] ?? tooLarge(uri.length);
  return yield* filling(uri, { version: index + 1, level: uri.length <= m ? 'M' : 'L' });
}

let isWarm = false;

/** The first pictures of a process take ten times as long, until V8 has translated what draws them: so they are small. */
function* warmingUp(): Work<void> {
  isWarm = true;
  drawingLibrary();
  for (const version of [1, 2, 4, 8, 12, 16]) {
    yield;
    yield* filling('-', { version, level: 'L' });
  }
  yield;
}

function tooLarge(length: number): never {
  const most = capacities.at(-1)?.[0];
  throw new ServiceError('too_large', {
    detail: `Parameter uri has ${length} characters, and a QR code holds ${most}`,
  });
}

/**
 * The library's own choice of a version counts three bytes too many, for a byte order mark that ASCII has not.
 * So its model is made for a text that fits any version, and told ours.
 */
function* filling(text: string, { version, level }: { version: number; level: 'L' | 'M' }): Work<Modules> {
  const Library = drawingLibrary();
  const { qrcode } = new Library({ content: '-', ecl: level });
  qrcode.typeNumber = version;
  qrcode.dataList.length = 0;
  qrcode.dataCache = null;
  qrcode.addData(text);
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
