/** Pauses between the tries of a message. */
import type { Random } from '../ports/random.ts';

const [first, longest] = [2000, 300_000];

/**
 * Returns the pause before the next try: exponential, at most five minutes, with random jitter down to half.
 * @param tries failed tries, from 1
 * @returns milliseconds
 */
export function backOff(tries: number, random: Random): number {
  const most = Math.min(longest, first * 2 ** Math.min(tries - 1, 20));
  const [high = 0, low = 0] = random.bytes(2);
  return Math.round(most * (0.5 + (high * 256 + low) / 0x1_0000 / 2));
}

/** Milliseconds; longer than any pause of a message. */
const farthest = 3_600_000;

/** Returns whether a moment has come. A moment beyond the longest pause was set by a clock that was ahead, and has come. */
export const hasCome = (moment: number, now: number): boolean => moment <= now || moment - now > farthest;
