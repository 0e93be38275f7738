/** Judges what somebody shows. Nothing is used up by it; the directory is asked about passwords. */

import type { Soon } from '../../foundation/runtime/soon.ts';
import type { Admitted } from '../../limits/attempter.ts';
import type { Absent } from '../account/account.ts';
import type { Evidence, LoginAttempt } from '../attempt/evidence.ts';
import type { LoginCall } from '../view.ts';
import { proveAbsentAnswer, proveAnswer } from './answer-proof.ts';
import { notGood, proveCertificate } from './certificate-proof.ts';
import { proveCode } from './code-proof.ts';
import { inVain, nobodyAs, proveNobody } from './nobody-proof.ts';
import { type AdmittedLogin, CutShort } from './passwords.ts';
import type { LoginProof, UntriedCode } from './proof.ts';
import { proveSecrets } from './secrets-proof.ts';
import { proveStandingIn } from './standing-in.ts';

/** @throws ServiceError `unavailable` where it cannot be judged, which counts neither way */
export async function prove(attempt: LoginAttempt, entered: Entered, call: LoginCall): Promise<LoginProof> {
  const { visit, found, evidence } = attempt;
  const { account } = found;
  try {
    if (!account) return await proveAbsent(found, attempt, entered, call);
    const admitted = { account, visit, view: call, admission: entered.admission, known: entered.known };
    const proof = await judgeShown(evidence, admitted, call);
    return proof.kind === 'untried' ? proveCode(proof, admitted) : proof;
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
    return { kind: 'unended', error: error.cause, passedOn: error.passedOn };
  }
}

type Entered = Pick<Admitted, 'admission' | 'known'>;

/** All but a code that it hangs on. */
function judgeShown(
  evidence: Evidence,
  admitted: AdmittedLogin,
  call: LoginCall,
): Soon<LoginProof | UntriedCode> {
  switch (evidence.kind) {
    case 'secrets':
      return admitted.admission.isInVain
        ? proveNobody(evidence, inVain(admitted), admitted)
        : (proveStandingIn(evidence, admitted) ?? proveSecrets(evidence, admitted));
    case 'answer':
      return proveAnswer(evidence, admitted);
    case 'certificate':
      return proveCertificate(evidence, admitted, call);
  }
}

function proveAbsent(
  absent: Absent,
  { visit, evidence }: LoginAttempt,
  { admission }: Entered,
  call: LoginCall,
): Soon<LoginProof> {
  switch (evidence.kind) {
    case 'secrets':
      return proveNobody(evidence, nobodyAs(absent), { visit, view: call, admission });
    case 'answer':
      return proveAbsentAnswer(evidence, absent);
    case 'certificate':
      return notGood(absent.why);
  }
}
