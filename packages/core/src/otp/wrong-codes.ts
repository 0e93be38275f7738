/**
 * Wrong codes in a row of one authenticator: a token, a printed list, an emergency password (concepts.md §7, 6). All of
 * them are counted, whoever asks and in whatever mode, and apart from them those that stood behind a right password.
 */
import type { Store } from '../ports/store.ts';
import { claimSeconds } from './token.ts';

/** After so many, an authenticator is not tried alone; after so many behind right passwords, not at all. */
export const mostWrongCodes = 100;

/**
 * A node judges one code of a user at a time. So it is enough to look at the count as long as there are more guesses
 * left than an installation has nodes; the last ones are taken before they are judged.
 */
const takenAtTheEnd = 20;

/** A code that is about to be compared with those of an authenticator. */
export interface Guess {
  /** It is none of them. @returns how many wrong ones there are now, of those that come this way */
  fail(): Promise<number>;
  /** It is one of them, or one of another authenticator. */
  spare(): Promise<void>;
}

/**
 * @param key stands for the secret of the authenticator, see {@link tokenKey}
 * @param behind the code stands behind a right password
 * @returns undefined: it is not to be tried this way
 */
export async function beginGuess(key: string, behind: boolean, store: Store): Promise<Guess | undefined> {
  const counter = counterOf(key, behind);
  const wrong = await add(counter, 0, store);
  if (wrong >= mostWrongCodes) return undefined;
  const limited = { by: 1, limit: mostWrongCodes, seconds: claimSeconds };
  const isNear = wrong >= mostWrongCodes - takenAtTheEnd;
  const taken = isNear ? await store.count(counter, limited) : undefined;
  if (isNear && taken === undefined) return undefined;
  return {
    fail: async () => {
      const counting = behind ? add(counterOf(key, false), 1, store) : undefined;
      const [reached] = await Promise.all([taken ?? add(counter, 1, store), counting]);
      return reached;
    },
    spare: async () => {
      if (taken !== undefined) await add(counter, -1, store);
    },
  };
}

/** Whether it is tried only behind a right password any more. */
export async function isClosedAlone(key: string, store: Store): Promise<boolean> {
  return (await add(counterOf(key, false), 0, store)) >= mostWrongCodes;
}

/** By a right code, or by an administrator. */
export async function forgetWrongCodes(key: string, store: Store): Promise<void> {
  const counters = [counterOf(key, false), counterOf(key, true)];
  const counts = await Promise.all(counters.map((counter) => add(counter, 0, store)));
  await Promise.all(
    counters.filter((_, index) => counts[index] !== 0).map((counter) => store.remove(counter)),
  );
}

const add = async (counter: string, by: number, store: Store): Promise<number> =>
  (await store.count(counter, { by, seconds: claimSeconds })) ?? mostWrongCodes;

const counterOf = (key: string, behind: boolean): string => `${behind ? 'wrong-behind' : 'wrong'}:${key}`;
