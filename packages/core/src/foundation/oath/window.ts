/** Look-ahead and time windows of OATH tokens. */

/** The most codes that an attempt is compared with, for any configured window. */
export const mostCandidates = 2001;

/** Returns the time step of a moment. @param milliseconds since 1970 @param period seconds */
export function timeStep(milliseconds: number, period: number): number {
  return Math.floor(milliseconds / 1000 / period);
}

/** Returns the steps that a token may be off, either way. */
export const windowSteps = (
  { period }: { readonly period: number },
  { window }: { readonly window: number },
): number => Math.min(Math.floor(window / period), (mostCandidates - 1) / 2);

/**
 * Returns the steps that a token's clock may show: around its drifted time, and around the true time, in case it was set since.
 * @param drift steps by which the clock was fast @returns the most likely first; none below `lowest`
 */
export function clockSteps(now: number, drift: number, steps: number, lowest = 0): readonly number[] {
  const known = around(now + drift, steps, lowest);
  return drift === 0 ? known : [...new Set([...known, ...around(now, steps, lowest)])];
}

/** Returns `centre`, then its neighbours, the nearest first; none below `lowest`. */
export function around(centre: number, steps: number, lowest: number): readonly number[] {
  const all = centre < lowest ? [] : [centre];
  for (let off = 1; off <= steps; off += 1) {
    if (centre + off >= lowest) all.push(centre + off);
    if (centre - off >= lowest) all.push(centre - off);
  }
  return all;
}
