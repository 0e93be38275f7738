/** One try of an admission, pure: the rules of the limits, a token of the source, the user lock. */
import { isUnlocked, lockRecord } from '../foundation/locks/lock.ts';
import type { BucketRule } from '../foundation/locks/token-bucket.ts';
import type { Rank, Tried } from '../foundation/locks/wait-queue.ts';
import { type EphemeralChanges, type EphemeralState, type State, snapshotOf } from '../ports/store/ledger.ts';
import { type Standing, stand } from './admission-rules.ts';
import type { Admitted, LimitsAttempt, Refused } from './attempt.ts';
import { isClosed, wrongCodesKey, wrongCodesOf } from './authenticator-cap.ts';
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
  readonly attempter: LimitsAttempt;
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

export function askedBy(attempter: LimitsAttempt, terms: AdmissionTerms): AdmissionRequest {
  const record = userRecordKey(attempter);
  const codes = attempter.alone.codes.map(wrongCodesKey);
  const durable = [record];
  for (const key of codes) if (!durable.includes(key)) durable.push(key);
  for (const key of attempter.reads ?? none) if (!durable.includes(key)) durable.push(key);
  if (attempter.foreseen) durable.push(...attempter.foreseen);
  return {
    ...{ attempter, terms, record, durable, codes },
    buckets: attempter.place.buckets.map(({ key }) => key),
    ownLock: lockKey(attempter, attempter.place.id),
    unknownLock: lockKey(attempter, unknownSources),
  };
}

const none: readonly never[] = [];

type Judgeable = Exclude<Standing, Refused>;

/** `waits`: a token, the lock or a pace is to be waited for. `ahead`: a clock ahead has written the user's record. */
export type FirstTry =
  | Admitted
  | Refused
  | { readonly kind: 'waits'; readonly standing: Judgeable }
  | { readonly kind: 'ahead' };

/** @param isEmpty the source has no tokens left */
export function standingOf(
  { attempter, terms, record, codes }: AdmissionRequest,
  durable: State,
  isEmpty: boolean,
) {
  const { now } = durable;
  const { directoryFailures, judgesRefused } = terms;
  const { state, isAhead } = stateNow(durable.value(record), { now, directoryFailures });
  const areCodesClosed =
    codes.length > 0 && codes.every((code) => isClosed(wrongCodesOf(durable.value(code))));
  const around = { now, directoryFailures, isEmpty, areCodesClosed, judgesRefused };
  return { standing: stand(state, attempter, around), state, isAhead };
}

/** @param isFree no other attempt of this node waits for the source or the lock: what a waiting one needs is not taken */
export function tryAtOnce(
  asked: AdmissionRequest,
  { owner, isFree }: { readonly owner: string; readonly isFree: boolean },
  { durable, ephemeral }: { readonly durable: State; readonly ephemeral: EphemeralState },
): EphemeralChanges<FirstTry> {
  const { attempter, terms, ownLock, unknownLock } = asked;
  const { standing, state, isAhead } = standingOf(asked, durable, false);
  if (isAhead) return { result: { kind: 'ahead' } };
  if (standing.kind === 'refused') return { result: standing };
  const waits = { result: { kind: 'waits', standing } } as const;
  if (!isFree || isPaced(standing) || delayFor(attempter, { standing, state }, durable.now) > 0) return waits;
  const isUnknown = standing.ground === unknownSources;
  const lock = { key: isUnknown ? unknownLock : ownLock, owner };
  if (!isUnlocked(ephemeral.value(lock.key), ephemeral)) return waits;
  const { holder } = terms;
  const taking = isUnknown ? takeTokens(attempter.place.buckets, ephemeral, holder) : noTokens;
  if (!taking.tokens) return waits;
  return {
    result: admittedOf(asked, { standing, state, lock, tokens: taking.tokens }, { durable, ephemeral }),
    values: [...taking.values, [lock.key, lockRecord(owner, { now: ephemeral.now, holder })]],
  };
}

const noTokens = { tokens: none, values: none };

/** An attempt that waits for the user lock, with its tokens. */
export interface LockTry {
  readonly tokens: readonly BucketRule[];
  readonly rank: Rank;
  /** The source has no token left. */
  readonly isEmpty: boolean;
  readonly scope: string;
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
  { tokens, isEmpty, scope, owner, pacing }: LockTry,
  { durable, ephemeral }: { readonly durable: State; readonly ephemeral: EphemeralState },
): EphemeralChanges<LockTried> {
  const { attempter, terms } = asked;
  const lock = { key: lockKey(attempter, scope), owner };
  if (!isUnlocked(ephemeral.value(lock.key), ephemeral))
    return { result: { tried: { waitFor: pollMilliseconds } } };
  const { standing, state } = standingOf(asked, durable, isEmpty);
  if (standing.kind === 'refused') return { result: { tried: { entered: standing } } };
  if (standing.ground !== scope) return { result: { tried: { entered: 'moved' } } };
  const slot = slotOf(attempter, { standing, state }, pacing, ephemeral);
  const values = slot.values ?? none;
  if (slot.wait === undefined) return { result: { tried: { over: true } } };
  if (slot.wait > 0) return { result: { tried: { waitForPace: slot.wait }, slot: slot.slot }, values };
  const admitted = admittedOf(asked, { standing, state, lock, tokens }, { durable, ephemeral });
  const taken = lockRecord(owner, { now: ephemeral.now, holder: terms.holder });
  return { result: { tried: { entered: admitted } }, values: [...values, [lock.key, taken]] };
}

/** The moment of judging: at the pace of a lockout, or after the delay of a super administrator. */
function slotOf(
  attempter: LimitsAttempt,
  stood: { readonly standing: Judgeable; readonly state: UserState },
  pacing: Pacing,
  ephemeral: State,
): Paced {
  return isPaced(stood.standing)
    ? paced(pacing, ephemeral)
    : { wait: delayFor(attempter, stood, pacing.now) };
}

const isPaced = ({ kind, ground }: Judgeable): boolean => kind === 'together' && ground === unknownSources;

/** Returns the delay of a super administrator, in milliseconds. */
function delayFor(
  { as }: LimitsAttempt,
  { standing, state }: { readonly standing: Judgeable; readonly state: UserState },
  now: number,
): number {
  const row = as === 'super' ? scopeAt(state, standing.ground)?.row : undefined;
  return row ? delayOf(row, now) : 0;
}

function admittedOf(
  { attempter, terms, record }: AdmissionRequest,
  {
    standing,
    state,
    lock,
    tokens,
  }: Pick<Admitted, 'lock' | 'tokens'> & { readonly standing: Judgeable; readonly state: UserState },
  { durable, ephemeral }: { readonly durable: State; readonly ephemeral: EphemeralState },
): Admitted {
  const { kind, ground: scope, passwordsLeft, untold } = standing;
  const isUnknown = scope === unknownSources || scopeAt(state, scope)?.isLost === true;
  return {
    kind: 'admitted',
    attempter,
    admission: {
      kind,
      passwordsLeft,
      isDoomed: untold !== undefined,
      ground: isUnknown ? 'strangers' : 'known',
    },
    known: snapshotOf(durable, attempter.reads ?? none),
    record,
    scope,
    refusal: standing.kind === 'together' ? standing.refusal : undefined,
    sourceExhausted: scope !== unknownSources && areExhausted(attempter.place.buckets, ephemeral),
    lock,
    tokens,
    directoryFailures: terms.directoryFailures,
  };
}
