/** What the answer to a challenge proves, by the mode that is in force now. */
import { tooManyHalfRight } from '../../limits/kept/together.ts';
import type { Absent } from '../account/account.ts';
import type { ShownAnswer } from '../attempt/evidence.ts';
import type { AdmittedLogin } from './passwords.ts';
import { type Failed, failed, type UntriedCode, unjudged } from './proof.ts';
import { wantedFactors } from './readings.ts';

export function proveAnswer(
  { otp, session, challenge: { behind } }: ShownAnswer,
  { account, visit, admission }: Omit<AdmittedLogin, 'view'>,
): Failed | UntriedCode {
  if (otp === undefined) return noCode;
  if (admission.isInVain) return failed(tooManyHalfRight, { isHalfRight: true });
  const wanted = wantedFactors(account, visit);
  if (!wanted || (wanted.password && !behind)) return failed('the login mode wants another factor by now');
  return { kind: 'untried', code: otp, concat: 0, behind, session };
}

/** By somebody who is not there, any more. */
export const proveAbsentAnswer = (
  { otp, challenge: { behind } }: ShownAnswer,
  { why, preset }: Absent,
): Failed => (otp === undefined ? noCode : failed(why, { isHalfRight: preset !== undefined && !behind }));

const noCode = unjudged('no code');
