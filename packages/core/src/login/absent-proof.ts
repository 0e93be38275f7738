/**
 * Proofs that fail whatever is presented: of absent users, and of users whose attempt is doomed. Both cost what a user without settings
 * of their own costs, so that neither answer nor time shows the difference (docs/concepts/login.md#decoy).
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

export interface Doomed extends Pick<Absent, 'dn' | 'why' | 'preset'> {
  /** The user of the challenge that is begun where everybody is asked for a code. */
  readonly challenged: Dn;
  readonly factor?: Factor | undefined;
  /** The user is there, and the daily quota is used up in secret. */
  readonly isDoomed: boolean;
}

export const absentAs = ({ dn, why, preset }: Absent): Doomed => ({
  ...{ dn, why, preset },
  ...{ challenged: dn, isDoomed: false },
});

/** Makes a doomed user absent. The challenge is its own: an administrator may lift the quota before the answer. */
export const doomedAs = ({ account, view }: Pick<AdmittedLogin, 'account' | 'view'>): Doomed => ({
  dn: decoyUser(account.domain.base, account.dn.format()),
  why: tooManyPartialSuccesses,
  preset: account,
  challenged: account.dn,
  factor: factorOf(account, view),
  isDoomed: true,
});

export async function proveDoomed(
  credentials: LoginCredentials,
  user: Doomed,
  admitted: AdmittedAttempt,
): Promise<Verdict> {
  const { why, preset, isDoomed } = user;
  switch (credentials.kind) {
    case 'secrets':
      return proveSecrets(credentials, user, admitted);
    case 'answer': {
      const { otp, assertion, challenge } = credentials;
      if (otp === undefined && assertion === undefined) return noCode;
      return failed(why, {
        isPartialSuccess: isDoomed || (preset !== undefined && !challenge.afterPassword),
      });
    }
    case 'certificate':
      return sourceOnly(why);
  }
}

async function proveSecrets(
  credentials: SecretCredentials,
  { dn, why, preset, challenged, factor }: Doomed,
  admitted: AdmittedAttempt,
): Promise<Verdict> {
  const isCombined = admitted.admission.kind === 'combined';
  const wanted = (preset && wantedFactors(preset, admitted.loginContext)) ?? passwordOnly;
  if (!isCombined && preset && !wanted.password) {
    if (readSecrets(credentials, codeOnly)[0]?.code) return failed(why, { isPartialSuccess: true });
    return challengeAlone({ dn: challenged, settings: preset.settings }, factor);
  }
  const readings = isCombined ? wholeReadings(credentials) : readSecrets(credentials, wanted);
  const { unfinished, wrong, asked } = await tryPasswords(readings, { dn }, admitted);
  if (unfinished) return unfinished;
  return isCombined
    ? { ...failed(why, { budgetSpent: asked }), isNoEvent: true }
    : failed(why, { wrongPasswords: wrong, budgetSpent: asked });
}

const passwordOnly: Wanted = { password: true, code: false, device: false };
