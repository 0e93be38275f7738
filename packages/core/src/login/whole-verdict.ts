/**
 * Both together (concepts.md §7, 5): where failures have somebody refused, a password and a code in one request are
 * judged as a whole, also what the login mode ignores. Nothing but a grant tells what was right, or uses up a code.
 */

import { isRightNow } from '../authenticators/code/tried-code.ts';
import { judgeCode } from './code-verdict.ts';
import { type AdmittedLogin, findRight } from './password-verdict.ts';
import type { Reading } from './secrets.ts';
import { refused, type Verdict } from './verdict.ts';

/** @param readings each with a password and a code */
export async function judgeWhole(readings: readonly Reading[], admitted: AdmittedLogin): Promise<Verdict> {
  const { right, why, wrong, asked } = await findRight(readings, admitted);
  if (right) return untold(await judgeCode(right, admitted, { behind: true, passedOn: wrong }), asked);
  const codes = readings.map(({ code = '' }) => code);
  const isHalfRight = (await Promise.all(codes.map((code) => isRightNow(code, admitted)))).includes(true);
  // What was wrong altogether fills no event log: anybody may do it as often as they like.
  return {
    ...refused(why, { isHalfRight, wrongPasswords: wrong, passedOn: asked }),
    isNoEvent: !isHalfRight,
  };
}

/** A password costs what a wrong one costs (§7, 9): or what is left of that would tell of a right one. */
const untold = (verdict: Verdict, asked: number): Verdict =>
  verdict.counts.end === 'granted' ? verdict : { ...verdict, counts: { ...verdict.counts, passedOn: asked } };
