/** How long it is waited before a message is tried again. */
import type { Random } from '../ports/random.ts';

const [first, longest] = [2000, 300_000];

/**
 * Twice as long each time, at most five minutes, between half and all of that: what failed together does not come back together.
 * @param tries those that have failed, from 1 @returns milliseconds
 */
export function backOff(tries: number, random: Random): number {
  const most = Math.min(longest, first * 2 ** Math.min(tries - 1, 20));
  const [high = 0, low = 0] = random.bytes(2);
  return Math.round(most * (0.5 + (high * 256 + low) / 0x1_0000 / 2));
}

/** In milliseconds: no pause of a message is longer. */
const farthest = 3_600_000;

/** Returns whether a moment has come. One that is further away was set by a clock that was ahead. */
export const hasCome = (moment: number, now: number): boolean => moment <= now || moment - now > farthest;
