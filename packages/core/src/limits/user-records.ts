/** Records of users in the store: read as of now, and changed in one step. */
import type { Clock } from '../ports/clock.ts';
import type { Store, Update } from '../ports/store/store.ts';
import type { Family } from './limits-attempt.ts';
import type { DirectoryFailures } from './quotas.ts';
import type { UserKey } from './source.ts';
import { recordOf, type StateTerms, stateNow, type UserState } from './user-state.ts';

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

  /** The moment, and the setting of the directory budget. */
  get terms(): StateTerms {
    return { now: this.#clock.now(), directoryFailures: this.#directoryFailures };
  }

  async read(who: Who): Promise<UserState> {
    const { state, isAhead } = stateNow(await this.#store.get(userRecordKey(who)), this.terms);
    if (isAhead) await this.change(who, (corrected) => ({ state: corrected }));
    return state;
  }

  change<T extends { readonly state: UserState }>(who: Who, change: (state: UserState) => T): Promise<T> {
    return this.#store.update(userRecordKey(who), (before): Update<T> => {
      const result = change(stateNow(before, this.terms).state);
      return { result, after: recordOf(result.state, this.terms) };
    });
  }
}

/** The durable key of a user's record. */
export const userRecordKey = ({ user, family }: Who): string => `limits:${family}:${user}`;
