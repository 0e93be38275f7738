/** The outcome of an attempt for the limits, pure: the failure streak, the daily quota, the caps, known sources, the directory budget. */
import type { State, ValueAt } from '../ports/store/ledger.ts';
import type { Admitted, Attempter, Judged, WrongCode } from './attempt.ts';
import {
  isClosed,
  mostWrong,
  oneMoreWrong,
  type WrongCodes,
  wrongCodesKey,
  wrongCodesOf,
  wrongCodesRecord,
} from './authenticator-cap.ts';
import { knownAfterSuccess } from './known-sources.ts';
import type { Happening } from './limit-events.ts';
import { noRow, rowAfterFailure, rowAfterSuccess } from './lockout.ts';
import { allowanceAfter, budgetAfter } from './quotas.ts';
import { strangers } from './source.ts';
import { day } from './span.ts';
import { type Ground, groundAt, recordOf, stateNow, type UserState, withoutForgotten } from './user-state.ts';

export interface Attempt {
  readonly attempter: Pick<Attempter, 'place' | 'rules' | 'as'>;
  readonly judged: Judged;
  /** Id of the place, or of the strangers. */
  readonly ground: string;
  readonly kind: 'alone' | 'together';
  /** Some wrong code was one too many (rule 6): its authenticator stands at 100 or more. */
  readonly isCodeClosed: boolean;
  readonly now: number;
}

export interface Outcome {
  readonly state: UserState;
  readonly happened: readonly Happening[];
}

export function afterAttempt(before: UserState, attempt: Attempt): Outcome {
  const { judged, ground, now } = attempt;
  const isStrangers = ground === strangers;
  const passedOn = isStrangers ? (judged.passedOn ?? 0) : 0;
  const state = passedOn > 0 ? { ...before, budget: budgetAfter(before.budget, passedOn, now) } : before;
  if (judged.end === 'granted') return { state: afterSuccess(state, attempt), happened: [] };
  if (judged.end === 'neither' || judged.costsPlaceOnly) return { state, happened: [] };
  return afterFailure(state, attempt);
}

/** Rule 7. */
function afterSuccess(state: UserState, { attempter, judged, ground, now }: Attempt): UserState {
  const at = groundAt(state, ground);
  const grounds =
    at?.row && at.row.failures > 0
      ? { ...state.grounds, [ground]: { ...at, row: rowAfterSuccess(at.row, now) } }
      : state.grounds;
  const wrongPasswords = judged.used?.includes('password') ? 0 : state.wrongPasswords;
  const known = attempter.as ? state.known : knownAfterSuccess(state.known, attempter.place.id, now);
  if (grounds === state.grounds && wrongPasswords === state.wrongPasswords && known === state.known)
    return state;
  return { ...state, known, wrongPasswords, grounds: withoutForgotten(grounds, state.known, known) };
}

function afterFailure(before: UserState, attempt: Attempt): Outcome {
  const { judged } = attempt;
  const isWhollyWrong = attempt.kind === 'together' && !judged.isHalfRight;
  if (isWhollyWrong) return { state: before, happened: [] };
  const passwords = countPasswords(before, judged);
  const allowed = judged.isHalfRight ? countHalfRight(passwords.state, attempt) : only(passwords.state);
  const rowed = attempt.kind === 'alone' ? countFailure(allowed.state, attempt) : only(allowed.state);
  return { state: rowed.state, happened: [...passwords.happened, ...allowed.happened, ...rowed.happened] };
}

const only = (state: UserState): Outcome => ({ state, happened: [] });

/** Rule 6. */
function countPasswords(state: UserState, { wrongPasswords: more = 0 }: Attempt['judged']): Outcome {
  const wrongPasswords = state.wrongPasswords + more;
  const isNew = !isClosed({ wrong: state.wrongPasswords }) && isClosed({ wrong: wrongPasswords });
  return {
    state: { ...state, wrongPasswords },
    happened: isNew ? [{ kind: 'closed', key: undefined }] : [],
  };
}

/** Rule 3. */
function countHalfRight(state: UserState, { attempter, ground, kind, now }: Attempt): Outcome {
  const at = groundAt(state, ground);
  const { maxTries } = attempter.rules;
  const isQuiet = kind === 'together';
  const { allowance, isUsedUp } = allowanceAfter(at?.allowance, { maxTries, now, isQuiet });
  const used: Happening = { kind: 'allowance', isKnown: ground !== strangers, until: allowance.start + day };
  return { state: withGround(state, ground, { ...at, allowance }), happened: isUsedUp ? [used] : [] };
}

/** Rule 2, and what becomes of a known place where too much has failed (rule 6). */
function countFailure(state: UserState, attempt: Attempt): Outcome {
  const { attempter, ground, now } = attempt;
  const at = groundAt(state, ground);
  const isKnown = ground !== strangers;
  if (attempter.as === 'super') {
    const row = at?.row ?? noRow(now);
    const others = { ...state, grounds: withoutOldest(state.grounds, ground) };
    return only(withGround(others, ground, { ...at, row: { ...row, failures: row.failures + 1, at: now } }));
  }
  const { row, begun } = rowAfterFailure(at?.row ?? noRow(now), { rules: attempter.rules, isKnown, now });
  const counted = withGround(state, ground, { ...at, row });
  if (!begun) return only(counted);
  const until = begun.length === null ? undefined : begun.start + begun.length;
  const refusal: Happening = { kind: 'refusal', isKnown, until };
  if (!isKnown || !failsTooOften(counted, attempt)) return { state: counted, happened: [refusal] };
  return { state: forgetPlace(counted, attempt), happened: [refusal, { kind: 'forgotten' }] };
}

/** An authenticator that was wrong stands at 100 or more. */
const failsTooOften = (
  { wrongPasswords }: UserState,
  { judged, isCodeClosed }: Pick<Attempt, 'judged' | 'isCodeClosed'>,
): boolean => ((judged.wrongPasswords ?? 0) > 0 && wrongPasswords >= mostWrong) || isCodeClosed;

/** It is a stranger's from now on; an administrator's ground is never listed, so it is marked. */
function forgetPlace(state: UserState, { attempter, ground }: Attempt): UserState {
  if (attempter.as) return withGround(state, ground, { ...groundAt(state, ground), isLost: true });
  const { [ground]: _, ...grounds } = state.grounds;
  return { ...state, grounds, known: state.known.filter(({ place }) => place !== ground) };
}

const withGround = (state: UserState, id: string, ground: Ground): UserState => ({
  ...state,
  grounds: { ...state.grounds, [id]: ground },
});

/** Addresses whose delays are remembered: whoever has more of them has the oldest forgotten. */
const mostAddresses = 64;

/** @param latest the address whose delay is written now */
export function withoutOldest(grounds: UserState['grounds'], latest: string): UserState['grounds'] {
  const delayed = Object.entries(grounds).filter(([id, ground]) => id !== latest && isDelay(id, ground));
  const oldest = delayed.sort(([, a], [, b]) => (a.row?.at ?? 0) - (b.row?.at ?? 0));
  const gone = new Set(oldest.slice(0, Math.max(0, oldest.length + 1 - mostAddresses)).map(([id]) => id));
  return Object.fromEntries(Object.entries(grounds).filter(([id]) => !gone.has(id)));
}

/** Nothing is refused there, and that it is forgotten opens nothing. */
const isDelay = (id: string, { row, allowance, isLost }: Ground): boolean =>
  id !== strangers && row !== undefined && !row.refusal && !allowance && !isLost;

/** Counts an attempt. Only what changes is written: a login that succeeds at a known source changes nothing. */
export function count(judged: Judged, admitted: Admitted, found: State): Counted {
  const { attempter, record, scope: ground, admission, directoryFailures } = admitted;
  const { kind } = admission;
  const { now } = found;
  const terms = { now, directoryFailures };
  const codes = codesAfter(countedCodes(judged, kind), found);
  const isCodeClosed = codes.some(({ after }) => isClosed(after));
  const { state } = stateNow(found.value(record), terms);
  const outcome = afterAttempt(state, { attempter, judged, ground, kind, isCodeClosed, now });
  const values = forgetUsed(judged, found);
  for (const { code, after } of codes) values.push([wrongCodesKey(code.key), wrongCodesRecord(after)]);
  if (outcome.state !== state) values.push([record, recordOf(outcome.state, terms)]);
  return { values, happened: [...outcome.happened, ...codes.flatMap(whatTurned)] };
}

/** The values that the limits write, and the events beyond the attempt. */
interface Counted {
  readonly values: readonly ValueAt[];
  readonly happened: readonly Happening[];
}

/** Names the keys that {@link count} reads, each once: of the user, and of the codes whose streak may grow or end. */
export function countKeys(record: string, possible: readonly Judged[]): string[] {
  const all = [record];
  for (const judged of possible) {
    for (const { key } of judged.wrongCodes ?? noCodes) addOnce(wrongCodesKey(key), all);
    for (const key of usedCodes(judged)) addOnce(wrongCodesKey(key), all);
  }
  return all;
}

/** Adds a key to a short list. */
export function addOnce(key: string, all: string[]): void {
  if (!all.includes(key)) all.push(key);
}

function codesAfter(codes: readonly WrongCode[], found: State): readonly CountedCode[] {
  return codes.map((code) => {
    const before = wrongCodesOf(found.value(wrongCodesKey(code.key)));
    return { code, after: oneMoreWrong(before, code) };
  });
}

/** Rule 6: the row of each code that a full success used ends. @returns a list of the caller's own */
function forgetUsed(judged: Judged, found: State): ValueAt[] {
  const values: ValueAt[] = [];
  for (const code of usedCodes(judged)) {
    const key = wrongCodesKey(code);
    if (found.value(key) !== undefined) values.push([key, null]);
  }
  return values;
}

const usedCodes = ({ end, used }: Judged): readonly string[] =>
  end === 'granted' && used ? used.filter((key) => key !== 'password') : noCodes;

const noCodes: readonly never[] = [];

/** Under rule 5, what was wrong altogether counts for no authenticator. */
function countedCodes(
  { end, isHalfRight, wrongCodes: codes = noCodes }: Judged,
  kind: 'alone' | 'together',
): readonly WrongCode[] {
  return end === 'failed' && (kind === 'alone' || isHalfRight) ? codes : noCodes;
}

interface CountedCode {
  readonly code: WrongCode;
  readonly after: WrongCodes;
}

function whatTurned({ code: { key, behind }, after }: CountedCode): readonly Happening[] {
  if (behind && after.behind === mostWrong) return [{ kind: 'disabled', key }];
  return after.wrong === mostWrong ? [{ kind: 'closed', key }] : [];
}
