/** Judges what somebody shows. Nothing is used up by it; the directory is asked about passwords. */

import type { Soon } from '../../foundation/runtime/soon.ts';
import type { Admitted } from '../../limits/attempt.ts';
import type { Absent } from '../account.ts';
import type { LoginAttempt, LoginCredentials } from '../credentials.ts';
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
  const { context, found, credentials } = attempt;
  const { account } = found;
  try {
    if (!account) return await proveAbsent(found, attempt, entered, call);
    const admitted = { account, context, view: call, admission: entered.admission, known: entered.known };
    const proof = await judgeShown(credentials, admitted, call);
    return proof.kind === 'untried' ? proveCode(proof, admitted) : proof;
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
    return { kind: 'unended', error: error.cause, passedOn: error.passedOn };
  }
}

type Entered = Pick<Admitted, 'admission' | 'known'>;

/** All but a code that it hangs on. */
function judgeShown(
  credentials: LoginCredentials,
  admitted: AdmittedLogin,
  call: LoginCall,
): Soon<LoginProof | UntriedCode> {
  switch (credentials.kind) {
    case 'secrets':
      return admitted.admission.isInVain
        ? proveNobody(credentials, inVain(admitted), admitted)
        : (proveStandingIn(credentials, admitted) ?? proveSecrets(credentials, admitted));
    case 'answer':
      return proveAnswer(credentials, admitted);
    case 'certificate':
      return proveCertificate(credentials, admitted, call);
  }
}

function proveAbsent(
  absent: Absent,
  { context, credentials }: LoginAttempt,
  { admission }: Entered,
  call: LoginCall,
): Soon<LoginProof> {
  switch (credentials.kind) {
    case 'secrets':
      return proveNobody(credentials, nobodyAs(absent), { context, view: call, admission });
    case 'answer':
      return proveAbsentAnswer(credentials, absent);
    case 'certificate':
      return notGood(absent.why);
  }
}
