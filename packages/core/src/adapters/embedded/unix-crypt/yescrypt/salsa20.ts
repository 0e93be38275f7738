/**
 * The core of Salsa20 (Bernstein, "The Salsa20 family of stream ciphers") on a block in the order of words.ts: its
 * columns are columns there too, its rows are diagonals.
 */
import { blockWords, word } from './words.ts';

type Quarter = readonly [number, number, number, number];

const doubleRound: readonly Quarter[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 13, 10, 7],
  [1, 14, 11, 4],
  [2, 15, 8, 5],
  [3, 12, 9, 6],
];

/** Replaces a block of 16 words. @param rounds an even number */
export function salsa20(block: Int32Array, rounds: number): void {
  const mixed = block.slice();
  for (let round = 0; round < rounds; round += 2) {
    for (const quarter of doubleRound) mixQuarter(mixed, quarter);
  }
  for (let at = 0; at < blockWords; at += 1) block[at] = word(block, at) + word(mixed, at);
}

function mixQuarter(x: Int32Array, [a, b, c, d]: Quarter): void {
  x[b] = word(x, b) ^ rotated(word(x, a) + word(x, d), 7);
  x[c] = word(x, c) ^ rotated(word(x, b) + word(x, a), 9);
  x[d] = word(x, d) ^ rotated(word(x, c) + word(x, b), 13);
  x[a] = word(x, a) ^ rotated(word(x, d) + word(x, c), 18);
}

function rotated(sum: number, by: number): number {
  return (sum << by) | (sum >>> (32 - by));
}
