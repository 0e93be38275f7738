/** Many rounds of a quick function, which give way to the event loop every now and then. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A stored hash may ask for a thousand million rounds; nobody waits for that. */
export const mostRounds = 1_000_000;
/** Rounds between two looks at the event loop: about a millisecond. */
const roundsAtOnce = 500;

/** What `next` makes of `start`, called so many times. */
export async function stretch<T>(
  start: T,
  rounds: number,
  next: (result: T, round: number) => T,
): Promise<T> {
  let result = start;
  for (let round = 0; round < rounds; round += 1) {
    if (round % roundsAtOnce === roundsAtOnce - 1) await nextTurn();
    result = next(result, round);
  }
  return result;
}
