/**
 * Rule 8, a super administrator at an address of a `manager_clients` that is not everybody: never refused but delayed,
 * each address for itself: 1, 2, 4, 5 s after the failures in a row, after 100 of them 60 s.
 */

import type { Ground, UserState } from './kept/state.ts';
import { strangers } from './kept/users-and-places.ts';
import type { Row } from './refusal.ts';

const steps = [0, 1000, 2000, 4000, 5000];
const many = 100;
/** In milliseconds. */
export const longestDelay = 60_000;

/** Milliseconds until the next one may be judged. */
export function delayOf({ failures, at }: Row, now: number): number {
  const step = failures >= many ? longestDelay : (steps[Math.min(failures, steps.length - 1)] ?? 0);
  return Math.max(0, Math.min(step, at + step - now));
}

/** Addresses whose delays are remembered: whoever has more of them has the oldest forgotten. */
const mostAddresses = 64;

/** @param latest the address whose delay is written now */
export function withoutOldest(grounds: UserState['grounds'], latest: string): UserState['grounds'] {
  const delayed = Object.entries(grounds).filter(([id, ground]) => id !== latest && isDelay(id, ground));
  const oldest = delayed.sort(([, a], [, b]) => (a.row?.at ?? 0) - (b.row?.at ?? 0));
  const gone = new Set(oldest.slice(0, Math.max(0, oldest.length + 1 - mostAddresses)).map(([id]) => id));
  return Object.fromEntries(Object.entries(grounds).filter(([id]) => !gone.has(id)));
}

/** Nothing is refused there, and that it is forgotten opens nothing. */
const isDelay = (id: string, { row, allowance, isLost }: Ground): boolean =>
  id !== strangers && row !== undefined && !row.refusal && !allowance && !isLost;
