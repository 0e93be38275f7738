/**
 * DES (FIPS 46-3) with the salt of crypt(3), which OpenSSL's does not have: bits of the salt swap bits of the
 * expansion. A block is a list of 64 bits where speed does not matter, and two words where it does.
 */
import {
  finalPermutation,
  initialPermutation,
  keyHalves,
  keyTurns,
  roundKeyBits,
  roundPermutation,
  substitutions,
} from './des-tables.ts';

/** Bits, the highest first. */
export type Bits = readonly number[];
/** A block between the permutations: its left and right 32 bits. */
export type Halves = readonly [left: number, right: number];
/** The keys of 16 rounds, each as eight groups of six bits. */
export type KeySchedule = readonly Uint8Array[];

/** @param key 64 bits; each eighth has no effect */
export function keySchedule(key: Bits): KeySchedule {
  const [c = [], d = []] = keyHalves.map((table) => permute(key, table));
  return keyTurns.map((turn) => {
    const bits = permute([...turned(c, turn), ...turned(d, turn)], roundKeyBits);
    return Uint8Array.from(groups(bits, 6));
  });
}

/** One DES encryption without the permutations at its ends, which cancel out where one follows another. */
export function iterate(halves: Halves, keys: KeySchedule, swaps: readonly number[]): Halves {
  let [before, now] = halves;
  for (const key of keys) [before, now] = [now, before ^ mixed(now, key, swaps)];
  return [now, before];
}

/** One DES encryption as the standard has it. */
export function encrypt(block: Bits, keys: KeySchedule): Bits {
  const [left = 0, right = 0] = groups(permute(block, initialPermutation), 32);
  return permuteFinally(iterate([left, right], keys, saltSwaps(0)));
}

/** The block that halves are of, after the last permutation. */
export function permuteFinally(halves: Halves): Bits {
  return permute(
    halves.flatMap((half) => bitsOf(half, 32)),
    finalPermutation,
  );
}

/**
 * What a salt of up to 24 bits does: a mask for each of the first four groups of the expansion, whose bits change
 * places with those of the group four further. The lowest bit of the salt is for the highest of the group.
 */
export function saltSwaps(salt: number): number[] {
  return groups(bitsOf(salt, 24).toReversed(), 6);
}

/** Numbers of `size` bits each. */
export function groups(bits: Bits, size: number): number[] {
  return Array.from({ length: bits.length / size }, (_, group) =>
    bits.slice(group * size, (group + 1) * size).reduce((sum, bit) => (sum << 1) | bit, 0),
  );
}

export function bitsOf(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, at) => (value >>> (size - 1 - at)) & 1);
}

function permute(bits: Bits, table: readonly number[]): number[] {
  return table.map((place) => bits[place - 1] ?? 0);
}

function turned(bits: Bits, by: number): number[] {
  return [...bits.slice(by), ...bits.slice(0, by)];
}

/** For each S-box and each six bits of input its output where P puts it. */
const boxes = Int32Array.from(
  substitutions.flatMap((table, box) =>
    Array.from({ length: 64 }, (_, input) => {
      const row = ((input >>> 4) & 2) | (input & 1);
      const output = table[row * 16 + ((input >>> 1) & 15)] ?? 0;
      return groups(permute(bitsOf(output << (28 - 4 * box), 32), roundPermutation), 32)[0] ?? 0;
    }),
  ),
);

/** The function f of the standard. Group g of the expansion is six bits of the word, from the one before 4g on. */
function mixed(word: number, key: Uint8Array, swaps: readonly number[]): number {
  let output = 0;
  for (let group = 0; group < 4; group += 1) {
    const near = rotated(word, 4 * group + 5) & 63;
    const far = rotated(word, 4 * group + 21) & 63;
    const swap = (near ^ far) & (swaps[group] ?? 0);
    output ^= substituted(group, near ^ swap ^ (key[group] ?? 0));
    output ^= substituted(group + 4, far ^ swap ^ (key[group + 4] ?? 0));
  }
  return output;
}

function substituted(box: number, input: number): number {
  return boxes[64 * box + input] ?? 0;
}

/** Turned left; only the lowest five bits of `by` count. */
function rotated(word: number, by: number): number {
  return (word << by) | (word >>> -by);
}
