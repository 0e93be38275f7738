/**
 * The record of a user for the limits: one record, so that an attempt changes all of it at once, and an administrator ends all of it at once.
 * The web services and the Manager have one each.
 */

import { TextCache } from '../foundation/runtime/bounded-cache.ts';
import { utf8Text } from '../foundation/text/value.ts';
import { endlessSeconds, type Update } from '../ports/store/store.ts';
import { corrected, day, type Interval, isInForce, timeLeft } from './interval.ts';
import { areKnown, type KnownSource, knownLeft, knownNow } from './known-sources.ts';
import { correctedStreak, type FailureStreak, streakLeft } from './lockout.ts';
import { type Budget, budgetSpan, type DailyQuota, type DirectoryFailures, quotaSpan } from './quotas.ts';

export interface ScopeState {
  /** The failure streak. */
  readonly streak?: FailureStreak;
  /** The daily quota. */
  readonly quota?: DailyQuota;
  /** A scope of an administrator who checks passwords that counts as unknown by now. */
  readonly countsAsUnknown?: true;
}

export interface UserState {
  readonly known: readonly KnownSource[];
  /** The state of each scope, by the id of the known source, or of unknown sources together. */
  readonly scopes: Readonly<Record<string, ScopeState>>;
  /** Wrong passwords in a row, in all scopes. */
  readonly wrongPasswords: number;
  /** The directory budget. */
  readonly budget?: Budget;
  /** The block of an administrator. */
  readonly block?: Interval;
}

export const noState: UserState = { known: [], scopes: {}, wrongPasswords: 0 };

/** Returns the state of a scope. Most users have none, and V8 is slow at looking a new text up in an object, even in an empty one. */
export function scopeAt({ scopes }: Pick<UserState, 'scopes'>, id: string): ScopeState | undefined {
  for (const one in scopes) if (one === id) return scopes[one];
  return undefined;
}

/** The present time, and the setting of the directory budget. */
export interface StateTerms {
  readonly now: number;
  readonly directoryFailures: DirectoryFailures | undefined;
}

export interface StateNow {
  readonly state: UserState;
  /** The record begins in the future, as a clock that was ahead wrote it; the caller writes the corrected state. */
  readonly isAheadOfClock: boolean;
}

const none: StateNow = { state: noState, isAheadOfClock: false };

/** Reads a record as of now: without expired parts, and with nothing that begins in the future. */
export function stateNow(record: Uint8Array | undefined, terms: StateTerms): StateNow {
  if (!record) return none;
  const kept = parsed(utf8Text(record));
  if (isInForceAll(kept, terms.now)) return { state: kept, isAheadOfClock: false };
  return { state: current(kept, terms), isAheadOfClock: isAhead(kept, terms.now) };
}

/** An attempt reads its user at admission and at its commit, and nearly always the same text. A state is never changed in place. */
const lately = new TextCache<UserState>(1024);

const parsed = (text: string): UserState => lately.get(text) ?? lately.keep(text, parseState(text));

function isAhead(state: UserState, now: number): boolean {
  if (state.known.some((one) => one.day * day > now)) return true;
  for (const start of begins(state)) if (start > now) return true;
  return false;
}

/** Returns whether no part has expired or begins later, as for most users, who have known sources only. */
function isInForceAll({ known, scopes, budget, block }: UserState, now: number): boolean {
  if (budget !== undefined || block !== undefined) return false;
  for (const _ in scopes) return false;
  return areKnown(known, now);
}

function* begins({ scopes, budget, block }: UserState): Generator<number> {
  for (const { streak, quota } of Object.values(scopes)) {
    if (streak) yield streak.at;
    if (streak?.lockout) yield streak.lockout.start;
    if (quota) yield quota.start;
  }
  if (budget) yield budget.start;
  if (block) yield block.start;
}

const current = (state: UserState, terms: StateTerms): UserState =>
  withoutOver({ ...state, known: knownNow(state.known, terms.now) }, terms);

function withoutOver({ scopes, budget, block, ...rest }: UserState, terms: StateTerms): UserState {
  const { now } = terms;
  const kept = Object.entries(scopes).flatMap(([id, one]) => {
    const left = scopeNow(one, now);
    return left ? [[id, left] as const] : [];
  });
  const budgetNow = budget && { ...budget, start: corrected(budget.start, now) };
  const blockNow = block && { ...block, start: corrected(block.start, now) };
  const failures = terms.directoryFailures;
  return {
    ...rest,
    scopes: Object.fromEntries(kept),
    ...(budgetNow && failures && isInForce(budgetSpan(budgetNow, failures), now) && { budget: budgetNow }),
    ...(blockNow && isInForce(blockNow, now) && { block: blockNow }),
  };
}

function scopeNow({ streak, quota, countsAsUnknown }: ScopeState, now: number): ScopeState | undefined {
  const streakNow = streak && correctedStreak(streak, now);
  const quotaNow = quota && { ...quota, start: corrected(quota.start, now) };
  const left: ScopeState = {
    ...(streakNow &&
      streakLeft(streakNow, now) > 0 && { streak: streakNow, ...(countsAsUnknown && { countsAsUnknown }) }),
    ...(quotaNow && isInForce(quotaSpan(quotaNow), now) && { quota: quotaNow }),
  };
  return left.streak || left.quota ? left : undefined;
}

/** Removes what was counted at sources that are known no more: the 17th drops the first. */
export function withoutForgotten(
  scopes: UserState['scopes'],
  before: UserState['known'],
  after: UserState['known'],
): UserState['scopes'] {
  const forgotten = before.filter(({ source }) => !after.some((one) => one.source === source));
  if (forgotten.length === 0) return scopes;
  const ids = forgotten.map(({ source }) => source);
  return Object.fromEntries(Object.entries(scopes).filter(([id]) => !ids.includes(id)));
}

/** Returns the record and its lifetime; null: there is nothing to keep. */
export function recordOf(state: UserState, terms: StateTerms): NonNullable<Update<never>['after']> | null {
  const milliseconds = Math.max(0, ...lives(state, terms));
  if (milliseconds === 0) return null;
  const seconds = Number.isFinite(milliseconds) ? Math.ceil(milliseconds / 1000) : endlessSeconds;
  return { value: Buffer.from(formatState(state)), seconds };
}

function* lives(state: UserState, { now, directoryFailures }: StateTerms): Generator<number> {
  const { known, scopes, wrongPasswords, budget, block } = state;
  if (wrongPasswords > 0) yield Number.POSITIVE_INFINITY;
  if (block) yield timeLeft(block, now);
  if (budget && directoryFailures) yield timeLeft(budgetSpan(budget, directoryFailures), now);
  for (const one of known) yield knownLeft(one, now);
  for (const { streak, quota } of Object.values(scopes)) {
    if (streak) yield streakLeft(streak, now);
    if (quota) yield timeLeft(quotaSpan(quota), now);
  }
}

/** Blocks the user in every scope, combined proofs too, and forgets the known sources. @param seconds optional; default: without end */
export const blocked = (state: UserState, seconds: number | undefined, now: number): UserState => ({
  ...state,
  known: [],
  scopes: withoutForgotten(state.scopes, state.known, []),
  block: { start: now, length: seconds === undefined ? null : seconds * 1000 },
});

/** Ends the block, lockouts, quotas and caps. Known sources stay known, and the directory budget stays used. */
export const reset = ({ known, budget }: UserState): UserState => ({
  known,
  scopes: {},
  wrongPasswords: 0,
  ...(budget && { budget }),
});

/** Ends the directory budget as well: the break-glass way. */
export const released = ({ known }: UserState): UserState => ({ known, scopes: {}, wrongPasswords: 0 });

/* The record as JSON. Its names are those of the first release, which nodes of that version write and read too. */

interface StoredState extends Pick<UserState, 'wrongPasswords' | 'budget' | 'block'> {
  readonly known: readonly { readonly place: string; readonly day: number }[];
  readonly grounds: Readonly<Record<string, StoredScope>>;
}

interface StoredScope {
  readonly row?: {
    readonly failures: number;
    readonly level: number;
    readonly refusal?: Interval;
    readonly at: number;
  };
  readonly allowance?: Budget & { readonly quiet?: number };
  readonly isLost?: true;
}

function parseState(text: string): UserState {
  const { known, grounds, ...rest }: StoredState = JSON.parse(text);
  return {
    known: known.map(({ place: source, day }) => ({ source, day })),
    scopes: Object.fromEntries(
      Object.entries(grounds).map(([id, { row, allowance, isLost: countsAsUnknown }]) => [
        id,
        {
          ...(row && { streak: streakOf(row) }),
          ...(allowance && { quota: quotaOf(allowance) }),
          ...(countsAsUnknown && { countsAsUnknown }),
        },
      ]),
    ),
    ...rest,
  };
}

export function formatState({ known, scopes, ...rest }: UserState): string {
  const stored: StoredState = {
    known: known.map(({ source: place, day }) => ({ place, day })),
    grounds: Object.fromEntries(
      Object.entries(scopes).map(([id, { streak, quota, countsAsUnknown: isLost }]) => [
        id,
        {
          ...(streak && { row: rowOf(streak) }),
          ...(quota && { allowance: allowanceOf(quota) }),
          ...(isLost && { isLost }),
        },
      ]),
    ),
    ...rest,
  };
  return JSON.stringify(stored);
}

type StoredStreak = NonNullable<StoredScope['row']>;

const streakOf = ({ failures, level, refusal: lockout, at }: StoredStreak): FailureStreak => ({
  ...{ failures, level, at },
  ...(lockout && { lockout }),
});

const rowOf = ({ failures, level, lockout: refusal, at }: FailureStreak): StoredStreak => ({
  ...{ failures, level, at },
  ...(refusal && { refusal }),
});

const quotaOf = ({ count, start, quiet: combined }: NonNullable<StoredScope['allowance']>): DailyQuota => ({
  ...{ count, start },
  ...(combined !== undefined && { combined }),
});

const allowanceOf = ({
  count,
  start,
  combined: quiet,
}: DailyQuota): NonNullable<StoredScope['allowance']> => ({
  ...{ count, start },
  ...(quiet !== undefined && { quiet }),
});
