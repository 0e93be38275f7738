/**
 * Checks of users' passwords and codes by administrators. Failures count in a scope of the administrator
 * (docs/concepts/callers-and-sources.md#administrators), so that an administrator with few rights cannot guess without limit.
 */
import type { ServiceConfig } from '../../config/config.ts';
import {
  type AuditReport,
  auditReportOf,
  limitAuditEvent,
  logReports,
  type RecordingPorts,
} from '../../events/recorded.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Limits } from '../../limits/limits.ts';
import { type AttemptResult, fixedOutcome, type LimitsAttempt } from '../../limits/limits-attempt.ts';
import { tooMany } from '../../limits/refusal-answer.ts';
import { administratorSource, userKey } from '../../limits/source.ts';
import type { Transaction } from '../../table/method.ts';

/** The context of a try. */
export interface TrialView extends RecordingPorts {
  readonly administrator: Dn;
  readonly transaction: Transaction;
  readonly limits: Pick<Limits, 'admit' | 'commit' | 'leave'>;
  readonly config: Pick<ServiceConfig, 'limits'>;
}

export interface Trial<T> extends Pick<LimitsAttempt, 'withoutPassword'> {
  judge(): Promise<AttemptResult & { readonly answer: T }>;
}

/** Judges within the limits. @throws ServiceError `too_many_attempts`; what `judge` throws */
export async function judgeForAdministrator<T>(
  user: Dn,
  { withoutPassword: single, judge }: Trial<T>,
  call: TrialView,
): Promise<T> {
  const { user_failures: maxTries, user_block_s: blockTime } = call.config.limits;
  const source = administratorSource(call.administrator, `the administrator ${call.administrator}`);
  const entered = await call.limits.admit({
    ...{ family: 'web', as: 'administrator', user: userKey(user), source, withoutPassword: single },
    ...{ combined: 'none', rules: { maxTries, blockTime } },
  });
  if (entered.kind === 'refused') throw tooMany(entered.secondsLeft);
  const affected = { application: 'Manager', dn: user, user: user.toString(), place: source };
  try {
    const judged = await judge();
    const { reports } = await call.limits.commit(entered, {
      ...fixedOutcome(judged),
      report: (_, happened): readonly AuditReport[] =>
        happened.map((one) => auditReportOf(limitAuditEvent(one, affected), call.transaction, call)),
    });
    logReports(reports, call.log);
    return judged.answer;
  } finally {
    call.limits.leave(entered);
  }
}
