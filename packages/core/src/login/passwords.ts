/** Passwords of a login: those of the directory, within its budget (docs/concepts/limits.md#directory-budget), and those that stand in for all factors. */

import {
  isAppPassword,
  isInForce,
  isTemporary,
  readAppKey,
  readTemporary,
} from '../authenticators/app-passwords.ts';
import { whyNoLogin, wrongPassword } from '../directory/bind-refusal.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Dn } from '../foundation/text/dn.ts';
import type { Admission } from '../limits/limits-attempt.ts';
import type { Entry } from '../ports/directory/directory.ts';
import type { KeyState } from '../ports/store/ledger.ts';
import type { Account } from './account.ts';
import type { LoginContext } from './context.ts';
import type { Reading, SecretCredentials } from './credentials.ts';
import type { Right, Unfinished } from './verdict.ts';
import type { LoginView } from './view.ts';

/** An attempt that the limits have admitted. */
export interface AdmittedAttempt {
  readonly loginContext: LoginContext;
  readonly view: LoginView;
  readonly admission: Admission;
}

export interface AdmittedLogin extends AdmittedAttempt {
  readonly account: Account;
  /** The state of its codes in the store at admission. */
  readonly known: KeyState;
}

export interface TriedPasswords {
  /** The reading whose password is right, and logs in. */
  readonly right?: Reading;
  /** Logins that the password is still good for, as it has expired. */
  readonly graceLogins?: number | undefined;
  /** The directory failed after some passwords. */
  readonly unfinished?: Unfinished;
  /** The reason for the audit entry: one reading may be an expired password while the others are wrong. */
  readonly why: string;
  /** Passwords that the directory found to be wrong. */
  readonly wrong: number;
  /** Passwords that the directory was asked about. */
  readonly asked: number;
}

/**
 * Asks the directory about the passwords of the readings, in their order, until one is right.
 * @param user without an entry: a decoy, whose refusals all count as wrong passwords
 * @throws ServiceError `unavailable` where it failed at the first
 */
export async function tryPasswords(
  readings: readonly Reading[],
  { dn, entry }: { readonly dn: Dn; readonly entry?: Entry },
  { loginContext, view, admission }: AdmittedAttempt,
): Promise<TriedPasswords> {
  // Logins from a known source come first where passwords wait.
  const { caller, signal } = loginContext.requester;
  const requester = { caller, signal, isKnown: admission.scope === 'known' };
  let [why, wrong, asked] = [wrongPassword, 0, 0];
  try {
    for (const reading of readings) {
      if (asked >= admission.passwordsLeft) return { why: 'the directory would lock the user', wrong, asked };
      // The directory would count an empty password, which the limits do not.
      if (!reading.password) continue;
      asked += 1;
      const answer = await view.server.authenticate(dn, reading.password, { entry, requester });
      const fault = whyNoLogin(answer);
      const graceLogins = answer.granted ? answer.graceLogins : undefined;
      if (fault === undefined) return { right: reading, graceLogins, why, wrong, asked };
      if (fault === wrongPassword || !entry) wrong += 1;
      else why = fault;
    }
  } catch (error) {
    // The last one has no answer. Those before count, right ones that log in no user too.
    const budgetSpent = asked - 1;
    if (budgetSpent === 0 || !(error instanceof ServiceError)) throw error;
    return { unfinished: { kind: 'unfinished', error, budgetSpent }, why, wrong, asked };
  }
  return { why, wrong, asked };
}

/**
 * Finds the password that stands in for all factors: of one client (AppKey), or for a while (TmpKey). It is judged before the
 * directory is asked; a text that is none of them is what it would be without them.
 */
export function standInPassword(
  { secrets }: SecretCredentials,
  { account, loginContext, view: { clock }, admission }: AdmittedLogin,
): Right['first'] {
  // One password is not enough where a caller demands more than the policy, or in a lockout.
  if (admission.kind === 'combined' || account.isRaised || account.clientMode === 'step_up') return undefined;
  const text = 'anyPassword' in secrets ? secrets.anyPassword : (secrets.password ?? secrets.otp);
  if (!text) return undefined;
  const { data } = account;
  const { request, policy } = loginContext;
  const client = request.demand?.isByPerson ? undefined : policy.surely;
  const appKey = client === undefined ? undefined : readAppKey(data);
  const now = clock.now();
  if (appKey && client !== undefined && isInForce(appKey, now) && isAppPassword(text, client, appKey))
    return 'application password';
  const temporary = readTemporary(data);
  return temporary && isInForce(temporary, now) && isTemporary(text, temporary)
    ? 'temporary password'
    : undefined;
}
