/**
 * The login, one for all doors: SOAP, REST, OpenID Connect, LDAP, the core in process (docs/concepts/login.md). It has four steps: find the
 * user, admit the attempt past the limits, prove the credentials, commit the outcome. Nothing is claimed before the commit, and nothing is answered before the commit
 * is durable. Consequences come after the commit, and change no answer. A refusal comes after `login_failure_delay_ms`, so that neither its
 * words nor its time show what was wrong.
 */

import { countCode, measured, PhaseTimer } from '../events/measured.ts';
import { isReason, ServiceError } from '../foundation/errors/errors.ts';
import type { LimitsAttempt, Refused } from '../limits/limits-attempt.ts';
import { tooMany, waitOut } from '../limits/refusal-answer.ts';
import { absentUserKey, userKey } from '../limits/source.ts';
import { nameOf, naming } from './account.ts';
import {
  type AttemptInSession,
  findByAnswer,
  findByCertificate,
  findBySecrets,
  withSecrets,
} from './attempt.ts';
import { logRefusal } from './audit.ts';
import { type Committed, commit } from './commit.ts';
import { afterGrant, afterLimitEvents } from './consequences.ts';
import { type LoginAttempt, limitsView } from './credentials.ts';
import { prove } from './proof.ts';
import {
  type AccountName,
  type CertificateLogin,
  type ChallengeAnswer,
  type LoginOutcome,
  type LoginRequest,
  type LoginSecrets,
  requestAtPage,
  type ShownAtPage,
} from './request.ts';
import type { LoginEnding, Verdict } from './verdict.ts';
import {
  type CertificateCall,
  callAtPage,
  type DoorRequest,
  type LoginCall,
  type LoginDoor,
} from './view.ts';

/** Judges a login by secrets. @throws ServiceError `invalid_params`; as {@link judge} does */
export const login = (request: LoginRequest & LoginSecrets, call: LoginCall): Promise<LoginOutcome> =>
  measured(() => judge(findBySecrets(request, call), call), call);

/**
 * Judges secrets for an account that was found before: in a session of an application, say.
 * @throws ServiceError as {@link judge} does
 */
export const loginAs = (
  { secrets, ...who }: Omit<LoginAttempt, 'credentials'> & { readonly secrets: LoginSecrets },
  call: LoginCall,
): Promise<LoginOutcome> =>
  measured(async () => judge(Promise.resolve(withSecrets(who, secrets, call)), call), call);

/** Returns whether {@link loginAs} grants: an attempt that is not judged is answered in the words of a wrong one. */
export async function isGranted(attempt: AttemptInSession, call: LoginCall): Promise<boolean> {
  try {
    return (await loginAs(attempt, call)).kind === 'granted';
  } catch (error) {
    if (isReason(error, 'too_many_attempts')) return false;
    throw error;
  }
}

/**
 * Judges the answer to a challenge. With another user's name it fails, and the session lives on.
 * @throws ServiceError `invalid_params`, `not_found`; as {@link judge} does
 */
export const answerChallenge = (answer: ChallengeAnswer, call: LoginCall): Promise<LoginOutcome> =>
  measured(() => judge(findByAnswer(answer, call), call), call);

/** Judges the form of a page of ours: a login, or the answer to a challenge. @throws ServiceError as both do */
export function loginAtPage(shown: ShownAtPage, door: LoginDoor, asked: DoorRequest): Promise<LoginOutcome> {
  const call = callAtPage(door, asked);
  return shown.session === undefined
    ? login(requestAtPage(shown, door.demand), call)
    : answerChallenge(shown, call);
}

/** The outcome of a login with a certificate, and the user that it names. */
export interface CertificateOutcome extends AccountName {
  readonly outcome: LoginOutcome;
}

/** Judges a login with a certificate. @throws ServiceError `invalid_params`; as {@link judge} does */
export async function loginWithCertificate(
  request: CertificateLogin,
  call: CertificateCall,
): Promise<CertificateOutcome> {
  const attempting = findByCertificate(request, call);
  const outcome = await measured(() => judge(attempting, call), call);
  const { loginContext, found } = await attempting;
  const { name, domain } = loginContext.named;
  // Servers in the field answer the name as the certificate spells it.
  const isCanonical = found.account && call.dialect.answersCanonicalNames;
  return {
    outcome,
    ...(isCanonical ? nameOf(found.account) : { username: name, domain: domain?.name ?? '' }),
  };
}

/**
 * @throws ServiceError `too_many_attempts` during a lockout that ends; `not_found` where the session of a challenge has ended; `unavailable` where the
 *   attempt cannot be judged, which counts for no user
 */
async function judge(finding: Promise<LoginAttempt>, call: LoginCall): Promise<LoginOutcome> {
  const attempt = await finding;
  const stages = new PhaseTimer(call, attempt.begun);
  stages.end('find');
  const admitted = await call.limits.admit(limitsAttempt(attempt, call));
  stages.end('admit');
  if (admitted.kind === 'refused') return refuse(admitted, attempt, call);
  try {
    const verdict = await prove(attempt, admitted, call);
    stages.end('prove');
    const committed = await commit(verdict, { attempt, admitted }, call);
    stages.end('commit');
    return await finish(committed, { attempt, verdict }, call);
  } finally {
    // Not awaited: the user lock and the tokens are released, unless the commit did.
    call.limits.leave(admitted);
  }
}

function limitsAttempt(attempt: LoginAttempt, call: LoginCall): LimitsAttempt {
  const { loginContext, found } = attempt;
  const isNobody = !found.account && found.isUnknownUser === true;
  const user = isNobody ? absentUserKey(found.dn, call.keys) : userKey(found.dn);
  const { rules } = found.account ?? found;
  const { source, requester } = loginContext;
  const { withoutPassword: single, combined, reads, prefetch } = limitsView(attempt);
  return {
    family: 'web',
    user,
    source,
    signal: requester.signal,
    rules,
    withoutPassword: single,
    combined,
    reads,
    prefetch,
  };
}

function refuse(refusal: Refused, attempt: LoginAttempt, call: LoginCall): Promise<LoginOutcome> {
  logRefusal(attempt, refusal, call);
  return answer({ outcome: { kind: 'refused' } }, { attempt, refusal }, call);
}

/** Runs the consequences, and answers. */
async function finish(
  { ending, happened, unrecorded, refusal }: Committed,
  { attempt, verdict }: { readonly attempt: LoginAttempt; readonly verdict: Verdict },
  call: LoginCall,
): Promise<LoginOutcome> {
  const { outcome, prepared, result, isDelayed } = ending;
  if (prepared) call.outbox.wake(prepared);
  countCode(verdict, result.end, call);
  const following = result.end === 'granted' ? afterGrant(verdict, call) : undefined;
  if (following) await following;
  if (happened.length > 0) await afterLimitEvents({ happened, unrecorded }, attempt, call);
  if (outcome instanceof ServiceError) throw outcome;
  return outcome.kind === 'granted'
    ? naming(outcome, attempt.found.account)
    : answer({ outcome, isDelayed }, { attempt, refusal }, call);
}

/** Answers a refusal or a challenge, at a time that shows nothing. @param refusal the lockout or the rate limit of a failure */
async function answer(
  {
    outcome,
    isDelayed,
  }: { readonly outcome: LoginOutcome; readonly isDelayed?: LoginEnding['isDelayed'] | undefined },
  {
    attempt: { begun, found },
    refusal,
  }: { readonly attempt: LoginAttempt; readonly refusal?: Pick<Refused, 'secondsLeft'> | undefined },
  { config, clock }: LoginCall,
): Promise<LoginOutcome> {
  const { login_failure_delay_ms: delay } = config.limits;
  if (outcome.kind === 'refused') await waitOut(begun, delay, clock);
  else if (isDelayed) await waitOut(begun, Math.min(delay, quickAnswer), clock);
  // A refusal without an end is answered as wrong credentials: a caller has nothing to wait for.
  const secondsLeft = refusal?.secondsLeft;
  if (outcome.kind === 'refused' && secondsLeft !== undefined) throw tooMany(secondsLeft);
  return naming(outcome, found.account);
}

/** Milliseconds; longer than a user takes to be found as a rule, and short for a client that waits. */
const quickAnswer = 100;
