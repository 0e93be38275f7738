/** What an attempt has proved, before anything of it is used up. */
import type { CodeHolder, Factor, RightCode } from '../../authenticators/authenticator.ts';
import type { TriedCode } from '../../authenticators/code-verification.ts';
import type { ServiceError } from '../../foundation/errors/errors.ts';
import type { Judged } from '../../limits/attempter.ts';
import type { Account } from '../account/account.ts';

export type LoginProof = Failed | Asks | Right | Unended;

/** What the limits count beside how it ended. */
export type Counts = Omit<Judged, 'end'>;

/** It lets nobody in. */
export interface Failed {
  readonly kind: 'failed';
  /** For the log, never for the caller. */
  readonly why: string;
  readonly counts: Judged;
  /** Only a line in the log: anybody may do it as often as they like. */
  readonly isNoEvent?: boolean;
}

/** It could not be judged to its end: nobody's failure, but what the directory was asked before counts (§7, 9). */
export interface Unended {
  readonly kind: 'unended';
  readonly error: ServiceError;
  readonly passedOn: number;
}

/** All is right but the code, which has not come. */
export interface Asks {
  readonly kind: 'asks';
  readonly whose: Challenged;
  /** Where the code comes from; left out: only a FIDO2 device may answer. */
  readonly factor?: Factor | undefined;
  /** Credential ids of the devices that may answer, base64url; none: only a code may. */
  readonly devices?: readonly string[];
  /** Behind a right password. */
  readonly behind: boolean;
  /** See {@link Right.graceLogins}. */
  readonly graceLogins?: number | undefined;
  /** Wrong passwords that the directory was asked about. */
  readonly passedOn: number;
}

/** Whose code is waited for; of somebody who is not there, without the identifier of an entry. */
export type Challenged = Pick<CodeHolder, 'dn' | 'settings'> &
  Partial<Pick<Account, 'id' | 'channels' | 'entry' | 'tokens'>>;

/** It lets in, if what of it is good once only can be claimed. */
export interface Right {
  readonly kind: 'right';
  readonly account: Account;
  /** What was right before the code. */
  readonly first?: 'password' | 'certificate' | 'application password' | 'temporary password' | undefined;
  /** Logins that the password is still good for, as it has expired. */
  readonly graceLogins?: number | undefined;
  readonly code?: RightCode | undefined;
  /** The session of the challenge that the code answers. */
  readonly session?: string | undefined;
  /** Length of the code at the end of a text that holds both; else 0. */
  readonly concat: number;
  /** Wrong passwords that the directory was asked about before the right one. */
  readonly passedOn: number;
  /** What it counts where it is not granted after all. */
  readonly otherwise: Counts;
}

/** What else was shown has been judged; it all hangs on a code. */
export interface UntriedCode {
  readonly kind: 'untried';
  readonly code: string;
  /** The same, where it was tried beside the password. */
  readonly early?: { readonly tried: TriedCode } | undefined;
  /** Length of the code at the end of a text that holds both; else 0. */
  readonly concat: number;
  /** The password is right, or was when the challenge began. */
  readonly behind: boolean;
  /** See {@link Right.graceLogins}. */
  readonly graceLogins?: number | undefined;
  /** Wrong passwords that the directory was asked about before the right one. */
  readonly passedOn?: number | undefined;
  /** What is counted unless it is granted; left out: what was passed on. */
  readonly otherwise?: Counts | undefined;
  /** The session of the challenge that the code answers. */
  readonly session?: string;
}

/** A failure. @param counts what it was, where it was more than that */
export const failed = (why: string, counts: Counts = {}): Failed => ({
  kind: 'failed',
  why,
  counts: { end: 'failed', ...counts },
});

/** Nothing was looked at: it costs nobody anything, and anybody may do it as often as they like. */
export const unjudged = (why: string): Failed => ({
  ...{ kind: 'failed', why },
  ...{ counts: { end: 'neither' }, isNoEvent: true },
});
