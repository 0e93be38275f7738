/**
 * SMix of yescrypt: memory is filled block by block, then blocks are read, and at first rewritten too, in an order
 * that the data tells. Lanes divide the memory to fill it, and read all of it in the end.
 */
import { boxesWords, Pwxform } from './pwxform.ts';
import { salsa20 } from './salsa20.ts';
import type { Cost } from './setting.ts';
import { blockWords, mixInto, word } from './words.ts';

/** A block of 128r bytes, and what mixes it. */
export interface Lane {
  readonly block: Int32Array;
  readonly mix: (block: Int32Array) => void;
}

/** Makes S-boxes, by scrypt's own SMix, from the first 128 bytes of a block, which change. */
export function lane(block: Int32Array): Lane {
  const boxes = new Int32Array(boxesWords);
  fill(boxes, { block: block.subarray(0, 2 * blockWords), mix: mixPair }, () => undefined);
  const pwxform = new Pwxform(boxes);
  return { block, mix: (mixed) => pwxform.mix(mixed) };
}

/** Changes the blocks of the lanes. */
export function smix(lanes: readonly Lane[], { N, r, p, t }: Cost): void {
  const memory = new Int32Array(32 * r * N);
  const share = Math.floor(N / p);
  const loops = loopsFor(share, t);
  const writing = even(Math.floor(loops / p));
  for (const [at, each] of lanes.entries()) {
    const [from, to] = [at * (share & ~1), at === p - 1 ? N : (at + 1) * (share & ~1)];
    const part = memory.subarray(32 * r * from, 32 * r * to);
    fill(part, each, (filled) => wrapped(each, filled));
    for (let loop = 0; loop < writing; loop += 1) rewrite(part, each);
  }
  for (const each of lanes) {
    for (let loop = writing; loop < even(loops); loop += 1) read(memory, each);
  }
}

/** A third of the blocks is read, two thirds, or whole multiples of all. */
function loopsFor(blocks: number, t: number): number {
  return t < 2 ? Math.ceil((blocks * (t + 1)) / 3) : blocks * (t - 1);
}

/** SMix1. @param chosen of so many blocks that are filled, the one to mix in, if any */
function fill(
  memory: Int32Array,
  { block, mix }: Lane,
  chosen: (filled: number) => number | undefined,
): void {
  for (let filled = 0; filled < memory.length / block.length; filled += 1) {
    memory.set(block, filled * block.length);
    const from = chosen(filled);
    if (from !== undefined) mixInto(block, blockAt(memory, from, block.length));
    mix(block);
  }
}

/** A step of SMix2 while the memory is a lane's own. */
function rewrite(memory: Int32Array, { block, mix }: Lane): void {
  const chosen = chosenBlock(memory, block);
  mixInto(block, chosen);
  chosen.set(block);
  mix(block);
}

/** A step of SMix2 on the memory of all lanes. */
function read(memory: Int32Array, { block, mix }: Lane): void {
  mixInto(block, chosenBlock(memory, block));
  mix(block);
}

/** Integerify: of as many blocks as a power of two allows, the one that the data tells. */
function chosenBlock(memory: Int32Array, block: Int32Array): Int32Array {
  const among = powerWithin(memory.length / block.length);
  return blockAt(memory, choice(block) & (among - 1), block.length);
}

/** Of all blocks filled so far one of the latest, as many as a power of two allows; none of the first two. */
function wrapped({ block }: Lane, filled: number): number | undefined {
  if (filled < 2) return undefined;
  const among = powerWithin(filled);
  return (choice(block) & (among - 1)) + (filled - among);
}

function choice(block: Int32Array): number {
  return word(block, block.length - blockWords);
}

function blockAt(memory: Int32Array, at: number, words: number): Int32Array {
  return memory.subarray(at * words, (at + 1) * words);
}

function powerWithin(count: number): number {
  return 2 ** (31 - Math.clz32(count));
}

function even(count: number): number {
  return count + (count & 1);
}

/** BlockMix of scrypt for a block of 128 bytes, where nothing changes places. */
function mixPair(block: Int32Array): void {
  const [left, right] = [block.subarray(0, blockWords), block.subarray(blockWords)];
  mixInto(left, right);
  salsa20(left, 8);
  mixInto(right, left);
  salsa20(right, 8);
}
