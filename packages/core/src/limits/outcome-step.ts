/** The commit of an attempt: writes its claims, counters and events in one step, which also releases the user lock and the tokens. */
import type { AuditEvent } from '../ports/event-log/event-log.ts';
import type { CommitStep, KeyValues, LockRelease } from '../ports/store/ledger.ts';
import { sourceRefusal } from './admission-rules.ts';
import { addOnce, count, countKeys } from './count.ts';
import type { LimitEvent } from './limit-events.ts';
import type {
  Admitted,
  AttemptOutcome,
  AttemptResult,
  PossibleOutcomes,
  Refused,
  Reported,
} from './limits-attempt.ts';
import { unknownSources } from './source.ts';

/** The result of a commit. */
export interface StepResult<U, R> {
  readonly outcome: U;
  readonly reports: readonly R[];
  readonly happened: readonly LimitEvent[];
  /** See {@link Counted.refusal}. */
  readonly refusal?: Refused | undefined;
}

export function outcomeStep<U extends AttemptOutcome, R extends Reported>(
  admitted: Admitted,
  { possible, keys, decide, report }: PossibleOutcomes<U, R>,
): CommitStep<StepResult<U, R>> {
  const durable = countKeys(admitted.recordKey, possible);
  for (const key of keys) addOnce(key, durable);
  return {
    durable,
    ephemeral: releaseKeys(
      admitted,
      possible.some(({ end }) => end === 'failed'),
    ),
    decide: (state) => {
      const outcome = decide(state);
      if (!outcome.result) return { result: { outcome, reports: [], happened: [] } };
      const { values, happened } = count(outcome.result, admitted, state);
      const reports = report(outcome, happened);
      return {
        result: { outcome, reports, happened, refusal: refusalOf(admitted, outcome.result, state.now) },
        values: combined(values, outcome.values),
        claims: outcome.claims,
        events: eventsOf(reports),
        release: releaseOf(admitted, outcome.result),
      };
    },
  };
}

/** A failure at a source without tokens is answered as that of a user who is unknown there, so that it shows no known source. */
function refusalOf(
  { refusal, sourceExhausted, attempt: { as } }: Admitted,
  { end }: AttemptResult,
  now: number,
): Refused | undefined {
  if (refusal) return refusal;
  return end === 'failed' && sourceExhausted && as === undefined ? sourceRefusal(now) : undefined;
}

/** Most of it is nothing: a login that succeeds at a known source counts nothing. */
const combined = (counted: ReturnType<typeof count>['values'], claimed: KeyValues = []): KeyValues =>
  counted.length === 0 ? claimed : [...counted, ...claimed];

function eventsOf(reports: readonly Reported[]): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (const { event } of reports) if (event) events.push(event);
  return events;
}

/** @param mayFail a failure spends a token of a known source, which was not taken */
export const releaseKeys = (
  {
    attempt,
    lock,
    rateTokens,
    returnedTokens = [],
  }: Pick<Admitted, 'attempt' | 'lock' | 'rateTokens' | 'returnedTokens'>,
  mayFail: boolean,
): readonly string[] =>
  mayFail || rateTokens.length + returnedTokens.length > 0
    ? [...attempt.source.buckets.map(({ key }) => key), lock.key]
    : [lock.key];

/** A failure keeps the tokens that were taken, and spends one of a known source. */
export function releaseOf(
  { attempt, scopeId: scope, lock, rateTokens, returnedTokens = [] }: Admitted,
  { end }: Pick<AttemptResult, 'end'>,
): readonly LockRelease[] {
  const isFailed = end === 'failed';
  const releases: LockRelease[] = [];
  for (const rule of returnedTokens) releases.push({ kind: 'tokens', key: rule.key, rule, change: 'return' });
  for (const rule of rateTokens)
    releases.push({ kind: 'tokens', key: rule.key, rule, change: isFailed ? 'keep' : 'return' });
  if (isFailed && scope !== unknownSources)
    for (const rule of attempt.source.buckets)
      releases.push({ kind: 'tokens', key: rule.key, rule, change: 'spend' });
  releases.push({ kind: 'unlock', ...lock });
  return releases;
}
