/** Judges credentials: asks the directory about passwords, and verifies codes. Nothing is claimed. */

import {
  isMoreOpenAfterPassword,
  isRightNow,
  isSomeRightNow,
  tryCode,
} from '../authenticators/code-verification.ts';
import { factorOf } from '../authenticators/user-authenticators.ts';
import type { Admitted } from '../limits/limits-attempt.ts';
import { decoyOfAbsent, decoyOfDoomed, proveDecoy } from './absent-proof.ts';
import { proveAnswer, proveCertificate } from './answer-proof.ts';
import {
  codeOnly,
  type LoginAttempt,
  type Reading,
  readSecrets,
  type SecretCredentials,
  type Wanted,
  wantedFactors,
  wholeReadings,
} from './credentials.ts';
import { type AdmittedLogin, standInPassword, tryPasswords } from './passwords.ts';
import {
  type CodeTerms,
  challengeAlone,
  challengeFor,
  codeVerdict,
  failed,
  rightWithout,
  type Verdict,
} from './verdict.ts';
import type { LoginCall } from './view.ts';

/** Judges an attempt that was admitted. @throws ServiceError `unavailable` where it cannot be judged, which counts neither way */
export function prove(
  { loginContext, found, credentials }: LoginAttempt,
  { admission, snapshot: known }: Pick<Admitted, 'admission' | 'snapshot'>,
  call: LoginCall,
): Promise<Verdict> {
  const { account } = found;
  if (!account) return proveDecoy(credentials, decoyOfAbsent(found), { loginContext, view: call, admission });
  const admitted = { account, loginContext, view: call, admission, known };
  if (admission.isDoomed) return proveDecoy(credentials, decoyOfDoomed(admitted), admitted);
  switch (credentials.kind) {
    case 'secrets':
      return proveSecrets(credentials, admitted);
    case 'answer':
      return proveAnswer(credentials, admitted);
    case 'certificate':
      return proveCertificate(credentials, account, call);
  }
}

/** Judges secrets by the login mode: the password first, then the code, where one is wanted. */
async function proveSecrets(credentials: SecretCredentials, admitted: AdmittedLogin): Promise<Verdict> {
  const { account, loginContext, admission } = admitted;
  const standIn = standInPassword(credentials, admitted);
  if (standIn) return rightWithout(account, standIn);
  if (admission.kind === 'combined') return proveCombined(credentials, admitted);
  const wanted = wantedFactors(account, loginContext);
  if (!wanted) return failed('nothing that the login mode wants can be judged');
  if (!wanted.password) return proveWithoutPassword(credentials, wanted, admitted);
  const readings = readSecrets(credentials, wanted);
  const tried = await tryPasswords(likelyFirst(readings, admitted), account, admitted);
  const { right, graceLogins, wrong: budgetSpent } = tried;
  if (tried.unfinished) return tried.unfinished;
  if (!right) {
    const both = wanted.code ? readings.filter(({ password, code }) => password && code) : [];
    const isPartialSuccess = isSomeRightNow(codesOf(both), admitted);
    // A right password that logs in no user spends the directory budget as a wrong one does: the budget must not show the difference.
    return failed(tried.why, { isPartialSuccess, wrongPasswords: tried.wrong, budgetSpent: tried.asked });
  }
  const terms = { afterPassword: true, graceLogins, budgetSpent };
  if (wanted.code && right.code !== undefined) return proveCode(right, terms, admitted);
  if (wanted.code || wanted.device) return challengeFor(wanted, admitted, terms);
  return rightWithout(account, 'password', terms);
}

async function proveWithoutPassword(
  credentials: SecretCredentials,
  wanted: Wanted,
  admitted: AdmittedLogin,
): Promise<Verdict> {
  const { account, view } = admitted;
  const [reading] = readSecrets(credentials, codeOnly);
  if (!wanted.code || !reading?.code)
    return wanted.device
      ? challengeFor(wanted, admitted, { afterPassword: false, budgetSpent: 0 })
      : challengeAlone(account, factorOf(account, view));
  const whole = wholeReadings(credentials);
  // A password that was given counts though the mode ignores it, where an authenticator of the user is capped.
  if (whole.length === 0 || !isMoreOpenAfterPassword(admitted))
    return proveCode(reading, { afterPassword: false }, admitted);
  const tried = await tryPasswords(likelyFirst(whole, admitted), account, admitted);
  const { right, graceLogins, wrong: budgetSpent, asked, unfinished } = tried;
  if (unfinished) return unfinished;
  const terms = { afterPassword: right !== undefined, graceLogins, budgetSpent };
  const ifClaimLost = { budgetSpent: asked, ...(!right && { wrongPasswords: budgetSpent }) };
  return proveCode(right ?? reading, { ...terms, ifClaimLost }, admitted);
}

/**
 * Judges a combined proof: during a lockout, a password and a code in one request are judged as a whole, also what the login mode
 * ignores (docs/concepts/limits.md#combined-proof). Only a grant shows what was right, and claims a code.
 */
async function proveCombined(credentials: SecretCredentials, admitted: AdmittedLogin): Promise<Verdict> {
  const readings = wholeReadings(credentials);
  const tried = await tryPasswords(likelyFirst(readings, admitted), admitted.account, admitted);
  const { right, graceLogins, wrong, asked } = tried;
  if (tried.unfinished) return tried.unfinished;
  // A right password spends the budget as a wrong one does: the budget must not show the difference.
  const ifClaimLost = { budgetSpent: asked };
  if (right)
    return proveCode(right, { afterPassword: true, graceLogins, budgetSpent: wrong, ifClaimLost }, admitted);
  const isPartialSuccess = isSomeRightNow(codesOf(readings), admitted);
  // A combined proof that was wholly wrong is no event: a stranger may send it without a limit, and must not fill the log.
  return {
    ...failed(tried.why, { isPartialSuccess, wrongPasswords: wrong, ...ifClaimLost }),
    isNoEvent: !isPartialSuccess,
  };
}

const proveCode = (
  { code = '', concat }: Reading,
  terms: Omit<CodeTerms, 'account' | 'concat'>,
  admitted: AdmittedLogin,
): Verdict => {
  const { account } = admitted;
  return codeVerdict(tryCode(code, terms.afterPassword, admitted), { account, concat, ...terms });
};

const codesOf = (readings: readonly Reading[]): readonly string[] => readings.map(({ code = '' }) => code);

/** Sorts readings with a right code to the front: they are what the user meant. */
function likelyFirst(readings: readonly Reading[], admitted: AdmittedLogin): readonly Reading[] {
  if (readings.length < 2) return readings;
  const right = readings.map(({ code }) => code !== undefined && isRightNow(code, admitted));
  return [...readings.filter((_, index) => right[index]), ...readings.filter((_, index) => !right[index])];
}
