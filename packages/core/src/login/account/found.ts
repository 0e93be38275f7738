/** What is found of who wants to log in: an account, or why there is none. */

import type { OpenMode } from '../../administration/policy/client-mode.ts';
import type { CodeUser } from '../../authenticators/authenticator.ts';
import type { Domain } from '../../directory/domain.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { RefusalRules } from '../../limits/refusal.ts';
import type { Entry } from '../../ports/directory/directory.ts';

export interface Account extends CodeUser {
  /** Where it is kept when the user has logged in, see last-login.ts. */
  readonly lastLoginKey: string;
  /** As it was read for this login. */
  readonly entry: Entry;
  readonly domain: Domain;
  /** A caller who may only ask for more has done so: no option leaves that out again. */
  readonly isRaised: boolean;
  /** Settings of the request that had no effect, for the log. */
  readonly ignored: readonly string[];
  /** What the client's policy makes of the login mode. */
  readonly clientMode: OpenMode;
  /** Those of administrators: of neither the client's policy nor the request. */
  readonly rules: RefusalRules;
}

/**
 * An account, or why there is none that may log in: for the log, never for the caller. Somebody who is not there
 * has a DN all the same, whose password is tried and whose failures are counted.
 */
export type Found =
  | { readonly account: Account; readonly dn: Dn }
  | (Absent & { readonly account?: undefined });

export interface Absent {
  readonly dn: Dn;
  /** There is no such user, and `dn` is nobody's. */
  readonly isNobody?: boolean;
  readonly why: string;
  readonly rules: RefusalRules;
  /** What would be in force for a user who has nothing of its own; left out: nobody logs in from there. */
  readonly preset?: Preset | undefined;
}

export type Preset = Pick<Account, 'settings' | 'clientMode' | 'isRaised' | 'ignored'>;

/** Before it is known what would be in force. */
export type MissingAccount = Omit<Absent, 'rules' | 'preset'> &
  Partial<Pick<Absent, 'rules'>> & { readonly account?: undefined };

export type FoundOrMissing = Exclude<Found, Absent> | MissingAccount;
