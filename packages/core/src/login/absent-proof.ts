/**
 * Judges attempts that must fail whatever is presented: of users who do not exist or may not log in, and of users whose daily quota is
 * used up (a doomed attempt). It takes the steps of a login of a user without own settings, so that response and time show no difference
 * (docs/concepts/login.md#decoy).
 */
import type { Factor } from '../authenticators/authenticator.ts';
import { factorOf } from '../authenticators/user-authenticators.ts';
import { decoyUser } from '../directory/entry/user.ts';
import type { Dn } from '../foundation/text/dn.ts';
import { tooManyPartialSuccesses } from '../limits/admission-rules.ts';
import type { Absent } from './account.ts';
import {
  codeOnly,
  type LoginCredentials,
  readSecrets,
  type SecretCredentials,
  type Wanted,
  wantedFactors,
  wholeReadings,
} from './credentials.ts';
import { type AdmittedAttempt, type AdmittedLogin, tryPasswords } from './passwords.ts';
import { challengeAlone, failed, noCode, sourceOnly, type Verdict } from './verdict.ts';

/** An attempt that fails whatever is presented. */
export interface DecoyAttempt extends Pick<Absent, 'dn' | 'reason' | 'defaults'> {
  /** The user of the challenge that begins if the login mode asks every user for a code. */
  readonly challenged: Dn;
  readonly factor?: Factor | undefined;
  /** Whether the user exists, and only the daily quota is used up: the caller does not learn it. */
  readonly isDoomed: boolean;
}

/** Makes the attempt of a user who does not exist or may not log in. */
export const decoyOfAbsent = ({ dn, reason, defaults }: Absent): DecoyAttempt => ({
  ...{ dn, reason, defaults },
  ...{ challenged: dn, isDoomed: false },
});

/** Makes the attempt of a user whose daily quota is used up. Its challenge is for the user: an administrator may lift the quota before the answer. */
export const decoyOfDoomed = ({ account, view }: Pick<AdmittedLogin, 'account' | 'view'>): DecoyAttempt => ({
  dn: decoyUser(account.domain.base, account.dn.format()),
  reason: tooManyPartialSuccesses,
  defaults: account,
  challenged: account.dn,
  factor: factorOf(account, view),
  isDoomed: true,
});

/** Judges an attempt that fails whatever is presented. */
export async function proveDecoy(
  credentials: LoginCredentials,
  user: DecoyAttempt,
  admitted: AdmittedAttempt,
): Promise<Verdict> {
  const { reason, defaults, isDoomed } = user;
  switch (credentials.kind) {
    case 'secrets':
      return proveSecrets(credentials, user, admitted);
    case 'answer': {
      const { otp, assertion, challenge } = credentials;
      if (otp === undefined && assertion === undefined) return noCode;
      return failed(reason, {
        isPartialSuccess: isDoomed || (defaults !== undefined && !challenge.afterPassword),
      });
    }
    case 'certificate':
      return sourceOnly(reason);
  }
}

async function proveSecrets(
  credentials: SecretCredentials,
  { dn, reason, defaults, challenged, factor }: DecoyAttempt,
  admitted: AdmittedAttempt,
): Promise<Verdict> {
  const isCombined = admitted.admission.kind === 'combined';
  const wanted = (defaults && wantedFactors(defaults, admitted.loginContext)) ?? passwordOnly;
  if (!isCombined && defaults && !wanted.password) {
    if (readSecrets(credentials, codeOnly)[0]?.code) return failed(reason, { isPartialSuccess: true });
    return challengeAlone({ dn: challenged, settings: defaults.settings }, factor);
  }
  const readings = isCombined ? wholeReadings(credentials) : readSecrets(credentials, wanted);
  const { unfinished, wrong, asked } = await tryPasswords(readings, { dn }, admitted);
  if (unfinished) return unfinished;
  return isCombined
    ? { ...failed(reason, { budgetSpent: asked }), isNoEvent: true }
    : failed(reason, { wrongPasswords: wrong, budgetSpent: asked });
}

const passwordOnly: Wanted = { password: true, code: false, device: false };
