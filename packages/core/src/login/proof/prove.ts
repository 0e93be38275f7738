/** Judges what somebody shows. Nothing is used up by it; the directory is asked about passwords. */
import type { Admission } from '../../limits/attempter.ts';
import type { Absent, Account } from '../account/account.ts';
import type { Evidence, LoginAttempt } from '../attempt/evidence.ts';
import type { LoginCall } from '../view.ts';
import { proveAbsentAnswer, proveAnswer } from './answer-proof.ts';
import { notGood, proveCertificate } from './certificate-proof.ts';
import { proveCode } from './code-proof.ts';
import { inVain, nobodyAs, proveNobody } from './nobody-proof.ts';
import type { AdmittedLogin } from './passwords.ts';
import type { LoginProof, UntriedCode } from './proof.ts';
import { proveSecrets } from './secrets-proof.ts';

/** @throws ServiceError `unavailable` where it cannot be judged, which counts neither way */
export const prove = (attempt: LoginAttempt, admission: Admission, call: LoginCall): Promise<LoginProof> =>
  attempt.found.account
    ? proveOf(attempt.found.account, attempt, admission, call)
    : proveAbsent(attempt.found, attempt, admission, call);

async function proveOf(
  account: Account,
  { visit, evidence }: LoginAttempt,
  admission: Admission,
  call: LoginCall,
): Promise<LoginProof> {
  const admitted = { account, visit, view: call, admission };
  const proof = await judgeShown(evidence, admitted, call);
  return proof.kind === 'untried' ? proveCode(proof, admitted) : proof;
}

/** All but a code that it hangs on. */
async function judgeShown(
  evidence: Evidence,
  admitted: AdmittedLogin,
  call: LoginCall,
): Promise<LoginProof | UntriedCode> {
  switch (evidence.kind) {
    case 'secrets':
      return admitted.admission.isInVain
        ? proveNobody(evidence, inVain(admitted), admitted)
        : proveSecrets(evidence, admitted);
    case 'answer':
      return proveAnswer(evidence, admitted);
    case 'certificate':
      return proveCertificate(evidence, admitted, call);
  }
}

async function proveAbsent(
  absent: Absent,
  { visit, evidence }: LoginAttempt,
  admission: Admission,
  call: LoginCall,
): Promise<LoginProof> {
  switch (evidence.kind) {
    case 'secrets':
      return proveNobody(evidence, nobodyAs(absent), { visit, view: call, admission });
    case 'answer':
      return proveAbsentAnswer(evidence, absent);
    case 'certificate':
      return notGood(absent.why);
  }
}
