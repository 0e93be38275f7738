/**
 * One attempt to log in, whichever door it came by: in its turn, if the limits admit it, each with a line in the event
 * log. A refusal comes after `login_failure_delay_ms`, whatever it is for, so that neither its words nor its time tell
 * what was wrong (concepts.md §7, 8).
 */

import { disableToken } from '../authenticators/code/tried-code.ts';
import { tooMany } from '../directory/entry/judged.ts';
import { ServiceError } from '../errors/errors.ts';
import type { Admission, Attempter } from '../limits/attempter.ts';
import { waitOut } from '../limits/kept/answer-time.ts';
import type { Happening } from '../limits/kept/events.ts';
import { nobodyKey, userKey } from '../limits/kept/users-and-places.ts';
import type { Absent, Account } from './account/account.ts';
import { noteLogin } from './account/last-login.ts';
import { type Recorded, recordHappened, recordVerdict, tellRefusal } from './attempt-record.ts';
import type { LoginOutcome } from './login-request.ts';
import type { Verdict } from './verdict.ts';

export interface LoginAttempt extends Recorded, Pick<Attempter, 'alone' | 'together'> {}

/** How those are judged who are there, and those who are not. */
export interface Judges {
  readonly judge: (account: Account, admission: Admission) => Promise<Verdict>;
  readonly judgeAbsent: (absent: Absent, admission: Admission) => Promise<Verdict>;
}

/**
 * @throws ServiceError `too_many_attempts` where it is refused for some time, which is told; `unavailable` where it
 *   cannot be judged, which counts neither way
 */
export async function judgeAttempt(attempt: LoginAttempt, judges: Judges): Promise<LoginOutcome> {
  const { config, clock } = attempt.call;
  const { outcome, isHeldBack, secondsLeft } = await admit(attempt, judges);
  const { login_failure_delay_ms: delay } = config.limits;
  if (outcome.kind === 'refused') await waitOut(attempt.begun, delay, clock);
  else if (isHeldBack) await waitOut(attempt.begun, Math.min(delay, quickAnswer), clock);
  if (outcome.kind === 'refused' && secondsLeft !== undefined) throw tooMany(secondsLeft);
  return outcome;
}

/** In milliseconds: longer than it takes to find a user, as a rule, and short for whoever waits. */
const quickAnswer = 100;

/** A verdict that the caller may be told. */
interface Told extends Pick<Verdict, 'isHeldBack'> {
  readonly outcome: LoginOutcome;
  /** Of the refusal that it was judged under, or was not judged for. */
  readonly secondsLeft?: number | undefined;
}

/** The counters and the event log are written together: one commit, before anybody is told. */
async function admit(attempt: LoginAttempt, judges: Judges): Promise<Told> {
  const { limits } = attempt.call;
  const attempted = await limits.attempt(attempterOf(attempt), async (admission) => {
    const verdict = await judgeOne(attempt, judges, admission);
    const along = () => Promise.all([recordVerdict(attempt, verdict), noteGranted(attempt, verdict)]);
    return { ...verdict.counts, answer: verdict, along };
  });
  if (attempted.kind === 'refused') {
    tellRefusal(attempt, attempted);
    return { outcome: { kind: 'refused' }, secondsLeft: attempted.secondsLeft };
  }
  const { answer, happened, refusal } = attempted;
  if (happened.length > 0) await follow(attempt, happened);
  if (answer.outcome instanceof ServiceError) throw answer.outcome;
  return { ...answer, outcome: answer.outcome, secondsLeft: refusal?.secondsLeft };
}

function attempterOf({ visit, found, call, alone, together }: LoginAttempt): Attempter {
  const isNobody = !found.account && found.isNobody === true;
  const user = isNobody ? nobodyKey(found.dn, call.keys) : userKey(found.dn);
  const { rules } = found.account ?? found;
  return { family: 'web', user, place: visit.place, gone: visit.asker.signal, rules, alone, together };
}

const judgeOne = ({ found }: LoginAttempt, { judge, judgeAbsent }: Judges, admission: Admission) =>
  found.account ? judge(found.account, admission) : judgeAbsent(found, admission);

async function noteGranted({ found, call }: LoginAttempt, { outcome }: Verdict): Promise<void> {
  const isGranted = 'kind' in outcome && outcome.kind === 'granted';
  if (isGranted && found.account) await noteLogin(found.account, call);
}

/** What an attempt has brought about is on the entry, where people see it, and an event of its own. */
async function follow(attempt: LoginAttempt, happened: readonly Happening[]): Promise<void> {
  const { found, call } = attempt;
  for (const one of happened)
    if (one.kind === 'disabled' && found.account) await disableToken(found.account, one.key, call);
  await recordHappened(attempt, happened);
}
