/** Rule 10: a block by an administrator refuses the user everywhere, rule 5 too, and forgets the known places. */
import { type UserState, withoutForgotten } from './kept/state.ts';

/** @param seconds left out: until it is reset */
export const blocked = (state: UserState, seconds: number | undefined, now: number): UserState => ({
  ...state,
  known: [],
  grounds: withoutForgotten(state.grounds, state.known, []),
  block: { start: now, length: seconds === undefined ? null : seconds * 1000 },
});

/** Ends the block, and all of rules 2, 3 and 6. What is known stays known; the directory's lock-out is its own. */
export const reset = ({ known, budget }: UserState): UserState => ({
  known,
  grounds: {},
  wrongPasswords: 0,
  ...(budget && { budget }),
});

/** Breaking glass: that of the directory's lock-out (rule 9) as well. */
export const released = ({ known }: UserState): UserState => ({ known, grounds: {}, wrongPasswords: 0 });
