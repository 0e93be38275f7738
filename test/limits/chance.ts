/** Chance that can be had again: the same seed brings the same. */
export interface Chance {
  /** A whole number from 0 on, below that. */
  below(end: number): number;
  is(probability: number): boolean;
  one<T>(of: readonly T[]): T;
}

/** Mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    is: (probability) => next() < probability,
    // Asked of lists that are not empty.
    one: <T>(of: readonly T[]) => of[below(of.length)] as T,
  };
}
