/**
 * The record of a user for the limits: one record, so that an attempt changes all of it at once, and an administrator ends all of it at once.
 * The web services and the Manager have one each.
 */

import { Lately } from '../foundation/runtime/bounded-cache.ts';
import { utf8Text } from '../foundation/text/value.ts';
import type { Update } from '../ports/store/store.ts';
import { areKnown, type KnownSource, knownLeft, knownNow } from './known-sources.ts';
import { type FailureStreak, rowCorrected, rowLeft } from './lockout.ts';
import { allowanceSpan, type Budget, budgetSpan, type DailyQuota, type DirectoryFailures } from './quotas.ts';
import { corrected, day, isInForce, type Span, timeLeft } from './span.ts';

export interface ScopeState {
  /** The failure streak. */
  readonly row?: FailureStreak;
  /** The daily quota. */
  readonly allowance?: DailyQuota;
  /** A scope of an administrator who checks passwords that counts as unknown by now. */
  readonly isLost?: true;
}

export interface UserState {
  readonly known: readonly KnownSource[];
  /** The state of each scope, by the id of the known source, or of unknown sources together. */
  readonly grounds: Readonly<Record<string, ScopeState>>;
  /** Wrong passwords in a row, in all scopes. */
  readonly wrongPasswords: number;
  /** The directory budget. */
  readonly budget?: Budget;
  /** The block of an administrator. */
  readonly block?: Span;
}

export const noState: UserState = { known: [], grounds: {}, wrongPasswords: 0 };

/** Returns the state of a scope. Most users have none, and V8 is slow at looking a new text up in an object, even in an empty one. */
export function scopeAt({ grounds }: Pick<UserState, 'grounds'>, id: string): ScopeState | undefined {
  for (const one in grounds) if (one === id) return grounds[one];
  return undefined;
}

/** The moment, and the setting of the directory budget. */
export interface StateTerms {
  readonly now: number;
  readonly directoryFailures: DirectoryFailures | undefined;
}

export interface StateNow {
  readonly state: UserState;
  /** A clock ahead has written the record: it is corrected, or it would begin now for ever. */
  readonly isAhead: boolean;
}

const none: StateNow = { state: noState, isAhead: false };

/** Reads a record as of now: without what is over, and with nothing that begins in the future. */
export function stateNow(record: Uint8Array | undefined, ground: StateTerms): StateNow {
  if (!record) return none;
  const kept = parsed(utf8Text(record));
  if (isInForceAll(kept, ground.now)) return { state: kept, isAhead: false };
  return { state: current(kept, ground), isAhead: isAhead(kept, ground.now) };
}

/** An attempt reads its user at admission and at its commit, and nearly always the same text. A state is never changed in place. */
const lately = new Lately<UserState>(1024);

const parsed = (text: string): UserState => lately.get(text) ?? lately.keep(text, JSON.parse(text));

function isAhead(state: UserState, now: number): boolean {
  if (state.known.some((one) => one.day * day > now)) return true;
  for (const start of begins(state)) if (start > now) return true;
  return false;
}

/** Returns whether nothing is over and nothing begins later, as of most users, who have known sources only. */
function isInForceAll({ known, grounds, budget, block }: UserState, now: number): boolean {
  if (budget !== undefined || block !== undefined) return false;
  for (const _ in grounds) return false;
  return areKnown(known, now);
}

function* begins({ grounds, budget, block }: UserState): Generator<number> {
  for (const { row, allowance } of Object.values(grounds)) {
    if (row) yield row.at;
    if (row?.refusal) yield row.refusal.start;
    if (allowance) yield allowance.start;
  }
  if (budget) yield budget.start;
  if (block) yield block.start;
}

const current = (state: UserState, ground: StateTerms): UserState =>
  withoutOver({ ...state, known: knownNow(state.known, ground.now) }, ground);

function withoutOver({ grounds, budget, block, ...rest }: UserState, ground: StateTerms): UserState {
  const { now } = ground;
  const kept = Object.entries(grounds).flatMap(([id, one]) => {
    const left = groundNow(one, now);
    return left ? [[id, left] as const] : [];
  });
  const budgetNow = budget && { ...budget, start: corrected(budget.start, now) };
  const blockNow = block && { ...block, start: corrected(block.start, now) };
  const failures = ground.directoryFailures;
  return {
    ...rest,
    grounds: Object.fromEntries(kept),
    ...(budgetNow && failures && isInForce(budgetSpan(budgetNow, failures), now) && { budget: budgetNow }),
    ...(blockNow && isInForce(blockNow, now) && { block: blockNow }),
  };
}

function groundNow({ row, allowance, isLost }: ScopeState, now: number): ScopeState | undefined {
  const rowNow = row && rowCorrected(row, now);
  const allowanceNow = allowance && { ...allowance, start: corrected(allowance.start, now) };
  const left: ScopeState = {
    ...(rowNow && rowLeft(rowNow, now) > 0 && { row: rowNow, ...(isLost && { isLost }) }),
    ...(allowanceNow && isInForce(allowanceSpan(allowanceNow), now) && { allowance: allowanceNow }),
  };
  return left.row || left.allowance ? left : undefined;
}

/** Removes what was counted at sources that are known no more: the 17th drops the first. */
export function withoutForgotten(
  grounds: UserState['grounds'],
  before: UserState['known'],
  after: UserState['known'],
): UserState['grounds'] {
  const gone = before.filter(({ place }) => !after.some((one) => one.place === place));
  if (gone.length === 0) return grounds;
  const ids = gone.map(({ place }) => place);
  return Object.fromEntries(Object.entries(grounds).filter(([id]) => !ids.includes(id)));
}

const forEver = 100 * 365 * 86_400;

/** Returns the record and its lifetime; null: there is nothing to keep. */
export function recordOf(state: UserState, ground: StateTerms): NonNullable<Update<never>['after']> | null {
  const milliseconds = Math.max(0, ...lives(state, ground));
  if (milliseconds === 0) return null;
  const seconds = Number.isFinite(milliseconds) ? Math.ceil(milliseconds / 1000) : forEver;
  return { value: Buffer.from(JSON.stringify(state)), seconds };
}

function* lives(state: UserState, { now, directoryFailures }: StateTerms): Generator<number> {
  const { known, grounds, wrongPasswords, budget, block } = state;
  if (wrongPasswords > 0) yield Number.POSITIVE_INFINITY;
  if (block) yield timeLeft(block, now);
  if (budget && directoryFailures) yield timeLeft(budgetSpan(budget, directoryFailures), now);
  for (const one of known) yield knownLeft(one, now);
  for (const { row, allowance } of Object.values(grounds)) {
    if (row) yield rowLeft(row, now);
    if (allowance) yield timeLeft(allowanceSpan(allowance), now);
  }
}

/** Blocks the user in every scope, combined proofs too, and forgets the known sources. @param seconds left out: until it is reset */
export const blocked = (state: UserState, seconds: number | undefined, now: number): UserState => ({
  ...state,
  known: [],
  grounds: withoutForgotten(state.grounds, state.known, []),
  block: { start: now, length: seconds === undefined ? null : seconds * 1000 },
});

/** Ends the block, lockouts, quotas and caps. Known sources stay known, and the directory budget stays used. */
export const reset = ({ known, budget }: UserState): UserState => ({
  known,
  grounds: {},
  wrongPasswords: 0,
  ...(budget && { budget }),
});

/** Ends the directory budget as well: the break-glass way. */
export const released = ({ known }: UserState): UserState => ({ known, grounds: {}, wrongPasswords: 0 });
