/**
 * One attempt to log in, whichever door it came by: those of a user one after the other, as many as the throttles
 * admit, each with a line in the event log. A refusal comes after `login_failure_delay_ms`, whatever it is for, so
 * that neither its words nor its time tell what was wrong (concepts.md §7, 8).
 */
import type { Core } from '../core.ts';
import { isReason, ServiceError } from '../errors.ts';
import type { OperationCall } from '../operation.ts';
import { type AuditEvent, formatAuditLine, printable } from '../ports/records.ts';
import { addressSubject, type Subject } from '../throttle.ts';
import type { Account, Found } from './account.ts';
import { blockSubjects } from './block.ts';
import type { LoginOutcome } from './login-request.ts';
import type { Visit } from './visit.ts';

/** Whose failure it was. Only a right password lets a wrong code count against the token: nobody else can lock it. */
export type Blamed = 'address' | 'user' | 'token';

export interface Verdict {
  /** An error: the login could not be brought to an end, and the caller is told nothing else. */
  readonly outcome: LoginOutcome | ServiceError;
  readonly blamed: readonly Blamed[];
  /** What happened, for the event log: `granted by password and TOKEN`. */
  readonly text: string;
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
  judges: { judge: (account: Account) => Promise<Verdict>; judgeAbsent: () => Promise<void> },
): Promise<LoginOutcome> {
  const { found, begun } = attempt;
  const { core } = attempt.call;
  const judgeOne = async () => {
    if (found.account) return judges.judge(found.account);
    await judges.judgeAbsent();
    return refused(found.why, 'address', 'user');
  };
  const outcome = await core.throttle.turns.run(found.dn.key, () => admit(attempt, judgeOne));
  if (outcome.kind === 'refused') await waitOut(begun, core);
  return outcome;
}

/** Keeps a refusal back until all refusals come. */
export async function waitOut(begun: number, { clock, config }: Core): Promise<void> {
  await clock.sleep(Math.max(0, begun + config.limits.login_failure_delay_ms - clock.now()));
}

async function admit(attempt: Attempt, judge: () => Promise<Verdict>): Promise<LoginOutcome> {
  const { throttle, log } = attempt.call.core;
  const subjects = subjectsOf(attempt);
  try {
    const leave = await throttle.enter(Object.values(subjects));
    return await conclude(attempt, { subjects, leave, judge });
  } catch (error) {
    if (!isReason(error, 'too_many_attempts')) throw error;
    // Not in the event log: whoever is blocked already must not fill the disk.
    log.warn('a login was refused: too many failures', { transaction: attempt.call.transaction.id });
    return { kind: 'refused' };
  }
}

interface Admitted {
  readonly subjects: Readonly<Record<Blamed, Subject>>;
  readonly leave: (failed: readonly Subject[]) => Promise<void>;
  readonly judge: () => Promise<Verdict>;
}

/** The counters and the event log are written together: one commit, before anybody is told. */
async function conclude(attempt: Attempt, { subjects, leave, judge }: Admitted): Promise<LoginOutcome> {
  let failed: readonly Subject[] = [];
  let told: Promise<void> | undefined;
  try {
    const verdict = await judge();
    failed = verdict.blamed.map((blamed) => subjects[blamed]);
    told = record(attempt, verdict);
    if (verdict.outcome instanceof ServiceError) throw verdict.outcome;
    return verdict.outcome;
  } finally {
    await Promise.all([told, leave(failed)]);
  }
}

function subjectsOf({ visit, found, call: { core } }: Attempt): Readonly<Record<Blamed, Subject>> {
  const address = addressSubject(visit.source ?? visit.address, core.config.limits);
  return { address, ...blockSubjects(found.dn, found.account, core) };
}

async function record({ visit, found, call }: Attempt, { text }: Verdict): Promise<void> {
  const { core, transaction } = call;
  const { name, domain } = visit.named;
  const who = JSON.stringify(domain ? `${domain.name}\\${name}` : name);
  const where = JSON.stringify(visit.policy.name);
  const source = visit.source === undefined ? '' : `, source ${visit.source}`;
  const event: AuditEvent = {
    time: core.clock.now(),
    client: transaction.client,
    host: core.host,
    ...(visit.source !== undefined && { source: visit.source }),
    application: core.names.theirs('Otp'),
    session: transaction.id,
    ...(found.account && { dn: found.dn.format() }),
    text: printable(`Login of ${who} at ${where}${source}: ${text}`),
  };
  core.log.info(formatAuditLine(event), { transaction: transaction.id, audit: true });
  await core.events.append(event);
}
