/** What the limits are asked, and what they are told: the words between them and whoever judges. */

import type { AuditEvent } from '../ports/event-log/event-log.ts';
import type { LedgerChanges, StateBefore } from '../ports/store/ledger.ts';
import type { Happening } from './kept/events.ts';
import type { Place, UserKey } from './kept/users-and-places.ts';
import type { RefusalRules } from './refusal.ts';

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

/** What an attempt that was judged has come to. */
export interface Counted {
  /** It was judged under a refusal: a failure is answered as the refusal is. */
  readonly refusal?: Refused | undefined;
  readonly happened: readonly Happening[];
  /** Those of them that were not known when the rest went on record. */
  readonly late: readonly Happening[];
}

/*
 * What it comes to. What an attempt claims, what the limits count and what is told of it are one step in the ledger. Of all
 * who show one code one is granted, so its upshot is known within that step only.
 */

/** What an attempt may come to. `decide` and `report` are pure: a ledger may call them more than once. */
export interface Decision<U extends Upshot, R extends Reported> {
  /** Keys in the ledger that it goes by, beside those of the limits. */
  readonly keys: readonly string[];
  /** All that it may be judged to be. */
  readonly possible: readonly Judged[];
  decide(found: StateBefore): U;
  /** What goes on record. @param happened what the limits make of it */
  report(upshot: U, happened: readonly Happening[]): readonly R[];
  /** Called once all of it is durable, whatever fails after that: what is on record is told elsewhere, too. */
  tell(reports: readonly R[]): void;
}

export interface Upshot extends LedgerChanges {
  /** One of those that were possible. Undefined: there is nothing to judge after all, and nothing is written. */
  readonly counts?: Judged | undefined;
}

/** Of what is known already, and of which nothing goes on record. */
export const judgedAs = (counts: Judged): Decision<Upshot, Reported> => ({
  ...{ keys: [], possible: [counts] },
  ...{ decide: () => ({ counts }), report: () => [], tell: () => {} },
});

export interface Reported {
  /** Left out: it is no event. */
  readonly event?: AuditEvent | undefined;
}

/** An attempt that has upshot: all of it is durable. */
export interface SettledAttempt<U> extends Counted {
  readonly upshot: U;
}
