/**
 * All that is kept of a user, in one record: so that what one attempt changes is changed at once, and what an
 * administrator ends is ended everywhere. The web services and the Manager have one each (rule 8).
 */

import { Lately } from '../../foundation/runtime/bounded-cache.ts';
import { utf8Text } from '../../foundation/text/value.ts';
import type { Update } from '../../ports/store/store.ts';
import { type Allowance, allowanceSpan } from '../allowance.ts';
import { type Row, rowCorrected, rowLeft } from '../lockout.ts';
import { areKnown, type KnownPlace, knownLeft, knownNow } from '../success.ts';
import { type Budget, budgetSpan, type DirectoryFailures } from './directory-budget.ts';
import { corrected, day, isInForce, type Span, timeLeft } from './span.ts';
import { plainKnown } from './state-text.ts';

export interface Ground {
  /** Rule 2. */
  readonly row?: Row;
  /** Rule 3. */
  readonly allowance?: Allowance;
  /** Rule 6, of an administrator who checks passwords: what is known of it no more counts as a stranger's. */
  readonly isLost?: true;
}

export interface UserState {
  readonly known: readonly KnownPlace[];
  /** By the id of the place, and of the strangers. */
  readonly grounds: Readonly<Record<string, Ground>>;
  /** Rule 6: wrong passwords in a row, at all grounds. */
  readonly wrongPasswords: number;
  /** Rule 9. */
  readonly budget?: Budget;
  /** Rule 10. */
  readonly block?: Span;
}

export const noState: UserState = { known: [], grounds: {}, wrongPasswords: 0 };

/** What is kept of a ground. Most users have none, and a new text is dear to look up in an object, even in an empty one. */
export function groundAt({ grounds }: Pick<UserState, 'grounds'>, id: string): Ground | undefined {
  for (const one in grounds) if (one === id) return grounds[one];
  return undefined;
}

/** What the directory's budget lasts is a setting: it is not kept. */
export interface StateTerms {
  readonly now: number;
  readonly directoryFailures: DirectoryFailures | undefined;
}

export interface StateNow {
  readonly state: UserState;
  /** The clock was ahead when this was written: it is written anew, or it would begin now for ever. */
  readonly isAhead: boolean;
}

const none: StateNow = { state: noState, isAhead: false };

/** As it is now: without what is over, and with nothing that begins in the future. */
export function stateNow(record: Uint8Array | undefined, ground: StateTerms): StateNow {
  if (!record) return none;
  const kept = parsed(utf8Text(record));
  if (isInForceAll(kept, ground.now)) return { state: kept, isAhead: false };
  return { state: current(kept, ground), isAhead: isAhead(kept, ground.now) };
}

const lately = new Lately<UserState>(256);

/** An attempt reads its user when it enters and when it settles, and nearly always the same. Nobody changes what is read. */
function parsed(text: string): UserState {
  const known = plainKnown(text);
  if (known) return { known, grounds: noState.grounds, wrongPasswords: 0 };
  return lately.get(text) ?? lately.keep(text, JSON.parse(text));
}

function isAhead(state: UserState, now: number): boolean {
  if (state.known.some((one) => one.day * day > now)) return true;
  for (const start of begins(state)) if (start > now) return true;
  return false;
}

/** As of most users, who have known places and nothing else: nothing of it is over, and nothing begins later. */
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

function groundNow({ row, allowance, isLost }: Ground, now: number): Ground | undefined {
  const rowNow = row && rowCorrected(row, now);
  const allowanceNow = allowance && { ...allowance, start: corrected(allowance.start, now) };
  const left: Ground = {
    ...(rowNow && rowLeft(rowNow, now) > 0 && { row: rowNow, ...(isLost && { isLost }) }),
    ...(allowanceNow && isInForce(allowanceSpan(allowanceNow), now) && { allowance: allowanceNow }),
  };
  return left.row || left.allowance ? left : undefined;
}

/** A place that is known no more takes along all that was counted there: the 17th drops the first. */
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

/** What the store is to keep, and for how long. */
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
