/** What the answer to a challenge proves, by the mode that is in force now. */

import { verifyAssertion } from '../../authenticators/ceremony.ts';
import { deviceClaimKey, relyingPartyOf, usableDevices } from '../../authenticators/device.ts';
import type { Soon } from '../../foundation/runtime/soon.ts';
import { tooManyHalfRight } from '../../limits/kept/together.ts';
import type { Absent } from '../account/account.ts';
import type { ShownAnswer } from '../attempt/evidence.ts';
import type { AdmittedLogin } from './passwords.ts';
import { failed, type LoginProof, type UntriedCode, unjudged } from './proof.ts';
import { wantedFactors } from './readings.ts';

/** Where the answer of a device has come, it is that which is judged. */
export function proveAnswer(answer: ShownAnswer, admitted: AdmittedLogin): Soon<LoginProof | UntriedCode> {
  const { otp, assertion, session, challenge } = answer;
  const { account, visit, admission } = admitted;
  if (otp === undefined && assertion === undefined) return noCode;
  if (admission.isInVain) return failed(tooManyHalfRight, { isHalfRight: true });
  const wanted = wantedFactors(account, visit);
  const isWanted = assertion === undefined ? wanted?.code : wanted?.device;
  if (!isWanted || (wanted?.password && !challenge.behind))
    return failed('the login mode wants another factor by now');
  if (assertion !== undefined) return proveDevice(assertion, answer, admitted);
  return { kind: 'untried', code: otp ?? '', concat: 0, behind: challenge.behind, session };
}

/** A wrong one is a partial success, also after a link that stands in for the password; no text is guessed by it. */
async function proveDevice(
  assertion: string,
  { session, challenge: { devices: challenge, behind } }: ShownAnswer,
  { account, view, known }: AdmittedLogin,
): Promise<LoginProof> {
  if (challenge === undefined) return failed('no security key was asked for', { isHalfRight: true });
  const party = relyingPartyOf(view);
  const judged = await verifyAssertion(assertion, usableDevices(account.data), {
    ...{ challenge, party },
    claimed: (key) => known.claimed(key),
  });
  if (!judged.device)
    return failed(`${behind ? 'password right, ' : ''}${judged.why}`, { isHalfRight: true });
  const { device, counter } = judged;
  const of = {
    kind: 'FIDO2',
    key: deviceClaimKey(device),
    name: `security key ${device.slot}`,
    device,
  } as const;
  const code = { kind: 'device', of, counter } as const;
  const first = behind ? 'password' : undefined;
  return { kind: 'right', account, first, code, session, concat: 0, passedOn: 0, otherwise: {} };
}

/** By somebody who is not there, any more. */
export const proveAbsentAnswer = (
  { otp, assertion, challenge: { behind } }: ShownAnswer,
  { why, preset }: Absent,
): LoginProof =>
  otp === undefined && assertion === undefined
    ? noCode
    : failed(why, { isHalfRight: preset !== undefined && !behind });

const noCode = unjudged('no code');
