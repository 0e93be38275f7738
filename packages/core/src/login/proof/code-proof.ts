/** What a code proves: right ones are still to be claimed, wrong ones are blamed on what they were tried with. */
import { tryCode } from '../../authenticators/code-verification.ts';
import type { AdmittedLogin } from './passwords.ts';
import { failed, type LoginProof, type UntriedCode } from './proof.ts';

/** A wrong one is half right behind a right password, and counts as such where no password is wanted (§7, 3). */
export function proveCode(
  { code, early, concat, behind, session, graceLogins, passedOn = 0, otherwise = { passedOn } }: UntriedCode,
  admitted: Omit<AdmittedLogin, 'visit'>,
): LoginProof {
  const { account } = admitted;
  const tried = early ? early.tried : tryCode(code, behind, admitted);
  if (!tried.right) {
    const why = `${behind ? 'password right, ' : ''}${tried.why}`;
    return failed(why, { isHalfRight: true, wrongCodes: tried.wrong, ...otherwise });
  }
  const first = behind ? 'password' : undefined;
  const right = { kind: 'right', account, first, code: tried.right, session, concat, passedOn } as const;
  return { ...right, graceLogins, otherwise };
}
