/** The types between the limits and the login: an attempt, its admission, its counts. */

import type { BucketRule } from '../foundation/locks/token-bucket.ts';
import type { AuditEvent } from '../ports/event-log/event-log.ts';
import type { CommitChanges, KeyState, StepState, TimedValue } from '../ports/store/ledger.ts';
import type { LimitEvent } from './limit-events.ts';
import type { LockoutRules } from './lockout.ts';
import type { DirectoryFailures } from './quotas.ts';
import type { Source, UserKey } from './source.ts';

/** A wrong code, and the authenticator that it was tried with. */
export interface WrongCode {
  /** The key of the authenticator. */
  readonly key: string;
  /** Whether the code came after a right password. */
  readonly afterPassword: boolean;
}

/** A set of counters: the web services and the Manager have one each. */
export type Family = 'web' | 'manager';

/** An attempt to log in, as the limits see it. */
export interface LimitsAttempt {
  readonly family: Family;
  readonly user: UserKey;
  /** The source; of an answer to a challenge, that of the beginning. */
  readonly source: Source;
  readonly rules: LockoutRules;
  /** The authenticators that the attempt would try without a right password before. */
  readonly single: { readonly password: boolean; readonly codes: readonly string[] };
  /** Durable keys that the proof needs: read at admission. */
  readonly reads?: readonly string[] | undefined;
  /** Durable keys that the commit will need: a prefetch, for a ledger that is far away. */
  readonly prefetch?: readonly string[] | undefined;
  /** Aborted when the client has disconnected: the attempt is not judged. */
  readonly signal?: AbortSignal | undefined;
  /** The credentials that are judged as a combined proof during a lockout. */
  readonly combined: CombinedCredentials;
  /**
   * `administrator`: an administrator who checks a user's password, and is counted apart. `super`: a super administrator at an address
   * of `manager_clients`, who is delayed and never refused. Both have the source as a scope of its own.
   */
  readonly as?: 'administrator' | 'super' | undefined;
}

/**
 * `none`: a single factor. `both`: a password and a code in one request, or a certificate. `answer`: the answer to a
 * challenge after a right password, passed on by the caller that began it; `begun` in milliseconds since 1970.
 */
export type CombinedCredentials = 'none' | 'both' | { readonly answer: { readonly begun: number } };

/** The terms under which an admitted attempt is judged. */
export interface Admission {
  /** `combined`: as a combined proof, with what the mode ignores. Only a grant shows what was right. */
  readonly kind: 'separate' | 'combined';
  readonly scope: 'known' | 'unknown';
  /** The attempt fails whatever is presented: the end of the daily quota is hidden. */
  readonly isDoomed: boolean;
  /** Wrong passwords that may still reach the directory. */
  readonly passwordsLeft: number;
}

/** The counts of an attempt that was judged. */
export interface AttemptResult {
  /** `neither`: a challenge, or an attempt that could not be judged. */
  readonly end: 'granted' | 'failed' | 'neither';
  /** A right password and a wrong code, or the reverse; a wrong code where no password is wanted. */
  readonly isPartialSuccess?: boolean;
  /** Passwords that the text was read as, all of them wrong. */
  readonly wrongPasswords?: number;
  readonly wrongCodes?: readonly WrongCode[];
  /** Wrong passwords that reached the directory, whatever the outcome; right ones too where they log in no user. */
  readonly budgetSpent?: number;
  /** The authenticators of a full success: `password`, and keys of codes. */
  readonly used?: readonly string[];
  /** The failure costs the source one token, and counts for no user: a certificate guesses nothing. */
  readonly costsSourceOnly?: boolean;
}

/** A refusal by the limits. */
export interface Refused {
  readonly kind: 'refused';
  /** Seconds until the longest refusal in force ends; undefined: until an administrator ends it. */
  readonly secondsLeft: number | undefined;
  /** The reason, for the log and never for the caller. */
  readonly why: string;
}

/** An attempt that is past all limits: it has the user lock until it is committed or left. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly attempt: LimitsAttempt;
  readonly admission: Admission;
  /** The values of {@link LimitsAttempt.reads} at admission. */
  readonly snapshot: KeyState;
  /** The key of the user's record. */
  readonly recordKey: string;
  /** The known source, or all unknown sources together. */
  readonly scopeId: string;
  /** The lockout that the attempt is judged under: a failure is answered as that is. */
  readonly refusal?: Refused | undefined;
  /** The source has no token left and none under way: a user who is unknown there would have been refused. */
  readonly sourceExhausted: boolean;
  readonly lock: UserLock;
  /** Rules of the tokens that were taken in this scope. */
  readonly tokens: readonly BucketRule[];
  /** Rules of the tokens that were taken in a scope before: they are returned, whatever the outcome. */
  readonly kept?: readonly BucketRule[];
  /** The setting `directory_failures`. */
  readonly directoryFailures?: DirectoryFailures | undefined;
}

export interface UserLock {
  readonly key: string;
  /** Distinguishes the lock from all others. */
  readonly owner: string;
}

/** An attempt after its commit. */
export interface CommitResult {
  /** Set where a failure is answered as a lockout or a rate limit. */
  readonly refusal?: Refused | undefined;
  readonly happened: readonly LimitEvent[];
  /** Events that were not known when the rest was recorded. */
  readonly unrecorded: readonly LimitEvent[];
}

/** The possible outcomes of an attempt. `decide` and `report` are pure: a ledger may call them more than once. */
export interface PossibleOutcomes<U extends AttemptOutcome, R extends Reported> {
  /** Durable keys that `decide` reads or changes, beside those of the limits. */
  readonly keys: readonly string[];
  readonly possible: readonly AttemptResult[];
  decide(found: StepState): U;
  /** @param happened events of the limits */
  report(outcome: U, happened: readonly LimitEvent[]): readonly R[];
}

export interface AttemptOutcome extends Pick<CommitChanges<unknown>, 'claims'> {
  readonly values?: ReadonlyMap<string, TimedValue | null> | undefined;
  /** One of those that were possible. Undefined: nothing was judged after all, and nothing is written. */
  readonly result?: AttemptResult | undefined;
}

/** A decision that is known already, and that records nothing. */
export const outcomeOf = (result: AttemptResult): PossibleOutcomes<AttemptOutcome, Reported> => ({
  ...{ keys: [], possible: [result] },
  ...{ decide: () => ({ result }), report: () => [] },
});

export interface Reported {
  /** Left out: a line in the log only. */
  readonly event?: AuditEvent | undefined;
}

/** An attempt whose outcome is durable. */
export interface CommittedAttempt<U, R> extends CommitResult {
  readonly outcome: U;
  readonly reports: readonly R[];
}
