/** What a password and a code prove, by the login mode of an account. */

import {
  isMoreOpenAfterPassword,
  isRightNow,
  isSomeRightNow,
  tryCode,
} from '../../authenticators/code-verification.ts';
import { factorOf } from '../../authenticators/user-authenticators.ts';
import type { Soon } from '../../foundation/runtime/soon.ts';
import type { ShownSecrets } from '../attempt/evidence.ts';
import { askAlone, askFor } from './asking.ts';
import { type AdmittedLogin, findRight } from './passwords.ts';
import { failed, type LoginProof, type UntriedCode } from './proof.ts';
import {
  codeOnly,
  type Reading,
  readSecrets,
  type Wanted,
  wantedFactors,
  wholeReadings,
} from './readings.ts';

/** Judged but for a code that it hangs on in the end. */
type SecretsProof = LoginProof | UntriedCode;

export function proveSecrets(shown: ShownSecrets, admitted: AdmittedLogin): Soon<SecretsProof> {
  const { account, visit, admission } = admitted;
  if (admission.kind === 'together') return proveWhole(shown, admitted);
  const wanted = wantedFactors(account, visit);
  if (!wanted) return failed('nothing that the login mode wants can be judged');
  return wanted.password
    ? provePassword(shown, wanted, admitted)
    : proveWithoutPassword(shown, wanted, admitted);
}

/** The password first; the code behind it, where one is wanted. */
function provePassword(shown: ShownSecrets, wanted: Wanted, admitted: AdmittedLogin): Promise<SecretsProof> {
  const { account } = admitted;
  const readings = readSecrets(shown, wanted);
  const [only] = readings;
  const finding = findRight(likelyFirst(readings, admitted), admitted);
  const isOne = wanted.code && readings.length === 1 && only?.password && only.code;
  return finding.then(({ right, graceLogins, why, wrong, asked }) => {
    const early = isOne ? { tried: tryCode(only.code, true, admitted) } : undefined;
    if (!right) {
      const both = wanted.code ? readings.filter(({ password, code }) => password && code) : [];
      const isHalfRight = early ? early.tried.right !== undefined : isSomeRightNow(codesOf(both), admitted);
      // One that is right and lets nobody in costs what a wrong one costs (§7, 9): or what is left would tell of it.
      return failed(why, { isHalfRight, wrongPasswords: wrong, passedOn: asked });
    }
    const passedOn = wrong;
    if (!wanted.code && !wanted.device)
      return {
        kind: 'right',
        account,
        first: 'password',
        graceLogins,
        concat: 0,
        passedOn,
        otherwise: { passedOn },
      };
    const terms = { behind: true, graceLogins, passedOn };
    if (wanted.code && right.code !== undefined) return untried(right, { ...terms, early });
    return askFor(wanted, admitted, terms);
  });
}

/** A code, or a device that is asked for it. */
function proveWithoutPassword(
  shown: ShownSecrets,
  wanted: Wanted,
  admitted: AdmittedLogin,
): Soon<SecretsProof> {
  const [reading] = readSecrets(shown, codeOnly);
  if (wanted.code && reading?.code) return proveCodeAlone(reading, shown, admitted);
  if (wanted.device) return askFor(wanted, admitted, { behind: false, passedOn: 0 });
  const { account, view } = admitted;
  return askAlone(account, factorOf(account, view));
}

/** Judges a login that wants a code and no password. */
function proveCodeAlone(reading: Reading, shown: ShownSecrets, admitted: AdmittedLogin): Soon<SecretsProof> {
  const whole = wholeReadings(shown);
  // A password given counts though the mode ignores it, where some of what the user has is closed (§7, 6).
  if (whole.length === 0 || !isMoreOpenAfterPassword(admitted)) return untried(reading, { behind: false });
  return findRight(likelyFirst(whole, admitted), admitted).then(({ right, graceLogins, wrong, asked }) => {
    const terms = { graceLogins, passedOn: wrong, otherwise: { passedOn: asked } };
    if (right) return untried(right, { behind: true, ...terms });
    const otherwise = { ...terms.otherwise, wrongPasswords: wrong };
    return untried(reading, { behind: false, ...terms, otherwise });
  });
}

/**
 * Both together (concepts.md §7, 5): where failures have somebody refused, a password and a code in one request are
 * judged as a whole, also what the login mode ignores. Nothing but a grant tells what was right, or uses up a code.
 */
async function proveWhole(shown: ShownSecrets, admitted: AdmittedLogin): Promise<SecretsProof> {
  const readings = wholeReadings(shown);
  const { right, graceLogins, why, wrong, asked } = await findRight(
    likelyFirst(readings, admitted),
    admitted,
  );
  // A password costs what a wrong one costs (§7, 9): or what is left of that would tell of a right one.
  const otherwise = { passedOn: asked };
  if (right) return untried(right, { behind: true, graceLogins, passedOn: wrong, otherwise });
  const isHalfRight = isSomeRightNow(codesOf(readings), admitted);
  // What was wrong altogether fills no event log: anybody may do it as often as they like.
  return { ...failed(why, { isHalfRight, wrongPasswords: wrong, ...otherwise }), isNoEvent: !isHalfRight };
}

const untried = (
  { code = '', concat }: Reading,
  terms: Pick<UntriedCode, 'behind' | 'graceLogins' | 'early' | 'passedOn' | 'otherwise'>,
): UntriedCode => ({ kind: 'untried', code, concat, ...terms });

const codesOf = (readings: readonly { readonly code: string | undefined }[]): readonly string[] =>
  readings.map(({ code = '' }) => code);

/** One with a code that is right now comes first: it is what was meant. */
function likelyFirst(readings: readonly Reading[], admitted: AdmittedLogin): readonly Reading[] {
  if (readings.length < 2) return readings;
  const right = readings.map(({ code }) => code !== undefined && isRightNow(code, admitted));
  return [...readings.filter((_, index) => right[index]), ...readings.filter((_, index) => !right[index])];
}
