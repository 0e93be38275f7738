/**
 * Known sources: a source is known to a user for 30 days after a full success there; the last 16 are kept. A success at a known source writes
 * this once a day and nothing else.
 */
import { day } from './interval.ts';

export interface KnownSource {
  readonly source: string;
  /** The day of the last success, in days since 1970, UTC. */
  readonly day: number;
}

const mostKnown = 16;
const knownDays = 30;

export const dayOf = (now: number): number => Math.floor(now / day);

/** Returns whether all of them are known now, and none was written by a clock ahead. */
export function areKnown(known: readonly KnownSource[], now: number): boolean {
  const today = dayOf(now);
  for (const { day } of known) if (day > today || today - day > knownDays) return false;
  return true;
}

/** Returns those that are known now. A day that is still to come counts as today. */
export function knownNow(known: readonly KnownSource[], now: number): readonly KnownSource[] {
  if (areKnown(known, now)) return known;
  const today = dayOf(now);
  return known
    .map((one) => (one.day > today ? { ...one, day: today } : one))
    .filter((one) => today - one.day <= knownDays);
}

/** Adds a source, in the order of writing; the 17th drops the first. */
export function knownAfterSuccess(
  known: readonly KnownSource[],
  source: string,
  now: number,
): readonly KnownSource[] {
  const today = dayOf(now);
  for (const one of known) if (one.source === source && one.day === today) return known;
  return [...known.filter((one) => one.source !== source), { source, day: today }].slice(-mostKnown);
}

/** Returns how long a source stays known, in milliseconds. */
export const knownLeft = (one: KnownSource, now: number): number => (one.day + knownDays + 1) * day - now;
