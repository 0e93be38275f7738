/** What a code proves: right ones are still to be claimed, wrong ones are blamed on what they were tried with. */
import { tryCode } from '../../authenticators/code/tried-code.ts';
import type { AdmittedLogin } from './passwords.ts';
import { type Counts, failed, type LoginProof } from './proof.ts';
import type { Reading } from './readings.ts';

export interface CodeTerms {
  /** The password is right, or was when the challenge began. */
  readonly behind: boolean;
  /** Wrong passwords that the directory was asked about before the right one. */
  readonly passedOn?: number;
  /** What is counted unless it is granted; left out: what was passed on. */
  readonly otherwise?: Counts;
}

/** A wrong one is half right behind a right password, and counts as such where no password is wanted (§7, 3). */
export async function proveCode(
  { code = '', concat }: Pick<Reading, 'code' | 'concat'>,
  admitted: Omit<AdmittedLogin, 'visit'>,
  { behind, passedOn = 0, otherwise = { passedOn } }: CodeTerms,
): Promise<LoginProof> {
  const { account } = admitted;
  const tried = await tryCode(code, behind, admitted);
  if (!tried.right) {
    const why = `${behind ? 'password right, ' : ''}${tried.why}`;
    return failed(why, { isHalfRight: true, wrongCodes: tried.wrong, ...otherwise });
  }
  const first = behind ? 'password' : undefined;
  return { kind: 'right', account, first, code: tried.right, concat, passedOn, otherwise };
}
