/**
 * The oracle: the limits as one reads them (docs/concepts/limits.md), slow and without a thought of nodes, disks and races. It
 * shares no code with the product. An attempt goes in, what has to be answered comes out, and what is remembered changes.
 */
import type { Attempt, Judged } from './oracle-attempt.ts';
import { Buckets } from './oracle-buckets.ts';
import { type Failed, type Granted, judge, type Verdict } from './oracle-judgement.ts';
import { Pace } from './oracle-pace.ts';
import type { Person } from './oracle-people.ts';
import { type Place, placeOf } from './oracle-places.ts';
import { added, day, left, second, UserRecord } from './oracle-records.ts';
import { alive, failed, refusalLeft, succeeded } from './oracle-rows.ts';

export interface OracleOptions {
  /** `directory_failures` */
  readonly directory?: { readonly most: number; readonly minutes: number };
  /** False: nothing is judged under a refusal. */
  readonly judgesRefused?: boolean;
}

const strangers = 'strangers';
/** Authenticator cap. */
const most = 100;

/** Daily quota. */
const allowanceOf = ({ maxTries }: Person): number => Math.max(10, 2 * maxTries);

interface Ground {
  readonly person: Person;
  readonly record: UserRecord;
  readonly place: Place;
  /** The place, if it is known to the user, or strangers. */
  readonly ground: string;
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
    const { person, shown } = attempt;
    const place = 'answer' in shown ? shown.challenge.place : placeOf(attempt.caller, attempt.source);
    const record = this.record(person.name);
    record.setBack(now);
    const ground = {
      person,
      record,
      place,
      now,
      ground: record.isKnown(place.id, now) ? place.id : strangers,
    };
    const closed = this.#closed(ground);
    if (closed > 0) return { kind: 'refused', left: closed, at: now };
    const refusal = this.#refusal(ground);
    const verdict = this.#judge(attempt, ground, refusal?.since);
    if (verdict.kind === 'unjudged') return { kind: 'refused', left: refusal?.left ?? 0, at: now };
    const wait = this.#wait(verdict, ground);
    if (wait > 0) return this.attempt(attempt, now + wait);
    return this.#conclude(verdict, ground, refusal?.left ?? 0);
  }

  /**
   * A clock is set back, and something that is over by the old time would not be by the new one: what then is, neither
   * rules nor cases say.
   */
  isOpen(name: string, before: number, now: number): boolean {
    const { rows, days, block, directory } = this.record(name);
    const spans = [...rows.values(), ...days.values(), block, directory];
    const isBack = spans.some((span) => span && left(span, before) === 0 && span.start + span.length > now);
    return isBack || [...rows.values()].some((row) => row.end <= before && row.end > now);
  }

  /** Block_Start. @param length in milliseconds */
  block(name: string, now: number, length = Number.POSITIVE_INFINITY): void {
    const record = this.record(name);
    record.block = { start: now, length };
    for (const { place } of record.known) record.forget(place);
  }

  /** Block_Reset. */
  reset(name: string): void {
    const record = this.record(name);
    record.block = undefined;
    record.rows.clear();
    record.days.clear();
    record.wrong.clear();
  }

  /** An administrator makes a new start for one authenticator. */
  renew(name: string, key: string): void {
    this.record(name).wrong.delete(key);
  }

  /** Nothing is judged: a block, the daily quota, the directory budget. In milliseconds. */
  #closed({ record, person, ground, now }: Ground): number {
    const sum = record.days.get(ground);
    const told = sum ? sum.count - (sum.quiet ?? 0) : 0;
    const used = sum && told >= allowanceOf(person) ? left(sum, now) : 0;
    const seen = ground === strangers && this.#binds(record, now) <= 0 ? left(record.directory, now) : 0;
    const closed = Math.max(left(record.block, now), used, seen);
    return closed > 0 ? Math.max(closed, refusalLeft(record.rows.get(ground), now)) : 0;
  }

  /** During a lockout, or at a source without tokens, only what is complete is judged. */
  #refusal({ record, place, ground, now }: Ground): { since: number; left: number } | undefined {
    const row = alive(record.rows.get(ground), now);
    const [ofUser, ofPlace] = [left(row, now), ground === strangers ? this.#buckets.empty(place, now) : 0];
    if (ofUser === 0 && ofPlace === 0) return undefined;
    // No challenge begins while a place has no failure left: those that are there began before.
    const since = ofUser > 0 && row ? row.start : Number.POSITIVE_INFINITY;
    return { since, left: Math.max(ofUser, ofPlace) };
  }

  #judge(
    attempt: Attempt,
    { record, person, ground, now }: Ground,
    refusedSince: number | undefined,
  ): Verdict {
    const sum = record.days.get(ground);
    return judge(attempt, {
      ...{ now, refusedSince, judgesRefused: this.#options.judgesRefused ?? true },
      isDoomed: left(sum, now) > 0 && sum !== undefined && sum.count >= allowanceOf(person),
      isTriedAlone: (key) => ground !== strangers || record.wrongOf(key).count < most,
      isTried: (key) => record.wrongOf(key).behind < most,
      binds: ground === strangers ? this.#binds(record, now) : Number.POSITIVE_INFINITY,
    });
  }

  #binds({ directory }: UserRecord, now: number): number {
    const { most } = this.#options.directory ?? { most: Number.POSITIVE_INFINITY };
    return most - (left(directory, now) > 0 ? (directory?.count ?? 0) : 0);
  }

  #wait(verdict: Verdict, { person, place, ground, now }: Ground): number {
    const isPaced = ground === strangers && 'together' in verdict && verdict.together;
    return isPaced ? this.#pace.wait(person.name, place, now) : 0;
  }

  #conclude(verdict: Exclude<Verdict, { kind: 'unjudged' }>, ground: Ground, left: number): Judged {
    const { now: at, place } = ground;
    this.#buckets.judged(place, at, verdict.kind === 'failed');
    if ('wrongBinds' in verdict) this.#countBinds(verdict.wrongBinds, ground);
    switch (verdict.kind) {
      case 'challenge':
        return { kind: 'challenge', at, challenge: { behind: verdict.behind, begun: at, place } };
      case 'granted':
        this.#succeed(verdict, ground);
        return { kind: 'granted', concat: verdict.concat, at };
      case 'failed':
        this.#fail(verdict, ground);
        return verdict.together ? { kind: 'refused', left, at } : { kind: 'failed', at };
    }
  }

  #countBinds(by: number, { record, ground, now }: Ground): void {
    const { directory } = this.#options;
    if (!directory || ground !== strangers || by === 0) return;
    record.directory = added(record.directory, { by, now, length: directory.minutes * 60 * second });
  }

  /** A full success. */
  #succeed(verdict: Granted, { record, place, ground, now }: Ground): void {
    verdict.useUp();
    for (const key of verdict.used) record.wrong.delete(key);
    const row = alive(record.rows.get(ground), now);
    if (row) record.rows.set(ground, succeeded(row, now));
    record.learn(place.id, now);
  }

  #fail(verdict: Failed, ground: Ground): void {
    const { record, now } = ground;
    if (verdict.passwords > 0) record.wrongOf('password').count += verdict.passwords;
    for (const key of verdict.codes) {
      record.wrongOf(key).count += 1;
      if (verdict.behind) record.wrongOf(key).behind += 1;
    }
    if (verdict.allowance) {
      const one = { by: 1, now, length: day, quiet: verdict.together ? 1 : 0 };
      record.days.set(ground.ground, added(record.days.get(ground.ground), one));
    }
    if (verdict.inRow) this.#countRow(verdict, ground);
  }

  #countRow({ passwords, codes }: Failed, { record, person, ground, now }: Ground): void {
    const known = ground !== strangers;
    const row = failed(record.rows.get(ground), { ...person, known }, now);
    record.rows.set(ground, row);
    if (row.failures > 0) return;
    const wrong = [...(passwords > 0 ? ['password'] : []), ...codes];
    const isClosed = wrong.some((key) => record.wrongOf(key).count >= most);
    if (known && isClosed) record.forget(ground);
    this.events.push(
      known && isClosed ? `${person.name} forgets ${ground}` : `${person.name} refused on ${ground}`,
    );
  }
}
