/** What the limits are asked, and what they are told: the words between them and whoever judges. */

import type { BucketRule } from '../foundation/locks/token-bucket.ts';
import type { AuditEvent } from '../ports/event-log/event-log.ts';
import type { Changes, KeptState, State, TimedValue } from '../ports/store/ledger.ts';
import type { Happening } from './limit-events.ts';
import type { RefusalRules } from './lockout.ts';
import type { DirectoryFailures } from './quotas.ts';
import type { Place, UserKey } from './source.ts';

/** A code that was tried and is wrong. */
export interface WrongCode {
  /** Stands for the secret of the authenticator. */
  readonly key: string;
  /** The password with it was right. */
  readonly behind: boolean;
}

/** Rule 8: the Manager has counters of its own. */
export type Family = 'web' | 'manager';

/** Who wants to be judged. */
export interface Attempter {
  readonly family: Family;
  readonly user: UserKey;
  /** Of a challenge's answer, where it began. */
  readonly place: Place;
  readonly rules: RefusalRules;
  /** What it would try alone, without a right password before it (rule 6). */
  readonly alone: { readonly password: boolean; readonly codes: readonly string[] };
  /** Keys in the ledger that it is judged by: what stands there is read in the step in which it enters. */
  readonly reads?: readonly string[] | undefined;
  /** What else it settles later: a ledger that is far away reads it in the same step, and is not asked for it again. */
  readonly foreseen?: readonly string[] | undefined;
  /** Aborted when nobody waits for the answer any more: it leaves its place to others, and is not judged. */
  readonly gone?: AbortSignal | undefined;
  /** What of it is judged as a whole under a refusal (rule 5). */
  readonly together: Togetherness;
  /**
   * Rule 8. `administrator`: who checks passwords, and is counted apart. `super`: a super administrator at an address
   * of `manager_clients`, who is delayed and never refused. Both have the place as a ground of their own.
   */
  readonly as?: 'administrator' | 'super' | undefined;
}

/**
 * `nothing`: a single factor. `both`: a password and a code in one request, or a certificate. `answer`: the answer to a
 * challenge behind a right password, passed on by the caller that began it; `begun` in milliseconds since 1970.
 */
export type Togetherness = 'nothing' | 'both' | { readonly answer: { readonly begun: number } };

/** How an attempt may be judged. */
export interface Admission {
  /** `together`: only as a whole, with what the mode ignores; nothing but a grant tells what was right. */
  readonly kind: 'alone' | 'together';
  readonly ground: 'known' | 'strangers';
  /** Whatever is right, it fails, as if all of it were wrong: nobody is told that the allowance has ended (rule 3). */
  readonly isInVain: boolean;
  /** Rule 9: how many wrong passwords may still be passed on to the directory. */
  readonly passwordsLeft: number;
}

/** What came of an attempt that was judged. */
export interface Judged {
  /** `neither`: code 2, and what could not be judged. */
  readonly end: 'granted' | 'failed' | 'neither';
  /** Rule 3: right password and wrong code, or the reverse; a wrong code where no password is wanted. */
  readonly isHalfRight?: boolean;
  /** Rule 6: how many passwords the text was read as, all of them wrong. */
  readonly wrongPasswords?: number;
  readonly wrongCodes?: readonly WrongCode[];
  /** Rule 9: wrong ones that the directory was asked about, whatever came of the attempt; right ones too where they let nobody in. */
  readonly passedOn?: number;
  /** Rule 7: what a full success used: `password`, and keys of codes. */
  readonly used?: readonly string[];
  /** A certificate guesses nothing: its failure costs the place one, and nobody else. */
  readonly costsPlaceOnly?: boolean;
}

export interface Refused {
  readonly kind: 'refused';
  /** The longest of what is in force; undefined: until an administrator ends it. */
  readonly secondsLeft: number | undefined;
  /** For the log, never for the caller. */
  readonly why: string;
}

/** An attempt that is past all limits: it has the user lock until it is committed or left. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly attempter: Attempter;
  readonly admission: Admission;
  /** The values of {@link Attempter.reads} at admission. */
  readonly known: KeptState;
  /** The key of the user's record. */
  readonly record: string;
  /** The known source, or all unknown sources together. */
  readonly scope: string;
  /** The lockout that the attempt is judged under: a failure is answered as that is. */
  readonly refusal?: Refused | undefined;
  /** The source has no token left and none under way: a user who is unknown there would have been refused. */
  readonly sourceExhausted: boolean;
  readonly lock: UserLock;
  /** Rules of the tokens that were taken. */
  readonly tokens: readonly BucketRule[];
  /** The setting `directory_failures`. */
  readonly directoryFailures?: DirectoryFailures | undefined;
}

export interface UserLock {
  readonly key: string;
  /** Distinguishes the lock from all others. */
  readonly owner: string;
}

/** An attempt after its commit. */
export interface Counted {
  /** Set where a failure is answered as a lockout or a rate limit. */
  readonly refusal?: Refused | undefined;
  readonly happened: readonly Happening[];
  /** Events that were not known when the rest was recorded. */
  readonly late: readonly Happening[];
}

/** The possible outcomes of an attempt. `decide` and `report` are pure: a ledger may call them more than once. */
export interface Decision<U extends Upshot, R extends Reported> {
  /** Durable keys that `decide` reads or changes, beside those of the limits. */
  readonly keys: readonly string[];
  readonly possible: readonly Judged[];
  decide(found: State): U;
  /** @param happened events of the limits */
  report(upshot: U, happened: readonly Happening[]): readonly R[];
}

export interface Upshot extends Pick<Changes<unknown>, 'claims'> {
  readonly values?: ReadonlyMap<string, TimedValue | null> | undefined;
  /** One of those that were possible. Undefined: nothing was judged after all, and nothing is written. */
  readonly counts?: Judged | undefined;
}

/** A decision that is known already, and that records nothing. */
export const judgedAs = (counts: Judged): Decision<Upshot, Reported> => ({
  ...{ keys: [], possible: [counts] },
  ...{ decide: () => ({ counts }), report: () => [] },
});

export interface Reported {
  /** Left out: a line in the log only. */
  readonly event?: AuditEvent | undefined;
}

/** An attempt whose outcome is durable. */
export interface SettledAttempt<U, R> extends Counted {
  readonly upshot: U;
  readonly reports: readonly R[];
}
