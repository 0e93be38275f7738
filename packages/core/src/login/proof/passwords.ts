/** Passwords of a login, asked of the directory: as many as it may be asked about (concepts.md §7, 9). */

import { whyNoLogin, wrongPassword } from '../../directory/bind-refusal.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Admission } from '../../limits/attempt.ts';
import type { Asker } from '../../ports/directory/directory.ts';
import type { StateBefore } from '../../ports/store/ledger.ts';
import type { Account } from '../account.ts';
import type { LoginContext } from '../context.ts';
import type { Reading } from '../credentials.ts';
import type { LoginView } from '../view.ts';

export interface AdmittedLogin {
  readonly account: Account;
  readonly context: LoginContext;
  readonly view: LoginView;
  readonly admission: Admission;
  /** What the store knew of its codes as it entered. */
  readonly known: StateBefore;
}

export interface TriedPasswords {
  /** The reading whose password is right, and logs in. */
  readonly right?: Reading;
  /** Logins that it is still good for, as it has expired. */
  readonly graceLogins?: number | undefined;
  /** For the event log. */
  readonly why: string;
  /** How many the directory found to be wrong. */
  readonly wrong: number;
  /** How many it was asked about. */
  readonly asked: number;
}

/** Whoever logs in from a known place comes first where passwords wait. */
export function askerOf({ context, admission }: Pick<AdmittedLogin, 'context' | 'admission'>): Asker {
  const { caller, signal } = context.asker;
  return { caller, signal, isKnown: admission.ground === 'known' };
}

/**
 * The reading whose password is right, tried in their order. Else `why`: of several readings one can be of a password
 * that has expired, and the others are wrong.
 */
export async function findRight(
  readings: readonly Reading[],
  admitted: AdmittedLogin,
): Promise<TriedPasswords> {
  const { account, view, admission } = admitted;
  const judging = { entry: account.entry, asker: askerOf(admitted) };
  let [why, wrong, asked] = [wrongPassword, 0, 0];
  try {
    for (const reading of readings) {
      if (wrong >= admission.passwordsLeft) return { why: 'the directory would lock the user', wrong, asked };
      const { password = '' } = reading;
      if (password === '') continue;
      asked += 1;
      const found = await view.server.authenticate(account.dn, password, judging);
      const fault = whyNoLogin(found);
      if (fault === undefined)
        return {
          right: reading,
          graceLogins: found.granted ? found.graceLogins : undefined,
          why,
          wrong,
          asked,
        };
      if (fault === wrongPassword) wrong += 1;
      else why = fault;
    }
  } catch (error) {
    throw cutShort(error, wrong);
  }
  return { why, wrong, asked };
}

/**
 * The same work for somebody who does not log in, whatever the password. Nothing is asked where there is none: the
 * directory would count what the limits do not.
 */
export async function tryInVain(
  dn: Dn,
  passwords: readonly string[],
  { admission, context, view }: Pick<AdmittedLogin, 'admission' | 'context' | 'view'>,
): Promise<Pick<TriedPasswords, 'wrong' | 'asked'>> {
  const asker = askerOf({ context, admission });
  let [wrong, asked] = [0, 0];
  try {
    for (const password of passwords.filter((one) => one !== '')) {
      if (asked >= admission.passwordsLeft) break;
      const { granted } = await view.server.authenticate(dn, password, { asker });
      asked += 1;
      if (!granted) wrong += 1;
    }
  } catch (error) {
    throw cutShort(error, asked);
  }
  return { wrong, asked };
}

/** The directory was asked about some of the passwords of an attempt, and then it failed. */
export class CutShort extends Error {
  override readonly cause: ServiceError;
  readonly passedOn: number;

  constructor(cause: ServiceError, passedOn: number) {
    super(cause.message);
    this.cause = cause;
    this.passedOn = passedOn;
  }
}

/** What is thrown where the directory fails. @param passedOn passwords that it was asked about before */
const cutShort = (error: unknown, passedOn: number): unknown =>
  passedOn > 0 && error instanceof ServiceError ? new CutShort(error, passedOn) : error;
