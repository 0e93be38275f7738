/** The answer to a challenge, by whatever door and caller it comes. */
import type { Dn } from '../directory/dn.ts';
import type { OperationCall } from '../operation.ts';
import { type Found, findAccount, findAccountAgain } from './account.ts';
import { judgeAttempt, refused, type Verdict } from './attempt.ts';
import { type Challenge, findChallenge, takeChallenge } from './challenge.ts';
import { type CodeGround, judgeCode } from './code-verdict.ts';
import type { ChallengeAnswer, LoginOutcome, LoginRequest } from './login-request.ts';
import { wantedFactors } from './secrets.ts';
import { readVisit, type Visit } from './visit.ts';

/**
 * Judges the answer to a challenge. With another user's name it fails, and the session lives on.
 * @throws ServiceError `invalid_params`, `not_found`, `unavailable`
 */
export async function answerChallenge(
  { otp, session = '', ...named }: ChallengeAnswer,
  call: OperationCall,
): Promise<LoginOutcome> {
  const begun = call.core.clock.now();
  const challenge = await findChallenge(session, call.core);
  const visit = visitAs(challenge, challenge.request, call);
  const found = await findChallenged(challenge, { visit, named, call });
  const view = { core: call.core, directory: call.core.directory.service };
  return judgeAttempt(
    { visit, found, call, begun },
    {
      judge: (account) => judgeAnswer(otp, { account, view, visit }, { ...challenge, session }),
      judgeAbsent: async ({ why, preset }) => {
        if (otp === undefined) return noCode;
        return refused(why, 'address', preset ? 'token' : 'user');
      },
    },
  );
}

/** It costs nobody anything, so it is no event: anybody begins a challenge, and may do this as often as they like. */
const noCode: Verdict = { ...refused('no code'), isNoEvent: true };

/** As it came when the challenge began, whoever passes the answer on. */
const visitAs = ({ address, trusted }: Challenge, request: LoginRequest, call: OperationCall): Visit =>
  readVisit(request, { ...call, caller: { address, ...(trusted && { trusted }) } });

type Names = Pick<LoginRequest, 'username' | 'domain'>;

/** @throws ServiceError `unavailable` */
async function findChallenged(
  challenge: Challenge,
  { visit, named, call }: { visit: Visit; named: Names; call: OperationCall },
): Promise<Found> {
  const { dn } = challenge;
  if (!(await namesUser(challenge, named, call))) return { dn, why: 'the challenge is another user’s' };
  return findAccountAgain(dn, visit, { core: call.core, directory: call.core.directory.service });
}

/** The name of an answer is that of the user who was challenged, in this spelling or another. */
async function namesUser(challenge: Challenge, named: Names, call: OperationCall): Promise<boolean> {
  const { request, dn } = challenge;
  const domain = named.domain ?? request.domain;
  if (named.username === request.username && domain === request.domain) return true;
  const visit = visitAs(challenge, { ...request, ...named, domain }, call);
  const view = { core: call.core, directory: call.core.directory.service };
  const found: { readonly dn: Dn } = await findAccount(visit, view);
  return found.dn.equals(dn);
}

/**
 * By the mode that is in force now. The session is taken before the code is claimed: two codes do not make two logins
 * of one challenge.
 */
async function judgeAnswer(
  otp: string | undefined,
  { visit, ...ground }: CodeGround & { readonly visit: Visit },
  { behind, session }: Pick<Challenge, 'behind'> & { session: string },
): Promise<Verdict> {
  if (otp === undefined) return noCode;
  const wanted = wantedFactors(ground.account, visit);
  if (!wanted || (wanted.password && !behind))
    return refused('the login mode wants another factor by now', 'address', 'user');
  const first = () => takeChallenge(session, ground.view.core);
  return judgeCode({ code: otp, concat: 0 }, ground, { behind, first });
}
