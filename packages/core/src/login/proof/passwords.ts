/** Passwords of a login, asked of the directory: as many as it may be asked about (concepts.md §7, 9). */

import { whyNoLogin, wrongPassword } from '../../directory/bind-refusal.ts';
import type { Asker, Judging } from '../../directory/directory.ts';
import { ServiceError } from '../../errors/errors.ts';
import type { Admission } from '../../limits/attempter.ts';
import type { Dn } from '../../text/dn.ts';
import type { Account } from '../account/account.ts';
import type { Visit } from '../attempt/login-visit.ts';
import type { LoginView } from '../view.ts';
import type { Reading } from './readings.ts';

export interface AdmittedLogin {
  readonly account: Account;
  readonly visit: Visit;
  readonly view: LoginView;
  readonly admission: Admission;
}

export interface TriedPasswords {
  /** The reading whose password is right, and logs in. */
  readonly right?: Reading;
  /** For the event log. */
  readonly why: string;
  /** How many the directory found to be wrong. */
  readonly wrong: number;
  /** How many it was asked about. */
  readonly asked: number;
}

/** Whoever logs in from a known place comes first where passwords wait. */
export const askerOf = ({ visit, admission }: Pick<AdmittedLogin, 'visit' | 'admission'>): Asker => ({
  ...visit.asker,
  isKnown: admission.ground === 'known',
});

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
  for (const reading of readings) {
    if (wrong >= admission.passwordsLeft) return { why: 'the directory would lock the user', wrong, asked };
    const { password = '' } = reading;
    if (password === '') continue;
    asked += 1;
    const fault = await passwordFault(account.dn, password, { ...judging, view }).catch(cutShort(wrong));
    if (fault === undefined) return { right: reading, why, wrong, asked };
    if (fault === wrongPassword) wrong += 1;
    else why = fault;
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
  { admission, visit, view }: Omit<AdmittedLogin, 'account'>,
): Promise<Pick<TriedPasswords, 'wrong' | 'asked'>> {
  const asker = askerOf({ visit, admission });
  let [wrong, asked] = [0, 0];
  for (const password of passwords.filter((one) => one !== '')) {
    if (asked >= admission.passwordsLeft) break;
    asked += 1;
    const { granted } = await view.server.authenticate(dn, password, { asker }).catch(cutShort(asked - 1));
    if (!granted) wrong += 1;
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
const cutShort =
  (passedOn: number) =>
  (error: unknown): never => {
    throw passedOn > 0 && error instanceof ServiceError ? new CutShort(error, passedOn) : error;
  };

/** Undefined: it is right, and logs in. */
const passwordFault = async (
  dn: Dn,
  password: string,
  { view, ...judging }: Judging & { readonly view: Pick<LoginView, 'server'> },
): Promise<string | undefined> => whyNoLogin(await view.server.authenticate(dn, password, judging));
