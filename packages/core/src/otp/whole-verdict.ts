/**
 * Both together (concepts.md §7, 5): where failures have somebody refused, a password and a code in one request are
 * judged as a whole, also what the login mode ignores. Nothing but a grant tells what was right, or uses up a code.
 */
import { refused, type Verdict } from './attempt.ts';
import { judgeCode } from './code-verdict.ts';
import { findRight, type LoginGround } from './password-verdict.ts';
import type { Reading } from './secrets.ts';
import { isRightNow } from './tried-code.ts';

/** @param readings each with a password and a code */
export async function judgeWhole(readings: readonly Reading[], ground: LoginGround): Promise<Verdict> {
  const { right, why, wrong } = await findRight(readings, ground);
  if (right) return judgeCode(right, ground, { behind: true, passedOn: wrong });
  const codes = readings.map(({ code = '' }) => code);
  const isHalfRight = (await Promise.all(codes.map((code) => isRightNow(code, ground)))).includes(true);
  // What was wrong altogether fills no event log: anybody may do it as often as they like.
  return {
    ...refused(why, { isHalfRight, wrongPasswords: wrong, passedOn: wrong }),
    isNoEvent: !isHalfRight,
  };
}
