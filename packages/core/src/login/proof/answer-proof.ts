/** What the answer to a challenge proves, by the mode that is in force now. */
import { tooManyHalfRight } from '../../limits/kept/together.ts';
import type { Absent } from '../account/account.ts';
import type { ShownAnswer } from '../attempt/evidence.ts';
import { proveCode } from './code-proof.ts';
import type { AdmittedLogin } from './passwords.ts';
import { failed, type LoginProof, unjudged } from './proof.ts';
import { wantedFactors } from './readings.ts';

export async function proveAnswer(
  { otp, session, challenge: { behind } }: ShownAnswer,
  { visit, ...admitted }: AdmittedLogin,
): Promise<LoginProof> {
  if (otp === undefined) return noCode;
  if (admitted.admission.isInVain) return failed(tooManyHalfRight, { isHalfRight: true });
  const wanted = wantedFactors(admitted.account, visit);
  if (!wanted || (wanted.password && !behind)) return failed('the login mode wants another factor by now');
  const proof = await proveCode({ code: otp, concat: 0 }, admitted, { behind });
  return proof.kind === 'right' ? { ...proof, session } : proof;
}

/** By somebody who is not there, any more. */
export const proveAbsentAnswer = (
  { otp, challenge: { behind } }: ShownAnswer,
  { why, preset }: Absent,
): LoginProof => (otp === undefined ? noCode : failed(why, { isHalfRight: preset !== undefined && !behind }));

const noCode = unjudged('no code');
