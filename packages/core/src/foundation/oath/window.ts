/** Windows: how many counters and time steps an attempt may be off. */

/** Most codes that one attempt is compared with, whatever window is set: each costs a few microseconds. */
export const mostCandidates = 2001;

/** The time step of a moment (milliseconds since 1970). */
export function timeStep(milliseconds: number, period: number): number {
  return Math.floor(milliseconds / 1000 / period);
}

/** Steps that a token may be off, either way. */
export const windowSteps = (
  { period }: { readonly period: number },
  { window }: { readonly window: number },
): number => Math.min(Math.floor(window / period), (mostCandidates - 1) / 2);

/**
 * Steps that a clock may show: around where it was last, and around the true time, as somebody may have set it right since.
 * @param drift steps that it was ahead. @returns the likeliest first; none is below `lowest`
 */
export function clockSteps(now: number, drift: number, steps: number, lowest = 0): readonly number[] {
  const known = around(now + drift, steps, lowest);
  return drift === 0 ? known : [...new Set([...known, ...around(now, steps, lowest)])];
}

/** `centre`, then its neighbours, the nearest first; none is below `lowest`. */
export function around(centre: number, steps: number, lowest: number): readonly number[] {
  const all = centre < lowest ? [] : [centre];
  for (let off = 1; off <= steps; off += 1) {
    if (centre + off >= lowest) all.push(centre + off);
    if (centre - off >= lowest) all.push(centre - off);
  }
  return all;
}
