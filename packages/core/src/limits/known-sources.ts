/**
 * Known places, and rule 7: a place is known to a user for 30 days after a full success there, the last 16 are kept. A
 * success where one is known writes this once a day and nothing else, so that a login that succeeds costs no disk.
 */
import { day } from './span.ts';

export interface KnownPlace {
  readonly place: string;
  /** Days since 1970, UTC. */
  readonly day: number;
}

const mostKnown = 16;
const knownDays = 30;

export const dayOf = (now: number): number => Math.floor(now / day);

/** Whether all of them are, and were kept under no clock that was ahead. */
export function areKnown(known: readonly KnownPlace[], now: number): boolean {
  const today = dayOf(now);
  for (const { day } of known) if (day > today || today - day > knownDays) return false;
  return true;
}

/** Those that are known at this moment. A day that is still to come is today's. */
export function knownNow(known: readonly KnownPlace[], now: number): readonly KnownPlace[] {
  if (areKnown(known, now)) return known;
  const today = dayOf(now);
  return known
    .map((one) => (one.day > today ? { ...one, day: today } : one))
    .filter((one) => today - one.day <= knownDays);
}

/** In the order of writing; the 17th drops the first. */
export function knownAfterSuccess(
  known: readonly KnownPlace[],
  place: string,
  now: number,
): readonly KnownPlace[] {
  const today = dayOf(now);
  for (const one of known) if (one.place === place && one.day === today) return known;
  return [...known.filter((one) => one.place !== place), { place, day: today }].slice(-mostKnown);
}

/** How long a place stays known, in milliseconds. */
export const knownLeft = (one: KnownPlace, now: number): number => (one.day + knownDays + 1) * day - now;
