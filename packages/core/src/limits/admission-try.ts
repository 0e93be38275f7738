/** One try of an admission, pure: the rules of the limits, a token of the source, the user lock. */
import { isUnlocked, lockRecord } from '../foundation/locks/lock.ts';
import type { BucketRule } from '../foundation/locks/token-bucket.ts';
import type { Rank, Tried } from '../foundation/locks/wait-queue.ts';
import {
  type EphemeralChanges,
  type EphemeralStepState,
  type StepState,
  snapshotOf,
} from '../ports/store/ledger.ts';
import { type Ruling, ruleOn } from './admission-rules.ts';
import { isCapped, wrongCodesKey, wrongCodesOf } from './authenticator-cap.ts';
import type { Admitted, LimitsAttempt, Refused } from './limits-attempt.ts';
import { delayOf } from './lockout.ts';
import type { DirectoryFailures } from './quotas.ts';
import { areExhausted, type Paced, type Pacing, paced, takeTokens } from './rate-limit.ts';
import { unknownSources } from './source.ts';
import { lockKey } from './user-lock.ts';
import { userRecordKey } from './user-records.ts';
import { scopeAt, stateNow, type UserState } from './user-state.ts';

/** Settings of the installation, and this process. */
export interface AdmissionTerms {
  readonly directoryFailures: DirectoryFailures | undefined;
  /** `judge_refused` */
  readonly judgesRefused: boolean;
  /** See {@link Ledger.holder}. */
  readonly holder: string;
}

/** An attempt, and the keys that its admission reads. */
export interface AdmissionRequest {
  readonly attempt: LimitsAttempt;
  readonly terms: AdmissionTerms;
  readonly record: string;
  /** Durable keys. */
  readonly durable: readonly string[];
  readonly codes: readonly string[];
  /** Keys of the buckets of the source. */
  readonly buckets: readonly string[];
  /** Lock keys of the source as a scope of its own, and of unknown sources. */
  readonly ownLock: string;
  readonly unknownLock: string;
}

export function admissionRequest(attempt: LimitsAttempt, terms: AdmissionTerms): AdmissionRequest {
  const record = userRecordKey(attempt);
  const codes = attempt.withoutPassword.codes.map(wrongCodesKey);
  const durable = [record];
  for (const key of codes) if (!durable.includes(key)) durable.push(key);
  for (const key of attempt.reads ?? none) if (!durable.includes(key)) durable.push(key);
  if (attempt.prefetch) durable.push(...attempt.prefetch);
  return {
    ...{ attempt, terms, record, durable, codes },
    buckets: attempt.source.buckets.map(({ key }) => key),
    ownLock: lockKey(attempt, attempt.source.id),
    unknownLock: lockKey(attempt, unknownSources),
  };
}

const none: readonly never[] = [];

type Judgeable = Exclude<Ruling, Refused>;

/** `waits`: a token, the lock or a pace is to be waited for. `ahead`: a clock ahead has written the user's record. */
export type FirstTry =
  | Admitted
  | Refused
  | { readonly kind: 'waits'; readonly ruling: Judgeable }
  | { readonly kind: 'ahead' };

/** @param hasNoTokens the source has no tokens left */
export function rulingOf(
  { attempt, terms, record, codes }: AdmissionRequest,
  durable: StepState,
  hasNoTokens: boolean,
) {
  const { now } = durable;
  const { directoryFailures, judgesRefused } = terms;
  const { state, isAheadOfClock } = stateNow(durable.value(record), { now, directoryFailures });
  const areCodesCapped =
    codes.length > 0 && codes.every((code) => isCapped(wrongCodesOf(durable.value(code))));
  const around = { now, directoryFailures, hasNoTokens, areCodesCapped, judgesRefused };
  return { ruling: ruleOn(state, attempt, around), state, isAheadOfClock };
}

/** @param isFree no other attempt of this node waits for the source or the lock: what a waiting one needs is not taken */
export function tryAtOnce(
  asked: AdmissionRequest,
  { owner, isFree }: { readonly owner: string; readonly isFree: boolean },
  { durable, ephemeral }: { readonly durable: StepState; readonly ephemeral: EphemeralStepState },
): EphemeralChanges<FirstTry> {
  const { attempt, terms, ownLock, unknownLock } = asked;
  const { ruling, state, isAheadOfClock } = rulingOf(asked, durable, false);
  if (isAheadOfClock) return { result: { kind: 'ahead' } };
  if (ruling.kind === 'refused') return { result: ruling };
  const waits = { result: { kind: 'waits', ruling } } as const;
  if (!isFree || isPaced(ruling) || delayFor(attempt, { ruling, state }, durable.now) > 0) return waits;
  const isUnknown = ruling.scopeId === unknownSources;
  const lock = { key: isUnknown ? unknownLock : ownLock, owner };
  if (!isUnlocked(ephemeral.value(lock.key), ephemeral)) return waits;
  const { holder } = terms;
  const taking = isUnknown ? takeTokens(attempt.source.buckets, ephemeral, holder) : noTokens;
  if (!taking.tokens) return waits;
  return {
    result: admittedOf(asked, { ruling, state, lock, rateTokens: taking.tokens }, { durable, ephemeral }),
    values: [...taking.values, [lock.key, lockRecord(owner, { now: ephemeral.now, holder })]],
  };
}

const noTokens = { tokens: none, values: none };

/** An attempt that waits for the user lock, with its tokens. */
export interface LockTry {
  readonly tokens: readonly BucketRule[];
  readonly rank: Rank;
  /** The source has no token left. */
  readonly hasNoTokens: boolean;
  readonly scopeId: string;
  readonly owner: string;
  readonly pacing: Pacing;
}

/** The result of a try, and the slot that the attempt was given. */
export interface LockTried {
  /** `moved`: the source has become known, or unknown, while the attempt waited. */
  readonly tried: Tried<Admitted | Refused | 'moved'>;
  readonly slot?: number | undefined;
}

const pollMilliseconds = 20;

export function tryLocked(
  asked: AdmissionRequest,
  { tokens, hasNoTokens, scopeId, owner, pacing }: LockTry,
  { durable, ephemeral }: { readonly durable: StepState; readonly ephemeral: EphemeralStepState },
): EphemeralChanges<LockTried> {
  const { attempt, terms } = asked;
  const lock = { key: lockKey(attempt, scopeId), owner };
  if (!isUnlocked(ephemeral.value(lock.key), ephemeral))
    return { result: { tried: { waitFor: pollMilliseconds } } };
  const { ruling, state } = rulingOf(asked, durable, hasNoTokens);
  if (ruling.kind === 'refused') return { result: { tried: { entered: ruling } } };
  if (ruling.scopeId !== scopeId) return { result: { tried: { entered: 'moved' } } };
  const slot = slotOf(attempt, { ruling, state }, pacing, ephemeral);
  const values = slot.values ?? none;
  if (slot.wait === undefined) return { result: { tried: { over: true } } };
  if (slot.wait > 0) return { result: { tried: { waitForPace: slot.wait }, slot: slot.slot }, values };
  const admitted = admittedOf(asked, { ruling, state, lock, rateTokens: tokens }, { durable, ephemeral });
  const taken = lockRecord(owner, { now: ephemeral.now, holder: terms.holder });
  return { result: { tried: { entered: admitted } }, values: [...values, [lock.key, taken]] };
}

/** The moment of judging: at the pace of a lockout, or after the delay of a super administrator. */
function slotOf(
  attempt: LimitsAttempt,
  ruled: { readonly ruling: Judgeable; readonly state: UserState },
  pacing: Pacing,
  ephemeral: StepState,
): Paced {
  return isPaced(ruled.ruling) ? paced(pacing, ephemeral) : { wait: delayFor(attempt, ruled, pacing.now) };
}

const isPaced = ({ kind, scopeId }: Judgeable): boolean => kind === 'combined' && scopeId === unknownSources;

/** Returns the delay of a super administrator, in milliseconds. */
function delayFor(
  { as }: LimitsAttempt,
  { ruling, state }: { readonly ruling: Judgeable; readonly state: UserState },
  now: number,
): number {
  const streak = as === 'super' ? scopeAt(state, ruling.scopeId)?.streak : undefined;
  return streak ? delayOf(streak, now) : 0;
}

function admittedOf(
  { attempt, terms, record }: AdmissionRequest,
  {
    ruling,
    state,
    lock,
    rateTokens: tokens,
  }: Pick<Admitted, 'lock' | 'rateTokens'> & { readonly ruling: Judgeable; readonly state: UserState },
  { durable, ephemeral }: { readonly durable: StepState; readonly ephemeral: EphemeralStepState },
): Admitted {
  const { kind, scopeId, passwordsLeft, hidden } = ruling;
  const isUnknown = scopeId === unknownSources || scopeAt(state, scopeId)?.countsAsUnknown === true;
  return {
    kind: 'admitted',
    attempt,
    admission: {
      kind,
      passwordsLeft,
      isDoomed: hidden !== undefined,
      scope: isUnknown ? 'unknown' : 'known',
    },
    snapshot: snapshotOf(durable, attempt.reads ?? none),
    recordKey: record,
    scopeId,
    refusal: ruling.kind === 'combined' ? ruling.refusal : undefined,
    sourceExhausted: scopeId !== unknownSources && areExhausted(attempt.source.buckets, ephemeral),
    lock,
    rateTokens: tokens,
    directoryFailures: terms.directoryFailures,
  };
}
