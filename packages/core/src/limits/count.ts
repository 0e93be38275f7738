/** The outcome of an attempt for the limits, pure: the failure streak, the daily quota, the caps, known sources, the directory budget. */
import type { StepState, ValueAt } from '../ports/store/ledger.ts';
import {
  isCapped,
  mostWrong,
  oneMoreWrong,
  type WrongCodes,
  wrongCodesKey,
  wrongCodesOf,
  wrongCodesRecord,
} from './authenticator-cap.ts';
import { day } from './interval.ts';
import { knownAfterSuccess } from './known-sources.ts';
import type { LimitEvent } from './limit-events.ts';
import type { Admitted, AttemptResult, LimitsAttempt, WrongCode } from './limits-attempt.ts';
import { noStreak, streakAfterFailure, streakAfterSuccess } from './lockout.ts';
import { budgetAfter, quotaAfter } from './quotas.ts';
import { unknownSources } from './source.ts';
import {
  recordOf,
  type ScopeState,
  scopeAt,
  stateNow,
  type UserState,
  withoutForgotten,
} from './user-state.ts';

export interface CountedAttempt {
  readonly attempt: Pick<LimitsAttempt, 'source' | 'rules' | 'as'>;
  readonly result: AttemptResult;
  /** The id of the known source, or of unknown sources. */
  readonly scopeId: string;
  readonly kind: 'separate' | 'combined';
  /** The authenticator of a wrong code is capped. */
  readonly isCodeCapped: boolean;
  readonly now: number;
}

export interface Outcome {
  readonly state: UserState;
  readonly happened: readonly LimitEvent[];
}

export function afterAttempt(before: UserState, attempt: CountedAttempt): Outcome {
  const { result, scopeId, now } = attempt;
  const isUnknown = scopeId === unknownSources;
  const budgetSpent = isUnknown ? (result.budgetSpent ?? 0) : 0;
  const state =
    budgetSpent > 0 ? { ...before, budget: budgetAfter(before.budget, budgetSpent, now) } : before;
  if (result.end === 'granted') return { state: afterSuccess(state, attempt), happened: [] };
  if (result.end === 'neither' || result.costsSourceOnly) return { state, happened: [] };
  return afterFailure(state, attempt);
}

/** A full success ends the failure streak of its scope, and makes the source known. */
function afterSuccess(state: UserState, { attempt, result, scopeId, now }: CountedAttempt): UserState {
  const at = scopeAt(state, scopeId);
  const scopes =
    at?.streak && at.streak.failures > 0
      ? { ...state.scopes, [scopeId]: { ...at, streak: streakAfterSuccess(at.streak, now) } }
      : state.scopes;
  const wrongPasswords = result.used?.includes('password') ? 0 : state.wrongPasswords;
  const known = attempt.as ? state.known : knownAfterSuccess(state.known, attempt.source.id, now);
  if (scopes === state.scopes && wrongPasswords === state.wrongPasswords && known === state.known)
    return state;
  return { ...state, known, wrongPasswords, scopes: withoutForgotten(scopes, state.known, known) };
}

function afterFailure(before: UserState, attempt: CountedAttempt): Outcome {
  const { result } = attempt;
  const isWhollyWrong = attempt.kind === 'combined' && !result.isPartialSuccess;
  if (isWhollyWrong) return { state: before, happened: [] };
  const passwords = countPasswords(before, result);
  const quoted = result.isPartialSuccess
    ? countPartialSuccess(passwords.state, attempt)
    : only(passwords.state);
  const locked = attempt.kind === 'separate' ? countFailure(quoted.state, attempt) : only(quoted.state);
  return { state: locked.state, happened: [...passwords.happened, ...quoted.happened, ...locked.happened] };
}

const only = (state: UserState): Outcome => ({ state, happened: [] });

/** Counts wrong passwords towards the authenticator cap. */
function countPasswords(state: UserState, { wrongPasswords: more = 0 }: CountedAttempt['result']): Outcome {
  const wrongPasswords = state.wrongPasswords + more;
  const isNew = !isCapped({ wrong: state.wrongPasswords }) && isCapped({ wrong: wrongPasswords });
  return {
    state: { ...state, wrongPasswords },
    happened: isNew ? [{ kind: 'authenticator_cap', key: undefined }] : [],
  };
}

/** Counts towards the daily quota. */
function countPartialSuccess(state: UserState, { attempt, scopeId, kind, now }: CountedAttempt): Outcome {
  const at = scopeAt(state, scopeId);
  const { maxTries } = attempt.rules;
  const isCombined = kind === 'combined';
  const { quota, isUsedUp } = quotaAfter(at?.quota, { maxTries, now, isCombined });
  const used: LimitEvent = {
    kind: 'daily_quota',
    isKnown: scopeId !== unknownSources,
    until: quota.start + day,
  };
  return { state: withScope(state, scopeId, { ...at, quota }), happened: isUsedUp ? [used] : [] };
}

/** Counts towards the lockout, and forgets a known source that fails with a capped authenticator. */
function countFailure(state: UserState, counted: CountedAttempt): Outcome {
  const { attempt, scopeId, now } = counted;
  const at = scopeAt(state, scopeId);
  const isKnown = scopeId !== unknownSources;
  if (attempt.as === 'super') {
    const streak = at?.streak ?? noStreak(now);
    const others = { ...state, scopes: withoutOldest(state.scopes, scopeId) };
    return only(
      withScope(others, scopeId, { ...at, streak: { ...streak, failures: streak.failures + 1, at: now } }),
    );
  }
  const { streak, begun } = streakAfterFailure(at?.streak ?? noStreak(now), {
    rules: attempt.rules,
    isKnown,
    now,
  });
  const after = withScope(state, scopeId, { ...at, streak });
  if (!begun) return only(after);
  const until = begun.length === null ? undefined : begun.start + begun.length;
  const lockout: LimitEvent = { kind: 'lockout', isKnown, until };
  if (!isKnown || !failsTooOften(after, counted)) return { state: after, happened: [lockout] };
  return { state: forgetSource(after, counted), happened: [lockout, { kind: 'source_forgotten' }] };
}

/** Returns whether an authenticator that was wrong is capped. */
const failsTooOften = (
  { wrongPasswords }: UserState,
  { result, isCodeCapped }: Pick<CountedAttempt, 'result' | 'isCodeCapped'>,
): boolean => ((result.wrongPasswords ?? 0) > 0 && wrongPasswords >= mostWrong) || isCodeCapped;

/** Makes a source unknown. The scope of an administrator is not among the known sources, so it is marked. */
function forgetSource(state: UserState, { attempt, scopeId }: CountedAttempt): UserState {
  if (attempt.as) return withScope(state, scopeId, { ...scopeAt(state, scopeId), countsAsUnknown: true });
  const { [scopeId]: _, ...scopes } = state.scopes;
  return { ...state, scopes, known: state.known.filter(({ source }) => source !== scopeId) };
}

const withScope = (state: UserState, id: string, scope: ScopeState): UserState => ({
  ...state,
  scopes: { ...state.scopes, [id]: scope },
});

/** Most addresses whose delays are kept; the oldest are forgotten. */
const mostAddresses = 64;

/** Forgets the oldest delays. @param latest the address whose delay is written now */
export function withoutOldest(scopes: UserState['scopes'], latest: string): UserState['scopes'] {
  const delayed = Object.entries(scopes).filter(([id, scope]) => id !== latest && isDelay(id, scope));
  const oldest = delayed.sort(([, a], [, b]) => (a.streak?.at ?? 0) - (b.streak?.at ?? 0));
  const forgotten = new Set(
    oldest.slice(0, Math.max(0, oldest.length + 1 - mostAddresses)).map(([id]) => id),
  );
  return Object.fromEntries(Object.entries(scopes).filter(([id]) => !forgotten.has(id)));
}

/** Returns whether a scope has nothing but a delay, so that forgetting it ends no refusal. */
const isDelay = (id: string, { streak, quota, countsAsUnknown }: ScopeState): boolean =>
  id !== unknownSources && streak !== undefined && !streak.lockout && !quota && !countsAsUnknown;

/** Counts an attempt. Only what changes is written: a login that succeeds at a known source changes nothing. */
export function count(result: AttemptResult, admitted: Admitted, found: StepState): CountedChanges {
  const { attempt, recordKey: record, scopeId, admission, directoryFailures } = admitted;
  const { kind } = admission;
  const { now } = found;
  const terms = { now, directoryFailures };
  const codes = codesAfter(countedCodes(result, kind), found);
  const isCodeCapped = codes.some(({ after }) => isCapped(after));
  const { state } = stateNow(found.value(record), terms);
  const outcome = afterAttempt(state, { attempt, result, scopeId, kind, isCodeCapped, now });
  const values = forgetUsed(result, found);
  for (const { code, after } of codes) values.push([wrongCodesKey(code.key), wrongCodesRecord(after)]);
  if (outcome.state !== state) values.push([record, recordOf(outcome.state, terms)]);
  return { values, happened: [...outcome.happened, ...codes.flatMap(capsReached)] };
}

/** The values that the limits write, and the events beyond the attempt. */
interface CountedChanges {
  readonly values: readonly ValueAt[];
  readonly happened: readonly LimitEvent[];
}

/** Names the keys that {@link count} reads, each once: of the user, and of the codes whose streak may grow or end. */
export function countKeys(record: string, possible: readonly AttemptResult[]): string[] {
  const all = [record];
  for (const result of possible) {
    for (const { key } of result.wrongCodes ?? noCodes) addOnce(wrongCodesKey(key), all);
    for (const key of usedCodes(result)) addOnce(wrongCodesKey(key), all);
  }
  return all;
}

/** Adds a key to a short list. */
export function addOnce(key: string, all: string[]): void {
  if (!all.includes(key)) all.push(key);
}

function codesAfter(codes: readonly WrongCode[], found: StepState): readonly CountedCode[] {
  return codes.map((code) => {
    const before = wrongCodesOf(found.value(wrongCodesKey(code.key)));
    return { code, after: oneMoreWrong(before, code) };
  });
}

/** Ends the streak of wrong codes of each authenticator that a full success used. */
function forgetUsed(result: AttemptResult, found: StepState): ValueAt[] {
  const values: ValueAt[] = [];
  for (const code of usedCodes(result)) {
    const key = wrongCodesKey(code);
    if (found.value(key) !== undefined) values.push([key, null]);
  }
  return values;
}

const usedCodes = ({ end, used }: AttemptResult): readonly string[] =>
  end === 'granted' && used ? used.filter((key) => key !== 'password') : noCodes;

const noCodes: readonly never[] = [];

/** A combined proof that is wrong altogether counts for no authenticator. */
function countedCodes(
  { end, isPartialSuccess, wrongCodes: codes = noCodes }: AttemptResult,
  kind: 'separate' | 'combined',
): readonly WrongCode[] {
  return end === 'failed' && (kind === 'separate' || isPartialSuccess) ? codes : noCodes;
}

interface CountedCode {
  readonly code: WrongCode;
  readonly after: WrongCodes;
}

function capsReached({ code: { key, afterPassword }, after }: CountedCode): readonly LimitEvent[] {
  if (afterPassword && after.asSecondFactor === mostWrong) return [{ kind: 'token_disabled', key }];
  return after.wrong === mostWrong ? [{ kind: 'authenticator_cap', key }] : [];
}
