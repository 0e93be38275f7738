/** What the store keeps of users, read as it is now and changed in one step. */
import type { Clock } from '../ports/clock.ts';
import type { Store, Update } from '../ports/store.ts';
import type { Family } from './attempter.ts';
import type { DirectoryFailures } from './kept/directory-budget.ts';
import { recordOf, type StateGround, stateNow, type UserState } from './kept/state.ts';
import type { UserKey } from './kept/words.ts';

export interface Who {
  readonly user: UserKey;
  readonly family: Family;
}

export class Users {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #directoryFailures: DirectoryFailures | undefined;

  constructor(store: Store, clock: Clock, directoryFailures: DirectoryFailures | undefined) {
    this.#store = store;
    this.#clock = clock;
    this.#directoryFailures = directoryFailures;
  }

  /** What is judged by now. */
  get ground(): StateGround {
    return { now: this.#clock.now(), directoryFailures: this.#directoryFailures };
  }

  async read(who: Who): Promise<UserState> {
    const { state, isAhead } = stateNow(await this.#store.get(keyOf(who)), this.ground);
    if (isAhead) await this.change(who, (corrected) => ({ state: corrected }));
    return state;
  }

  change<T extends { readonly state: UserState }>(who: Who, change: (state: UserState) => T): Promise<T> {
    return this.#store.update(keyOf(who), (before): Update<T> => {
      const result = change(stateNow(before, this.ground).state);
      return { result, after: recordOf(result.state, this.ground) };
    });
  }
}

const keyOf = ({ user, family }: Who): string => `limits:${family}:${user}`;
