/** Reads and changes the records that the limits keep of users, one for each user and family. */
import type { Clock } from '../ports/clock.ts';
import type { Store, Update } from '../ports/store/store.ts';
import type { Family } from './limits-attempt.ts';
import type { DirectoryFailures } from './quotas.ts';
import type { UserKey } from './source.ts';
import { recordOf, type StateTerms, stateNow, type UserState } from './user-state.ts';

/** The user of a record, and the family that counts. */
export interface RecordOwner {
  readonly user: UserKey;
  readonly family: Family;
}

/** The records of users in the store, read as of now and changed atomically. */
export class UserRecords {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #directoryFailures: DirectoryFailures | undefined;

  constructor(store: Store, clock: Clock, directoryFailures: DirectoryFailures | undefined) {
    this.#store = store;
    this.#clock = clock;
    this.#directoryFailures = directoryFailures;
  }

  /** The present time, and the setting of the directory budget. */
  get terms(): StateTerms {
    return { now: this.#clock.now(), directoryFailures: this.#directoryFailures };
  }

  /** Reads the state of a user, and corrects a record that a clock ahead has written. */
  async read(owner: RecordOwner): Promise<UserState> {
    const { state, isAheadOfClock } = stateNow(await this.#store.get(userRecordKey(owner)), this.terms);
    if (isAheadOfClock) await this.change(owner, (corrected) => ({ state: corrected }));
    return state;
  }

  /** Changes the state of a user. @param decide a pure function, which may be called more than once */
  change<T extends { readonly state: UserState }>(
    owner: RecordOwner,
    decide: (state: UserState) => T,
  ): Promise<T> {
    return this.#store.update(userRecordKey(owner), (before): Update<T> => {
      const result = decide(stateNow(before, this.terms).state);
      return { result, after: recordOf(result.state, this.terms) };
    });
  }
}

/** The durable key of a user's record. */
export const userRecordKey = ({ user, family }: RecordOwner): string => `limits:${family}:${user}`;
