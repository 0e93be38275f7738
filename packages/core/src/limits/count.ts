/** The outcome of an attempt for the limits, pure: the failure streak, the daily quota, the caps, known sources, the directory budget. */
import type { State, ValueAt } from '../ports/store/ledger.ts';
import type { Admitted, Judged, LimitsAttempt, WrongCode } from './attempt.ts';
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
import type { LimitEvent } from './limit-events.ts';
import { noRow, rowAfterFailure, rowAfterSuccess } from './lockout.ts';
import { allowanceAfter, budgetAfter } from './quotas.ts';
import { unknownSources } from './source.ts';
import { day } from './span.ts';
import {
  recordOf,
  type ScopeState,
  scopeAt,
  stateNow,
  type UserState,
  withoutForgotten,
} from './user-state.ts';

export interface Attempt {
  readonly attempter: Pick<LimitsAttempt, 'place' | 'rules' | 'as'>;
  readonly judged: Judged;
  /** The id of the known source, or of unknown sources. */
  readonly ground: string;
  readonly kind: 'alone' | 'together';
  /** The authenticator of a wrong code is capped. */
  readonly isCodeClosed: boolean;
  readonly now: number;
}

export interface Outcome {
  readonly state: UserState;
  readonly happened: readonly LimitEvent[];
}

export function afterAttempt(before: UserState, attempt: Attempt): Outcome {
  const { judged, ground, now } = attempt;
  const isStrangers = ground === unknownSources;
  const passedOn = isStrangers ? (judged.passedOn ?? 0) : 0;
  const state = passedOn > 0 ? { ...before, budget: budgetAfter(before.budget, passedOn, now) } : before;
  if (judged.end === 'granted') return { state: afterSuccess(state, attempt), happened: [] };
  if (judged.end === 'neither' || judged.costsPlaceOnly) return { state, happened: [] };
  return afterFailure(state, attempt);
}

/** A full success ends the failure streak of its scope, and makes the source known. */
function afterSuccess(state: UserState, { attempter, judged, ground, now }: Attempt): UserState {
  const at = scopeAt(state, ground);
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
  const isWhollyWrong = attempt.kind === 'together' && !judged.isPartialSuccess;
  if (isWhollyWrong) return { state: before, happened: [] };
  const passwords = countPasswords(before, judged);
  const allowed = judged.isPartialSuccess ? countHalfRight(passwords.state, attempt) : only(passwords.state);
  const rowed = attempt.kind === 'alone' ? countFailure(allowed.state, attempt) : only(allowed.state);
  return { state: rowed.state, happened: [...passwords.happened, ...allowed.happened, ...rowed.happened] };
}

const only = (state: UserState): Outcome => ({ state, happened: [] });

/** Counts wrong passwords towards the authenticator cap. */
function countPasswords(state: UserState, { wrongPasswords: more = 0 }: Attempt['judged']): Outcome {
  const wrongPasswords = state.wrongPasswords + more;
  const isNew = !isClosed({ wrong: state.wrongPasswords }) && isClosed({ wrong: wrongPasswords });
  return {
    state: { ...state, wrongPasswords },
    happened: isNew ? [{ kind: 'closed', key: undefined }] : [],
  };
}

/** Counts towards the daily quota. */
function countHalfRight(state: UserState, { attempter, ground, kind, now }: Attempt): Outcome {
  const at = scopeAt(state, ground);
  const { maxTries } = attempter.rules;
  const isQuiet = kind === 'together';
  const { allowance, isUsedUp } = allowanceAfter(at?.allowance, { maxTries, now, isQuiet });
  const used: LimitEvent = {
    kind: 'allowance',
    isKnown: ground !== unknownSources,
    until: allowance.start + day,
  };
  return { state: withGround(state, ground, { ...at, allowance }), happened: isUsedUp ? [used] : [] };
}

/** Counts towards the lockout, and forgets a known source that fails with a capped authenticator. */
function countFailure(state: UserState, attempt: Attempt): Outcome {
  const { attempter, ground, now } = attempt;
  const at = scopeAt(state, ground);
  const isKnown = ground !== unknownSources;
  if (attempter.as === 'super') {
    const row = at?.row ?? noRow(now);
    const others = { ...state, grounds: withoutOldest(state.grounds, ground) };
    return only(withGround(others, ground, { ...at, row: { ...row, failures: row.failures + 1, at: now } }));
  }
  const { row, begun } = rowAfterFailure(at?.row ?? noRow(now), { rules: attempter.rules, isKnown, now });
  const counted = withGround(state, ground, { ...at, row });
  if (!begun) return only(counted);
  const until = begun.length === null ? undefined : begun.start + begun.length;
  const refusal: LimitEvent = { kind: 'refusal', isKnown, until };
  if (!isKnown || !failsTooOften(counted, attempt)) return { state: counted, happened: [refusal] };
  return { state: forgetPlace(counted, attempt), happened: [refusal, { kind: 'forgotten' }] };
}

/** Returns whether an authenticator that was wrong is capped. */
const failsTooOften = (
  { wrongPasswords }: UserState,
  { judged, isCodeClosed }: Pick<Attempt, 'judged' | 'isCodeClosed'>,
): boolean => ((judged.wrongPasswords ?? 0) > 0 && wrongPasswords >= mostWrong) || isCodeClosed;

/** Makes a source unknown. The scope of an administrator is not among the known sources, so it is marked. */
function forgetPlace(state: UserState, { attempter, ground }: Attempt): UserState {
  if (attempter.as) return withGround(state, ground, { ...scopeAt(state, ground), isLost: true });
  const { [ground]: _, ...grounds } = state.grounds;
  return { ...state, grounds, known: state.known.filter(({ place }) => place !== ground) };
}

const withGround = (state: UserState, id: string, ground: ScopeState): UserState => ({
  ...state,
  grounds: { ...state.grounds, [id]: ground },
});

/** Most addresses whose delays are kept; the oldest are forgotten. */
const mostAddresses = 64;

/** Forgets the oldest delays. @param latest the address whose delay is written now */
export function withoutOldest(grounds: UserState['grounds'], latest: string): UserState['grounds'] {
  const delayed = Object.entries(grounds).filter(([id, ground]) => id !== latest && isDelay(id, ground));
  const oldest = delayed.sort(([, a], [, b]) => (a.row?.at ?? 0) - (b.row?.at ?? 0));
  const gone = new Set(oldest.slice(0, Math.max(0, oldest.length + 1 - mostAddresses)).map(([id]) => id));
  return Object.fromEntries(Object.entries(grounds).filter(([id]) => !gone.has(id)));
}

/** Returns whether a scope has nothing but a delay, so that forgetting it ends no refusal. */
const isDelay = (id: string, { row, allowance, isLost }: ScopeState): boolean =>
  id !== unknownSources && row !== undefined && !row.refusal && !allowance && !isLost;

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
  readonly happened: readonly LimitEvent[];
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

/** Ends the row of wrong codes of each authenticator that a full success used. */
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

/** A combined proof that is wrong altogether counts for no authenticator. */
function countedCodes(
  { end, isPartialSuccess, wrongCodes: codes = noCodes }: Judged,
  kind: 'alone' | 'together',
): readonly WrongCode[] {
  return end === 'failed' && (kind === 'alone' || isPartialSuccess) ? codes : noCodes;
}

interface CountedCode {
  readonly code: WrongCode;
  readonly after: WrongCodes;
}

function whatTurned({ code: { key, behind }, after }: CountedCode): readonly LimitEvent[] {
  if (behind && after.behind === mostWrong) return [{ kind: 'disabled', key }];
  return after.wrong === mostWrong ? [{ kind: 'closed', key }] : [];
}
