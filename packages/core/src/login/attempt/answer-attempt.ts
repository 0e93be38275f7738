/** The answer to a challenge, by whatever door and caller it comes: an attempt to log in. */

import { callerKey } from '../../administration/policy/callers.ts';
import { withQuestion, withSentCode } from '../../authenticators/user-authenticators.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { type Found, findAccount, findAccountAgain } from '../account/account.ts';
import { type Challenge, findChallenge } from '../challenge.ts';
import type { ChallengeAnswer, LoginRequest } from '../login-request.ts';
import type { LoginCall } from '../view.ts';
import type { LoginAttempt } from './evidence.ts';
import { readVisit, type Visit } from './login-visit.ts';

/** With another user's name it is nobody's. @throws ServiceError `invalid_params`, `not_found`, `unavailable` */
export async function attemptToAnswer(
  { otp, assertion, session = '', ...named }: ChallengeAnswer,
  call: LoginCall,
): Promise<LoginAttempt> {
  const begun = call.clock.now();
  const challenge = await findChallenge(session, call);
  const visit = visitAs(challenge, challenge.request, call);
  const found = withAsked(await findChallenged(challenge, { visit, named, call }), challenge, session, call);
  const isByBeginner = callerKey(call.caller) === callerKey(challenge.caller);
  const evidence = { kind: 'answer', otp, assertion, session, challenge, isByBeginner } as const;
  return { visit, found, evidence, begun };
}

/** With what the challenge has sent, and asked. */
function withAsked(
  found: Found,
  { sent, question }: Pick<Challenge, 'sent' | 'question'>,
  session: string,
  { keys }: LoginCall,
): Found {
  if (!found.account) return found;
  const account = sent ? withSentCode(found.account, sent, { session, keys }) : found.account;
  return { ...found, account: question === undefined ? account : withQuestion(account, question) };
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
  if (isMeant && !isMadeAnew(challenge, found)) return found;
  const isNobody = found.account === undefined && found.isNobody === true;
  const { rules } = found.account ?? found;
  return { dn, why: 'the challenge is another user’s', isNobody, rules };
}

/** Under the same name: the password that was right before was not this user's. */
const isMadeAnew = ({ id }: Challenge, { account }: Found): boolean =>
  account !== undefined && id !== undefined && account.id !== id;

/** The name of an answer is that of the user who was challenged, in this spelling or another. */
async function namesUser(challenge: Challenge, named: Names, call: LoginCall): Promise<boolean> {
  const { request, dn } = challenge;
  const domain = named.domain ?? request.domain;
  if (named.username === request.username && domain === request.domain) return true;
  const visit = visitAs(challenge, { ...request, ...named, domain }, call);
  const found: { readonly dn: Dn } = await findAccount(visit, call);
  return found.dn.equals(dn);
}
