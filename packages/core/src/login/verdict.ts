/** The verdict of an attempt: what it has proved, before anything of it is claimed. */
import type { Factor, RightCode } from '../authenticators/authenticator.ts';
import type { CodeCheckResult } from '../authenticators/code-verification.ts';
import { usableDevices } from '../authenticators/device.ts';
import { factorOf, presetFactor } from '../authenticators/user-authenticators.ts';
import type { ServiceError } from '../foundation/errors/errors.ts';
import type { AttemptResult } from '../limits/limits-attempt.ts';
import type { PreparedMessage } from '../messaging/prepared-message.ts';
import { read } from '../table/setting.ts';
import type { Account } from './account.ts';
import type { Challenged } from './challenge.ts';
import type { Wanted } from './credentials.ts';
import type { LoginOutcome } from './request.ts';
import { loginSettings } from './settings.ts';
import type { LoginView } from './view.ts';

export type Verdict = Failed | Unfinished | ChallengeDue | Right;

/** The counts of the limits beside how the attempt ended. */
export type Counts = Omit<AttemptResult, 'end'>;

/** The attempt is refused. */
export interface Failed {
  readonly kind: 'failed';
  /** Reason for the log, never for the caller. */
  readonly why: string;
  readonly result: AttemptResult;
  /** Only a line in the log: a stranger may cause it without a limit. */
  readonly isNoEvent?: boolean;
}

/** The directory failed after it was asked about passwords: no failure of the user, but those passwords spend the directory budget. */
export interface Unfinished {
  readonly kind: 'unfinished';
  readonly error: ServiceError;
  readonly budgetSpent: number;
}

/** Login that lacks only the second factor: a challenge for it is due. */
export interface ChallengeDue {
  readonly kind: 'challenge';
  readonly of: Challenged;
  /** The source of the code. Optional; default: only a FIDO2 device may answer. */
  readonly factor?: Factor | undefined;
  /** Credential ids of the devices that may answer, base64url; none: only a code may. */
  readonly devices: readonly string[];
  readonly afterPassword: boolean;
  /** See {@link Right.graceLogins}. */
  readonly graceLogins?: number | undefined;
  /** Wrong passwords that the directory was asked about. */
  readonly budgetSpent: number;
}

/** The attempt is granted if what it uses once can be claimed. */
export interface Right {
  readonly kind: 'right';
  readonly account: Account;
  /** The factor that was right before the code. */
  readonly first?: 'password' | 'certificate' | 'application password' | 'temporary password' | undefined;
  /** Logins that the password is still good for, as it has expired. */
  readonly graceLogins?: number | undefined;
  readonly code?: RightCode | undefined;
  /** The session of the challenge that the code answers. */
  readonly session?: string | undefined;
  /** Length of the code at the end of a text that holds both; else 0. */
  readonly concat: number;
  /** Wrong passwords that the directory was asked about before the right one. */
  readonly budgetSpent: number;
  /** The counts of the attempt if another login claims the code first. */
  readonly ifClaimLost: Counts;
}

/** A failure. @param counts beside that it failed */
export const failed = (why: string, counts: Counts = {}): Failed => ({
  kind: 'failed',
  why,
  result: { end: 'failed', ...counts },
});

/** Nothing was judged: it counts for no user, and a stranger may cause it without a limit. */
export const unjudged = (why: string): Failed => ({
  ...{ kind: 'failed', why },
  ...{ result: { end: 'neither' }, isNoEvent: true },
});

/** An answer without a code. */
export const noCode = unjudged('no code');

/** A failure that costs its source one token and counts for no user: a certificate guesses nothing. */
export const sourceOnly = (why: string): Failed => failed(why, { costsSourceOnly: true });

/** A login that is complete without a code. */
export const rightWithout = (
  account: Account,
  first: Right['first'],
  { graceLogins, budgetSpent = 0 }: Partial<Pick<Right, 'graceLogins' | 'budgetSpent'>> = {},
): Right => ({
  kind: 'right',
  account,
  first,
  graceLogins,
  concat: 0,
  budgetSpent,
  ifClaimLost: { budgetSpent },
});

/** The terms under which a code was tried. */
export interface CodeTerms {
  readonly account: Account;
  readonly afterPassword: boolean;
  readonly concat: number;
  readonly session?: string | undefined;
  readonly graceLogins?: number | undefined;
  readonly budgetSpent?: number | undefined;
  /** Left out: the passwords that were passed on. */
  readonly ifClaimLost?: Counts | undefined;
}

/** A wrong code is a partial success after a right password, and counts as such where no password is wanted. */
export function codeVerdict(
  tried: CodeCheckResult,
  {
    account,
    afterPassword,
    concat,
    session,
    graceLogins,
    budgetSpent = 0,
    ifClaimLost = { budgetSpent },
  }: CodeTerms,
): Failed | Right {
  if (tried.right) {
    const first = afterPassword ? 'password' : undefined;
    const { right: code } = tried;
    return { kind: 'right', account, first, graceLogins, code, session, concat, budgetSpent, ifClaimLost };
  }
  const why = `${afterPassword ? 'password right, ' : ''}${tried.why}`;
  return failed(why, { isPartialSuccess: true, wrongCodes: tried.wrong, ...ifClaimLost });
}

/** The challenge for the wanted factors that the user has. */
export function challengeFor(
  { code, device }: Wanted,
  { account, view }: { readonly account: Account; readonly view: Pick<LoginView, 'clock' | 'config'> },
  terms: Pick<ChallengeDue, 'afterPassword' | 'graceLogins' | 'budgetSpent'>,
): Failed | ChallengeDue {
  const { afterPassword, budgetSpent } = terms;
  const factor = code ? factorOf(account, view) : undefined;
  const isAsked = device && view.config.relying_party !== undefined;
  const devices = isAsked ? usableDevices(account.data).map(({ id }) => id) : [];
  if (!factor && devices.length === 0) return failed('the user has no second factor', { budgetSpent });
  if (!read(account.settings, loginSettings.ChallengeMode))
    return failed(`${afterPassword ? 'password right, ' : ''}${noChallenge}`, { budgetSpent });
  return { kind: 'challenge', of: account, factor, devices, ...terms };
}

const noChallenge = 'no code, and nobody is to be asked for it';

/**
 * The challenge where a code alone is wanted. It is begun for every name, so that it shows neither which users exist nor who has an
 * authenticator.
 */
export const challengeAlone = (
  of: Challenged,
  factor: Factor = presetFactor(of.settings),
): Failed | ChallengeDue =>
  read(of.settings, loginSettings.ChallengeMode)
    ? { kind: 'challenge', of, factor, devices: [], afterPassword: false, budgetSpent: 0 }
    : failed(noChallenge);

/** The ending of an attempt: the answer to the caller, the counts of the limits, the words of the log. */
export interface LoginEnding {
  /** An error: the login could not be judged to its end, and the caller gets nothing else. */
  readonly outcome: LoginOutcome | ServiceError;
  readonly result: AttemptResult;
  /** The text of the audit entry: `granted by password and TOKEN`. */
  readonly text: string;
  /** Only a line in the log: nothing was presented, and a stranger may cause it without a limit. */
  readonly isNoEvent?: boolean;
  /** The message that is sent once all of it is durable. */
  readonly prepared?: Pick<PreparedMessage, 'id' | 'channel'>;
  /** The answer is delayed, so that its time does not show what was searched. */
  readonly isDelayed?: boolean;
}
