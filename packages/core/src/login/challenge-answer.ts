/** The answer to a challenge, by whatever door and caller it comes. */

import { type AdmittedAccount, distinctAuthenticators } from '../authenticators/code/tried-code.ts';
import { tooManyHalfRight } from '../limits/kept/together.ts';
import { callerKey } from '../policy/callers.ts';
import type { Dn } from '../text/dn.ts';
import { type Account, type Found, findAccount, findAccountAgain } from './account/account.ts';
import { naming } from './account/account-name.ts';
import { judgeAttempt, type LoginAttempt } from './attempt.ts';
import { type Challenge, findChallenge, takeChallenge } from './challenge.ts';
import { judgeCode } from './code-verdict.ts';
import type { ChallengeAnswer, LoginOutcome, LoginRequest } from './login-request.ts';
import { readVisit, type Visit } from './login-visit.ts';
import { wantedFactors } from './secrets.ts';
import { refused, unjudged, type Verdict } from './verdict.ts';
import type { LoginCall } from './view.ts';

/**
 * Judges the answer to a challenge. With another user's name it fails, and the session lives on.
 * @throws ServiceError `invalid_params`, `not_found`, `unavailable`
 */
export async function answerChallenge(
  { otp, session = '', ...named }: ChallengeAnswer,
  call: LoginCall,
): Promise<LoginOutcome> {
  const begun = call.clock.now();
  const challenge = await findChallenge(session, call);
  const visit = visitAs(challenge, challenge.request, call);
  const found = await findChallenged(challenge, { visit, named, call });
  const inVain = async (why: string, isHalfRight: boolean): Promise<Verdict> =>
    otp === undefined ? unjudged('no code') : refused(why, { isHalfRight });
  const outcome = await judgeAttempt(
    { visit, found, call, begun, ...waysOf(challenge, otp, { found, call }) },
    {
      judge: (account, admission) =>
        admission.isInVain
          ? inVain(tooManyHalfRight, true)
          : judgeAnswer(otp, { account, view: call, visit, admission }, { ...challenge, session }),
      judgeAbsent: ({ why, preset }) => inVain(why, preset !== undefined && !challenge.behind),
    },
  );
  return naming(outcome, found.account);
}

/** Behind a right password it is judged as a whole by whom it was begun by; without one, it is a code alone. */
function waysOf(
  challenge: Challenge,
  otp: string | undefined,
  { found, call }: { found: Found; call: LoginCall },
): Pick<LoginAttempt, 'alone' | 'together'> {
  const { account } = found;
  const triesCode = account !== undefined && !challenge.behind && otp !== undefined;
  const codes = triesCode ? distinctAuthenticators(account, call).map(({ key }) => key) : [];
  const isWhole =
    account !== undefined &&
    challenge.behind &&
    otp !== undefined &&
    callerKey(call.caller) === callerKey(challenge.caller);
  return {
    alone: { password: false, codes },
    together: isWhole ? { answer: { begun: challenge.begun } } : 'nothing',
  };
}

/** As it came when the challenge began, whoever passes the answer on. */
const visitAs = ({ caller }: Challenge, request: LoginRequest, call: LoginCall): Visit =>
  readVisit(request, { ...call, caller });

type Names = Pick<LoginRequest, 'username' | 'domain'>;

/** @throws ServiceError `unavailable` */
async function findChallenged(
  challenge: Challenge,
  { visit, named, call }: { visit: Visit; named: Names; call: LoginCall },
): Promise<Found> {
  const { dn } = challenge;
  const isMeant = await namesUser(challenge, named, call);
  const found = await findAccountAgain(dn, visit, call);
  if (isMeant) return found;
  const isNobody = found.account === undefined && found.isNobody === true;
  const { rules } = found.account ?? found;
  return { dn, why: 'the challenge is another user’s', isNobody, rules };
}

/** The name of an answer is that of the user who was challenged, in this spelling or another. */
async function namesUser(challenge: Challenge, named: Names, call: LoginCall): Promise<boolean> {
  const { request, dn } = challenge;
  const domain = named.domain ?? request.domain;
  if (named.username === request.username && domain === request.domain) return true;
  const visit = visitAs(challenge, { ...request, ...named, domain }, call);
  const found: { readonly dn: Dn } = await findAccount(visit, call);
  return found.dn.equals(dn);
}

/**
 * By the mode that is in force now. The session is taken before the code is claimed: two codes do not make two logins
 * of one challenge.
 */
async function judgeAnswer(
  otp: string | undefined,
  { visit, ...admitted }: AdmittedAccount & { readonly account: Account; readonly visit: Visit },
  { behind, session }: Pick<Challenge, 'behind'> & { session: string },
): Promise<Verdict> {
  if (otp === undefined) return unjudged('no code');
  const wanted = wantedFactors(admitted.account, visit);
  if (!wanted || (wanted.password && !behind)) return refused('the login mode wants another factor by now');
  const first = () => takeChallenge(session, admitted.view);
  return judgeCode({ code: otp, concat: 0 }, admitted, { behind, first });
}
