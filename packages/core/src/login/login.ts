/**
 * The login, one for all doors: SOAP, REST, the core in process (webservices.md §4). It goes in the order in which things
 * happen: the attempt is read (who asks, which account, what is shown), and enters, if the limits admit it; within its turn
 * what is shown is judged (prove), and what is right is used up, counted and recorded in one step (settle); then it is
 * answered. A refusal comes after `login_failure_delay_ms`, whatever it is for, so that neither
 * its words nor its time tell what was wrong (concepts.md §7, 8).
 */

import { disableToken } from '../authenticators/token/disabled-token.ts';
import { tooMany } from '../directory/entry/judged.ts';
import { type Report, recordDeed, tell } from '../events/recorded.ts';
import { isReason, noSession, ServiceError } from '../foundation/errors/errors.ts';
import { type Soon, soonWith } from '../foundation/runtime/soon.ts';
import type { Admitted } from '../limits/admitted.ts';
import type { Attempter, Counted, SettledAttempt } from '../limits/attempter.ts';
import { waitOut } from '../limits/kept/answer-time.ts';
import { nobodyKey, userKey } from '../limits/kept/users-and-places.ts';
import { nameOf, naming } from './account.ts';
import {
  type AttemptInSession,
  findByAnswer,
  findByCertificate,
  findBySecrets,
  withSecrets,
} from './attempt.ts';
import { claimOf, type LoginClaim, type LoginUpshot, noteClaimed } from './claim.ts';
import { notifyExpiry, notifyLockout } from './consequences.ts';
import { type LoginAttempt, waysOf } from './credentials.ts';
import { countCode, measured, Stages } from './measured.ts';
import { prove } from './proof.ts';
import { deedsOf, reportsOf, tellRefusal } from './record.ts';
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
): Promise<LoginOutcome> => measured(async () => judge(withSecrets(who, secrets, call), call), call);

/** {@link loginAs}, where what is not judged is answered in the same words as what is wrong. */
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

/** Judges what a browser has sent to a page of ours: a login, or the answer to a challenge. @throws ServiceError as both do */
export function loginAtPage(shown: ShownAtPage, door: LoginDoor, asked: DoorRequest): Promise<LoginOutcome> {
  const call = callAtPage(door, asked);
  return shown.session === undefined
    ? login(requestAtPage(shown, door.demand), call)
    : answerChallenge(shown, call);
}

/** Who it is, where it is granted. */
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
  // As its certificate spells it, as servers in the field answer it.
  const isCanonical = found.account && call.dialect.answersOurs;
  return {
    outcome,
    ...(isCanonical ? nameOf(found.account) : { username: name, domain: domain?.name ?? '' }),
  };
}

/**
 * @throws ServiceError `too_many_attempts` where it is refused for some time, which is told; `not_found` where the session
 *   of a challenge has ended; `unavailable` where it cannot be judged, which counts neither way
 */
async function judge(attempting: Soon<LoginAttempt>, call: LoginCall): Promise<LoginOutcome> {
  const attempt = await attempting;
  const stages = new Stages(call, attempt.begun);
  stages.end('find');
  const entered = await call.limits.enter(attempterOf(attempt, call));
  stages.end('enter');
  if (entered.kind === 'refused') {
    tellRefusal(attempt, entered, call);
    return answer({ outcome: { kind: 'refused' }, secondsLeft: entered.secondsLeft }, attempt, call);
  }
  const { verdict, settled } = await takeTurn(entered, { attempt, stages }, call);
  if (settled.happened.length > 0) await follow(settled, attempt, call);
  const { outcome, isHeldBack } = verdict;
  if (outcome instanceof ServiceError) throw outcome;
  const told = { outcome, isHeldBack, secondsLeft: settled.refusal?.secondsLeft };
  return outcome.kind === 'granted' ? naming(outcome, attempt.found.account) : answer(told, attempt, call);
}

function attempterOf(attempt: LoginAttempt, call: LoginCall): Attempter {
  const { loginContext, found } = attempt;
  const isNobody = !found.account && found.isNobody === true;
  const user = isNobody ? nobodyKey(found.dn, call.keys) : userKey(found.dn);
  const { rules } = found.account ?? found;
  const { place, asker } = loginContext;
  const { alone, together, reads, foreseen } = waysOf(attempt);
  return { family: 'web', user, place, gone: asker.signal, rules, alone, together, reads, foreseen };
}

interface Judgement {
  readonly verdict: LoginEnding;
  readonly settled: Counted;
}

/** Whatever comes of it, the next one has the turn then. */
async function takeTurn(
  entered: Admitted,
  { attempt, stages }: { readonly attempt: LoginAttempt; readonly stages: Stages },
  call: LoginCall,
): Promise<Judgement> {
  try {
    const proof = await prove(attempt, entered, call);
    stages.end('prove');
    for (;;) {
      const settled = await settle(proof, entered, attempt, call);
      const { verdict } = settled.upshot;
      if (verdict === 'gone') throw noSession();
      if (verdict === 'again') continue;
      const following = followed(verdict, proof, call);
      if (following) await following;
      stages.end('settle');
      return { verdict, settled };
    }
  } finally {
    if (!entered.hasLeft) await entered.leave();
  }
}

/** Claimed, counted and on record in one step, before anybody is told. */
function settle(
  proof: Verdict,
  entered: Admitted,
  attempt: LoginAttempt,
  call: LoginCall,
): Promise<SettledAttempt<LoginUpshot>> {
  const deciding = { entered, attempt, call };
  return soonWith(claimOf(proof, attempt.loginContext, call), settleClaim, deciding);
}

function settleClaim(
  { keys, possible, decide }: LoginClaim,
  { entered, attempt, call }: Deciding,
): Promise<SettledAttempt<LoginUpshot>> {
  return entered.settle({
    keys,
    possible,
    decide,
    report: ({ verdict }: LoginUpshot, happened) =>
      typeof verdict === 'string' ? [] : reportsOf(attempt, verdict, happened, call),
    tell: (reports: readonly Report[]) => tell(reports, call.log),
  });
}

interface Deciding {
  readonly entered: Admitted;
  readonly attempt: LoginAttempt;
  readonly call: LoginCall;
}

/** What follows once all of it is durable; undefined: nothing that anybody waits for. */
function followed(
  { posted, counts: { end } }: LoginEnding,
  proof: Verdict,
  call: LoginCall,
): Promise<void> | undefined {
  if (posted) call.outbox.notice(posted);
  countCode(proof, end, call);
  if (end !== 'granted') return undefined;
  const noting = noteClaimed(proof, call);
  return noting ? noting.then(() => notifyExpiry(proof, call)) : notifyExpiry(proof, call);
}

/** What an attempt has brought about is on the entry, where people see it. */
async function follow({ happened, late }: Counted, attempt: LoginAttempt, call: LoginCall): Promise<void> {
  const { account } = attempt.found;
  for (const one of happened)
    if (one.kind === 'disabled' && account) await disableToken(account, one.key, call);
  await notifyLockout(attempt, happened, call);
  for (const deed of deedsOf(attempt, late, call)) await recordDeed(deed, call.transaction, call);
}

/** What the caller is told, and when. */
interface Told {
  readonly isHeldBack?: boolean | undefined;
  readonly outcome: LoginOutcome;
  /** Of the refusal that it was judged under, or was not judged for. */
  readonly secondsLeft?: number | undefined;
}

async function answer(
  { outcome, isHeldBack, secondsLeft }: Told,
  { begun, found }: LoginAttempt,
  { config, clock }: LoginCall,
): Promise<LoginOutcome> {
  const { login_failure_delay_ms: delay } = config.limits;
  if (outcome.kind === 'refused') await waitOut(begun, delay, clock);
  else if (isHeldBack) await waitOut(begun, Math.min(delay, quickAnswer), clock);
  if (outcome.kind === 'refused' && secondsLeft !== undefined) throw tooMany(secondsLeft);
  return naming(outcome, found.account);
}

/** In milliseconds: longer than it takes to find a user, as a rule, and short for whoever waits. */
const quickAnswer = 100;
