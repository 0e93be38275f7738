/**
 * The `$y$` hashes of crypt(3): what they say of cost and salt. Numbers are written in as few digits as they
 * need. Of the flavours of yescrypt the one that everybody uses is read, and neither hash upgrades nor ROMs.
 */
import { decode, valuesOf } from '../base64.ts';

export interface Cost {
  /** Blocks of memory, a power of two. */
  readonly N: number;
  /** Size of a block, in 128 bytes. */
  readonly r: number;
  /** Lanes, between which the blocks are divided. */
  readonly p: number;
  /** More time for the same memory; 0 is the least. */
  readonly t: number;
}

export interface Setting {
  readonly cost: Cost;
  readonly salt: Buffer;
}

/** Bytes: four times what Debian asks for. The others keep the time within seconds too, and nobody sets them. */
const mostMemory = 64 * 1024 * 1024;
const mostLanes = 16;
const mostTime = 4;

/** YESCRYPT_RW and the sizes of pwxform that yescrypt 1.0 settled on. */
const flavour = 47;

/** Undefined if `stored` is no such hash, or asks for too much. */
export function parseSetting(stored: string): Setting | undefined {
  const match = /^\$y\$([./0-9A-Za-z]{3,32})\$([./0-9A-Za-z]{0,86})\$[./0-9A-Za-z]{43}$/.exec(stored);
  const cost = match && costOf(numbersOf(match[1] ?? ''));
  const salt = match && decode(match[2] ?? '');
  return cost && salt && isBearable(cost) ? { cost, salt } : undefined;
}

/** Numbers begin at the least that makes sense; p and t are there if a bit of `extras` says so. */
function costOf([flags, logN = NaN, r = NaN, extras = -1, ...rest]: readonly number[]): Cost | undefined {
  const has = extras + 1;
  if (flags !== flavour || ![0, 1, 2, 3].includes(has)) return undefined;
  const p = has & 1 ? (rest.shift() ?? NaN) + 2 : 1;
  const t = has & 2 ? (rest.shift() ?? NaN) + 1 : 0;
  return rest.length === 0 ? { N: 2 ** (logN + 1), r: r + 1, p, t } : undefined;
}

/** crypt(3) wants four blocks for each lane. What is not a number is not bearable either. */
function isBearable({ N, r, p, t }: Cost): boolean {
  return 128 * r * N <= mostMemory && p <= Math.min(mostLanes, N / 4) && t <= mostTime;
}

/** How many first digits tell that no other follows, that one does, two, and so on. */
const firstDigits = [48, 8, 4, 2, 1, 1];

function numbersOf(text: string): number[] {
  const values = valuesOf(text);
  const numbers: number[] = [];
  while (values.length > 0) numbers.push(takeNumber(values));
  return numbers;
}

/** Takes the digits of a number away; shorter numbers are all lower. NaN if digits are missing. */
function takeNumber(values: number[]): number {
  let first = values.shift() ?? NaN;
  let lower = 0;
  for (const [following, count] of firstDigits.entries()) {
    if (first < count) {
      const digits = [first, ...Array.from({ length: following }, () => values.shift() ?? NaN)];
      return lower + digits.reduce((sum, digit) => sum * 64 + digit, 0);
    }
    first -= count;
    lower += count * 64 ** following;
  }
  return NaN;
}
