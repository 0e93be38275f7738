/**
 * One attempt to log in, whichever door it came by: those of a user one after the other, as many as the throttles
 * admit, each with a line in the event log. A refusal comes after `login_failure_delay_ms`, whatever it is for, so
 * that neither its words nor its time tell what was wrong (concepts.md §7, 8).
 */
import type { Core } from '../core.ts';
import { isReason, ServiceError } from '../errors.ts';
import type { OperationCall } from '../operation.ts';
import { recordDeed } from '../recorded.ts';
import { addressSubject, type Leave, type Subject } from '../throttle.ts';
import type { Absent, Account, Found } from './account.ts';
import { blockSubjects } from './block.ts';
import { noteLogin } from './last-login.ts';
import type { LoginOutcome } from './login-request.ts';
import { placeOf, type Visit } from './visit.ts';

/** Whose failure it was. Only a right password lets a wrong code count against the token: nobody else can lock it. */
export type Blamed = 'address' | 'user' | 'token';

export interface Verdict {
  /** An error: the login could not be brought to an end, and the caller is told nothing else. */
  readonly outcome: LoginOutcome | ServiceError;
  readonly blamed: readonly Blamed[];
  /** Whose failures are forgotten. */
  readonly forgiven?: readonly Blamed[];
  /** What happened, for the event log: `granted by password and TOKEN`. */
  readonly text: string;
  /** Only a line in the log: nothing was shown, and anybody may do it as often as they like. */
  readonly isNoEvent?: boolean;
  /** It is answered at a moment that tells nothing of what was looked for. */
  readonly isHeldBack?: boolean;
}

export interface Attempt {
  readonly visit: Visit;
  readonly found: Found;
  readonly call: OperationCall;
  /** When the request came, in milliseconds since 1970. */
  readonly begun: number;
}

export const refused = (text: string, ...blamed: readonly Blamed[]): Verdict => ({
  outcome: { kind: 'refused' },
  blamed,
  text: `refused: ${text}`,
});

/**
 * @param judge judges the secrets of an account; whoever has none is judged by `judgeAbsent`
 * @throws ServiceError `unavailable` where it cannot be judged; that counts neither way
 */
export async function judgeAttempt(
  attempt: Attempt,
  judges: {
    judge: (account: Account) => Promise<Verdict>;
    judgeAbsent: (absent: Absent) => Promise<Verdict>;
  },
): Promise<LoginOutcome> {
  const { found, begun } = attempt;
  const { core } = attempt.call;
  const judgeOne = () => (found.account ? judges.judge(found.account) : judges.judgeAbsent(found));
  const { outcome, isHeldBack } = await core.throttle.turns.run(found.dn.key, () => admit(attempt, judgeOne));
  const { login_failure_delay_ms: delay } = core.config.limits;
  if (outcome.kind === 'refused') await waitOut(begun, delay, core);
  else if (isHeldBack) await waitOut(begun, Math.min(delay, quickAnswer), core);
  return outcome;
}

/** In milliseconds: longer than it takes to find a user, as a rule, and short for whoever waits. */
const quickAnswer = 100;

/** Keeps an answer back until a whole multiple of so many milliseconds has passed, whatever it took to judge. */
async function waitOut(begun: number, step: number, { clock }: Core): Promise<void> {
  const passed = clock.now() - begun;
  const end = Math.max(1, Math.ceil(passed / (step || 1))) * step;
  await clock.sleep(Math.max(0, end - passed));
}

/** A verdict that the caller may be told. */
type Told = Omit<Verdict, 'outcome'> & { readonly outcome: LoginOutcome };

async function admit(attempt: Attempt, judge: () => Promise<Verdict>): Promise<Told> {
  const { throttle, log } = attempt.call.core;
  const subjects = subjectsOf(attempt);
  try {
    const leave = await throttle.enter(known(Object.values(subjects)));
    return await conclude(attempt, { subjects, leave, judge });
  } catch (error) {
    if (!isReason(error, 'too_many_attempts')) throw error;
    // Not in the event log: whoever is blocked already must not fill the disk.
    const { id, client } = attempt.call.transaction;
    const why = { outcome: 'refused', reason: 'too_many_attempts' };
    log.warn('a login was refused', { transaction: id, client, ...asker(attempt), ...why });
    return { outcome: { kind: 'refused' }, blamed: [], text: 'refused: too many failures' };
  }
}

/** A caller that answers for none of its users has no counter. */
type Subjects = Readonly<Record<Blamed, Subject | undefined>>;

const known = (subjects: readonly (Subject | undefined)[]): readonly Subject[] =>
  subjects.filter((subject) => subject !== undefined);

interface Admitted {
  readonly subjects: Subjects;
  readonly leave: Leave;
  readonly judge: () => Promise<Verdict>;
}

/** The counters and the event log are written together: one commit, before anybody is told. */
async function conclude(attempt: Attempt, { subjects, leave, judge }: Admitted): Promise<Told> {
  let ended: Parameters<Leave>[0] = {};
  let told: Promise<unknown> | undefined;
  try {
    const verdict = await judge();
    const { outcome, blamed, forgiven = [] } = verdict;
    const those = (which: readonly Blamed[]) => known(which.map((one) => subjects[one]));
    ended = { failed: those(blamed), forgiven: those(forgiven) };
    told = Promise.all([record(attempt, verdict), noteGranted(attempt, outcome)]);
    if (outcome instanceof ServiceError) throw outcome;
    return { ...verdict, outcome };
  } finally {
    await Promise.all([told, leave(ended)]);
  }
}

async function noteGranted({ found, call }: Attempt, outcome: Verdict['outcome']): Promise<void> {
  const isGranted = 'kind' in outcome && outcome.kind === 'granted';
  if (isGranted && found.account) await noteLogin(found.account, call.core);
}

function subjectsOf({ visit, found, call: { core } }: Attempt): Subjects {
  const place = placeOf(visit);
  const address = place === undefined ? undefined : addressSubject(place, core.config.limits, 'web');
  return { address, ...blockSubjects(found.dn, found, core) };
}

async function record(attempt: Attempt, verdict: Verdict): Promise<void> {
  const { visit, found, call, begun } = attempt;
  const { core, transaction } = call;
  const { text, isNoEvent } = verdict;
  const who = JSON.stringify(asker(attempt).user);
  const where = JSON.stringify(visit.policy.name);
  const source = visit.source === undefined ? '' : `, source ${visit.source}`;
  const deed = {
    application: core.names.theirs('Otp'),
    source: visit.source,
    ...(found.account && { dn: found.dn }),
    text: `Login of ${who} at ${where}${source}: ${text}`,
    facts: { ...asker(attempt), ...ending(verdict), milliseconds: core.clock.now() - begun },
    isNoEvent,
  };
  await recordDeed(deed, transaction, core);
}

/** Who asks for what, for the log. */
const asker = ({ visit: { named }, call }: Attempt) => ({
  user: named.domain ? `${named.domain.name}\\${named.name}` : named.name,
  operation: call.operation,
});

function ending({ outcome, text }: Verdict): { outcome: string; reason?: string } {
  if (outcome instanceof ServiceError) return { outcome: 'failed', reason: outcome.reason };
  if (outcome.kind !== 'refused') return { outcome: outcome.kind };
  return { outcome: 'refused', reason: text.replace(/^refused: /, '') };
}
