/** The outcome of a login as a word, derived from the number `code` of the wire. */
import type { JsonObject } from './wire/json-object.ts';

const outcomes = { 0: 'refused', 1: 'granted', 2: 'challenge' } as const;

export type Outcome<Code extends keyof typeof outcomes = keyof typeof outcomes> = (typeof outcomes)[Code];

/** An answer with a `code` has its word as well; one with a number that the interface has not, has none. */
export function withOutcome(answer: JsonObject): JsonObject {
  const { code } = answer;
  return code === 0 || code === 1 || code === 2 ? { ...answer, outcome: outcomes[code] } : answer;
}
