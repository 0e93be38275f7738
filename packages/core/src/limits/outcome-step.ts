/** The commit of an attempt: its claims, its counters and its events in one step, with which the lock and the tokens are released. */
import type { AuditEvent } from '../ports/event-log/event-log.ts';
import type { CommitStep, KeyValues, Release } from '../ports/store/ledger.ts';
import { placeRefusal } from './admission-rules.ts';
import type { Admitted, Decision, Judged, Refused, Reported, Upshot } from './attempt.ts';
import { addOnce, count, countKeys } from './count.ts';
import type { LimitEvent } from './limit-events.ts';
import { unknownSources } from './source.ts';

/** The result of a commit. */
export interface Drawn<U, R> {
  readonly upshot: U;
  readonly reports: readonly R[];
  readonly happened: readonly LimitEvent[];
  /** See {@link Counted.refusal}. */
  readonly refusal?: Refused | undefined;
}

export function outcomeStep<U extends Upshot, R extends Reported>(
  admitted: Admitted,
  { possible, keys, decide, report }: Decision<U, R>,
): CommitStep<Drawn<U, R>> {
  const durable = countKeys(admitted.record, possible);
  for (const key of keys) addOnce(key, durable);
  return {
    durable,
    ephemeral: releaseKeys(
      admitted,
      possible.some(({ end }) => end === 'failed'),
    ),
    decide: (state) => {
      const upshot = decide(state);
      if (!upshot.counts) return { result: { upshot, reports: [], happened: [] } };
      const { values, happened } = count(upshot.counts, admitted, state);
      const reports = report(upshot, happened);
      return {
        result: { upshot, reports, happened, refusal: refusalOf(admitted, upshot.counts, state.now) },
        values: together(values, upshot.values),
        claims: upshot.claims,
        events: eventsOf(reports),
        release: releaseOf(admitted, upshot.counts),
      };
    },
  };
}

/** A failure at a source without tokens is answered as that of a user who is unknown there, so that it shows no known source. */
function refusalOf(
  { refusal, sourceExhausted, attempter: { as } }: Admitted,
  { end }: Judged,
  now: number,
): Refused | undefined {
  if (refusal) return refusal;
  return end === 'failed' && sourceExhausted && as === undefined ? placeRefusal(now) : undefined;
}

/** Most of it is nothing: a login that succeeds at a known source counts nothing. */
const together = (counted: ReturnType<typeof count>['values'], claimed: KeyValues = []): KeyValues =>
  counted.length === 0 ? claimed : [...counted, ...claimed];

function eventsOf(reports: readonly Reported[]): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (const { event } of reports) if (event) events.push(event);
  return events;
}

/** @param mayFail a failure spends a token of a known source, which was not taken */
export const releaseKeys = (
  { attempter, lock, tokens, kept = [] }: Pick<Admitted, 'attempter' | 'lock' | 'tokens' | 'kept'>,
  mayFail: boolean,
): readonly string[] =>
  mayFail || tokens.length + kept.length > 0
    ? [...attempter.place.buckets.map(({ key }) => key), lock.key]
    : [lock.key];

/** A failure keeps the tokens that were taken, and spends one of a known source. */
export function releaseOf(
  { attempter, scope, lock, tokens, kept = [] }: Admitted,
  { end }: Pick<Judged, 'end'>,
): readonly Release[] {
  const isFailed = end === 'failed';
  const releases: Release[] = [];
  for (const rule of kept) releases.push({ kind: 'tokens', key: rule.key, rule, change: 'return' });
  for (const rule of tokens)
    releases.push({ kind: 'tokens', key: rule.key, rule, change: isFailed ? 'keep' : 'return' });
  if (isFailed && scope !== unknownSources)
    for (const rule of attempter.place.buckets)
      releases.push({ kind: 'tokens', key: rule.key, rule, change: 'spend' });
  releases.push({ kind: 'unlock', ...lock });
  return releases;
}
