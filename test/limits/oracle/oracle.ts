/**
 * The oracle: the limits as one reads them (docs/concepts/limits.md), slow and without a thought of nodes, disks and races. It
 * shares no code with the product. An attempt goes in, what has to be answered comes out, and what is remembered changes.
 */
import type { Attempt, Judged } from './oracle-attempt.ts';
import { Buckets } from './oracle-buckets.ts';
import { type Failed, type Granted, judge, type Verdict } from './oracle-judgement.ts';
import { Pace } from './oracle-pace.ts';
import type { Person } from './oracle-people.ts';
import { added, day, left, second, UserRecord } from './oracle-records.ts';
import { type Source, sourceOf } from './oracle-sources.ts';
import { alive, failed, lockoutLeft, succeeded } from './oracle-streaks.ts';

export interface OracleOptions {
  /** `directory_failures` */
  readonly directory?: { readonly most: number; readonly minutes: number };
  /** False: nothing is judged during a lockout. */
  readonly judgesRefused?: boolean;
}

const unknownSources = 'strangers';
/** Authenticator cap. */
const most = 100;

/** Daily quota. */
const quotaOf = ({ maxTries }: Person): number => Math.max(10, 2 * maxTries);

interface AttemptContext {
  readonly person: Person;
  readonly record: UserRecord;
  readonly source: Source;
  /** The source, if the user is known there; else the unknown sources together. */
  readonly scope: string;
  readonly now: number;
}

export class Oracle {
  readonly #options: OracleOptions;
  readonly #users = new Map<string, UserRecord>();
  readonly #buckets = new Buckets();
  readonly #pace = new Pace();
  readonly events: string[] = [];

  constructor(options: OracleOptions = {}) {
    this.#options = options;
  }

  record(name: string): UserRecord {
    const found = this.#users.get(name) ?? new UserRecord();
    this.#users.set(name, found);
    return found;
  }

  attempt(attempt: Attempt, now = attempt.at): Judged {
    const { person, credentials } = attempt;
    const source =
      'answer' in credentials ? credentials.challenge.source : sourceOf(attempt.caller, attempt.source);
    const record = this.record(person.name);
    record.setBack(now);
    const context = {
      person,
      record,
      source,
      now,
      scope: record.isKnown(source.id, now) ? source.id : unknownSources,
    };
    const closed = this.#closed(context);
    if (closed > 0) return { kind: 'refused', left: closed, at: now };
    const refusal = this.#refusal(context);
    const verdict = this.#judge(attempt, context, refusal?.since);
    if (verdict.kind === 'unjudged') return { kind: 'refused', left: refusal?.left ?? 0, at: now };
    const wait = this.#wait(verdict, context);
    if (wait > 0) return this.attempt(attempt, now + wait);
    return this.#conclude(verdict, context, refusal?.left ?? 0);
  }

  /**
   * A clock is set back, and something that is over by the old time would not be by the new one: what then is, neither
   * rules nor cases say.
   */
  isOpen(name: string, before: number, now: number): boolean {
    const { streaks, quotas, block, directory } = this.record(name);
    const spans = [...streaks.values(), ...quotas.values(), block, directory];
    const isBack = spans.some((span) => span && left(span, before) === 0 && span.start + span.length > now);
    return isBack || [...streaks.values()].some((streak) => streak.end <= before && streak.end > now);
  }

  /** Block_Start. @param length in milliseconds */
  block(name: string, now: number, length = Number.POSITIVE_INFINITY): void {
    const record = this.record(name);
    record.block = { start: now, length };
    for (const { source } of record.known) record.forget(source);
  }

  /** Block_Reset. */
  reset(name: string): void {
    const record = this.record(name);
    record.block = undefined;
    record.streaks.clear();
    record.quotas.clear();
    record.wrong.clear();
  }

  /** An administrator makes a new start for one authenticator. */
  renew(name: string, key: string): void {
    this.record(name).wrong.delete(key);
  }

  /** Nothing is judged: a block, the daily quota, the directory budget. In milliseconds. */
  #closed({ record, person, scope, now }: AttemptContext): number {
    const sum = record.quotas.get(scope);
    const separate = sum ? sum.count - (sum.combined ?? 0) : 0;
    const used = sum && separate >= quotaOf(person) ? left(sum, now) : 0;
    const seen = scope === unknownSources && this.#binds(record, now) <= 0 ? left(record.directory, now) : 0;
    const closed = Math.max(left(record.block, now), used, seen);
    return closed > 0 ? Math.max(closed, lockoutLeft(record.streaks.get(scope), now)) : 0;
  }

  /** During a lockout, or at a source without tokens, only what is complete is judged. */
  #refusal({ record, source, scope, now }: AttemptContext): { since: number; left: number } | undefined {
    const streak = alive(record.streaks.get(scope), now);
    const [ofUser, ofSource] = [
      left(streak, now),
      scope === unknownSources ? this.#buckets.empty(source, now) : 0,
    ];
    if (ofUser === 0 && ofSource === 0) return undefined;
    // No challenge begins while a source has no token: those that exist began before.
    const since = ofUser > 0 && streak ? streak.start : Number.POSITIVE_INFINITY;
    return { since, left: Math.max(ofUser, ofSource) };
  }

  #judge(
    attempt: Attempt,
    { record, person, scope, now }: AttemptContext,
    refusedSince: number | undefined,
  ): Verdict {
    const sum = record.quotas.get(scope);
    return judge(attempt, {
      ...{ now, refusedSince, judgesRefused: this.#options.judgesRefused ?? true },
      isDoomed: left(sum, now) > 0 && sum !== undefined && sum.count >= quotaOf(person),
      isTriedAlone: (key) => scope !== unknownSources || record.wrongOf(key).count < most,
      isTried: (key) => record.wrongOf(key).afterPassword < most,
      binds: scope === unknownSources ? this.#binds(record, now) : Number.POSITIVE_INFINITY,
    });
  }

  #binds({ directory }: UserRecord, now: number): number {
    const { most } = this.#options.directory ?? { most: Number.POSITIVE_INFINITY };
    return most - (left(directory, now) > 0 ? (directory?.count ?? 0) : 0);
  }

  #wait(verdict: Verdict, { person, source, scope, now }: AttemptContext): number {
    const isPaced = scope === unknownSources && 'isCombined' in verdict && verdict.isCombined;
    return isPaced ? this.#pace.wait(person.name, source, now) : 0;
  }

  #conclude(verdict: Exclude<Verdict, { kind: 'unjudged' }>, context: AttemptContext, left: number): Judged {
    const { now: at, source } = context;
    this.#buckets.judged(source, at, verdict.kind === 'failed');
    if ('wrongBinds' in verdict) this.#countBinds(verdict.wrongBinds, context);
    switch (verdict.kind) {
      case 'challenge':
        return {
          kind: 'challenge',
          at,
          challenge: { afterPassword: verdict.afterPassword, begun: at, source },
        };
      case 'granted':
        this.#succeed(verdict, context);
        return { kind: 'granted', concat: verdict.concat, at };
      case 'failed':
        this.#fail(verdict, context);
        return verdict.isCombined ? { kind: 'refused', left, at } : { kind: 'failed', at };
    }
  }

  #countBinds(by: number, { record, scope, now }: AttemptContext): void {
    const { directory } = this.#options;
    if (!directory || scope !== unknownSources || by === 0) return;
    record.directory = added(record.directory, { by, now, length: directory.minutes * 60 * second });
  }

  /** A full success. */
  #succeed(verdict: Granted, { record, source, scope, now }: AttemptContext): void {
    verdict.useUp();
    for (const key of verdict.used) record.wrong.delete(key);
    const streak = alive(record.streaks.get(scope), now);
    if (streak) record.streaks.set(scope, succeeded(streak, now));
    record.learn(source.id, now);
  }

  #fail(verdict: Failed, context: AttemptContext): void {
    const { record, now } = context;
    if (verdict.passwords > 0) record.wrongOf('password').count += verdict.passwords;
    for (const key of verdict.codes) {
      record.wrongOf(key).count += 1;
      if (verdict.afterPassword) record.wrongOf(key).afterPassword += 1;
    }
    if (verdict.takesQuota) {
      const one = { by: 1, now, length: day, combined: verdict.isCombined ? 1 : 0 };
      record.quotas.set(context.scope, added(record.quotas.get(context.scope), one));
    }
    if (verdict.countsInStreak) this.#countInStreak(verdict, context);
  }

  #countInStreak({ passwords, codes }: Failed, { record, person, scope, now }: AttemptContext): void {
    const known = scope !== unknownSources;
    const streak = failed(record.streaks.get(scope), { ...person, known }, now);
    record.streaks.set(scope, streak);
    if (streak.failures > 0) return;
    const wrong = [...(passwords > 0 ? ['password'] : []), ...codes];
    const isClosed = wrong.some((key) => record.wrongOf(key).count >= most);
    if (known && isClosed) record.forget(scope);
    this.events.push(
      known && isClosed ? `${person.name} forgets ${scope}` : `${person.name} refused on ${scope}`,
    );
  }
}
