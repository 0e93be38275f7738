/**
 * Admission: takes a token of the source's rate limit, then the user's lock, in one step if both are free. Otherwise the attempt waits in
 * the queue of its source, and then in that of the user.
 */
import type { BucketRule } from '../foundation/locks/token-bucket.ts';
import { type Rank, type Tried, usualPatience, type WaitQueues } from '../foundation/locks/wait-queue.ts';
import type { EphemeralChanges, Ledger, LockRelease } from '../ports/store/ledger.ts';
import { releasedValues } from '../ports/store/release.ts';
import {
  type AdmissionRequest,
  type AdmissionTerms,
  admissionRequest,
  type FirstTry,
  type LockTried,
  rulingOf,
  tryAtOnce,
  tryLocked,
} from './admission-try.ts';
import type { Admitted, LimitsAttempt, Refused } from './limits-attempt.ts';
import { longestDelay } from './lockout.ts';
import { areExhausted, lowestRank, type Paced, paced, paceKey, takeTokens, turnAway } from './rate-limit.ts';
import { unknownSources } from './source.ts';
import { lockKey, type UserLocks } from './user-lock.ts';

export interface AdmissionParts {
  readonly ledger: Pick<Ledger, 'admit' | 'holder'>;
  readonly queues: WaitQueues;
  readonly locks: UserLocks;
  readonly terms: Omit<AdmissionTerms, 'holder'>;
  /** Corrects a user's record that a clock ahead has written. */
  correct(attempt: LimitsAttempt): Promise<void>;
}

/** Most that wait for the user lock or a slot, on a node. */
const mostWaiting = 32;
/** Most that wait for tokens that others have under way; more are refused. */
const mostForTokens = 1000;
const pollMilliseconds = 50;

const noRoom: Refused = { kind: 'refused', secondsLeft: 1, reason: 'too many at a time' };

/**
 * Tries at once, else waits. An attempt whose source becomes known while it waits keeps its tokens and begins again: so the tokens of its source
 * bound those that wait for the lock.
 * @throws ServiceError `unavailable` if the ledger is down, or the client has disconnected
 */
export async function admit(attempt: LimitsAttempt, parts: AdmissionParts): Promise<Admitted | Refused> {
  const asked = admissionRequest(attempt, { ...parts.terms, holder: parts.ledger.holder });
  let kept: readonly BucketRule[] = [];
  let came: Admitted | Refused | undefined;
  try {
    while (!came) {
      const first = await admitAtOnce(asked, parts);
      if (first.kind === 'ahead') await parts.correct(attempt);
      else if (first.kind === 'waits') {
        const waited = await wait(asked, first.ruling, parts);
        if (waited.kind === 'moved') kept = [...kept, ...waited.tokens];
        else came = waited;
      } else {
        if (first.kind === 'admitted') parts.locks.hold(first.lock);
        came = first;
      }
    }
    return came.kind === 'admitted' && kept.length > 0 ? { ...came, returnedTokens: kept } : came;
  } finally {
    if (came?.kind !== 'admitted') await returnTokens(kept, asked, parts);
  }
}

function admitAtOnce(asked: AdmissionRequest, { ledger, queues, locks }: AdmissionParts): Promise<FirstTry> {
  const { ownLock, unknownLock, buckets, durable } = asked;
  const { source, signal } = asked.attempt;
  const isFree =
    !signal?.aborted && queues.isFree(source.id) && queues.isFree(ownLock) && queues.isFree(unknownLock);
  const by = { owner: locks.nextOwner(), isFree };
  return ledger.admit({
    durable,
    ephemeral: isFree ? [...buckets, ownLock, unknownLock] : [],
    decide: (lasting, ephemeral) => tryAtOnce(asked, by, { durable: lasting, ephemeral }),
  });
}

/** The tokens that an attempt has got. */
interface Tokens {
  readonly kind: 'tokens';
  readonly tokens: readonly BucketRule[];
  readonly rank: Rank;
  /** The source has no token left. */
  readonly hasNoTokens: boolean;
}

/** The source has become known, or unknown, while the attempt waited. */
interface Moved {
  readonly kind: 'moved';
  readonly tokens: readonly BucketRule[];
}

async function wait(
  asked: AdmissionRequest,
  first: Extract<FirstTry, { kind: 'waits' }>['ruling'],
  parts: AdmissionParts,
): Promise<Admitted | Refused | Moved> {
  const got = await waitForTokens(asked, first, parts);
  if (got.kind === 'refused') return got;
  const { tokens } = got;
  let came: Admitted | Refused | Moved | undefined;
  try {
    const locked = await waitForLock(asked, { ...got, scopeId: first.scopeId }, parts);
    came = locked === 'moved' ? { kind: 'moved', tokens } : locked;
    return came;
  } finally {
    if (!came || came.kind === 'refused') await returnTokens(tokens, asked, parts);
  }
}

/** Comes before the wait for the user lock: a source that waits harms itself alone. */
async function waitForTokens(
  asked: AdmissionRequest,
  first: Extract<FirstTry, { kind: 'waits' }>['ruling'],
  parts: AdmissionParts,
): Promise<Tokens | Refused> {
  if (first.scopeId !== unknownSources)
    return { kind: 'tokens', tokens: [], rank: lowestRank, hasNoTokens: false };
  const taken = first.kind === 'separate' ? await waitForToken(asked, parts) : undefined;
  if (taken) return taken;
  const ruling = first.kind === 'combined' ? first : await rulingWithoutTokens(asked, parts);
  if (ruling.kind === 'refused') return ruling;
  return (await waitForSlot(asked, parts)) ?? noRoom;
}

/** Waits for tokens that others have under way. Undefined: none is left. */
function waitForToken(
  asked: AdmissionRequest,
  { ledger, queues }: AdmissionParts,
): Promise<Tokens | undefined> {
  const { source, signal } = asked.attempt;
  return queues.enter(source.id, {
    ...{ most: mostForTokens, rank: lowestRank, patience: usualPatience, signal },
    attempt: () =>
      ledger.admit({
        ...{ durable: [], ephemeral: asked.buckets },
        decide: (_, ephemeral): EphemeralChanges<Tried<Tokens>> => {
          const { tokens, rank, values } = takeTokens(source.buckets, ephemeral, ledger.holder);
          if (tokens)
            return { result: { entered: { kind: 'tokens', tokens, rank, hasNoTokens: false } }, values };
          const isOver = areExhausted(source.buckets, ephemeral);
          return { result: isOver ? { over: true } : { waitFor: pollMilliseconds }, values };
        },
      }),
  });
}

function rulingWithoutTokens(asked: AdmissionRequest, { ledger }: AdmissionParts) {
  return ledger.admit({
    ...{ durable: asked.durable, ephemeral: [] },
    decide: (durable) => ({ result: rulingOf(asked, durable, true).ruling }),
  });
}

/** Waits for a slot of the source, and takes a token if there is one: during a lockout each source is judged once a second. */
async function waitForSlot(
  asked: AdmissionRequest,
  { ledger, queues }: AdmissionParts,
): Promise<Tokens | undefined> {
  const { source, signal } = asked.attempt;
  if (source.buckets.length === 0)
    return { kind: 'tokens', tokens: [], rank: lowestRank, hasNoTokens: false };
  const key = paceKey(source.id);
  let slot: number | undefined;
  return queues.enter<Tokens>(key, {
    ...{ most: mostWaiting, rank: lowestRank, patience: usualPatience, signal },
    attempt: async (now, until) => {
      const tried = await ledger.admit<{ readonly mine: Paced; readonly got?: Tokens }>({
        ...{ durable: [], ephemeral: [key, ...asked.buckets] },
        decide: (_, ephemeral) => {
          const mine = paced({ key, slot, now, until }, ephemeral);
          if (mine.wait !== 0) return { result: { mine }, values: mine.values };
          const { tokens = [], rank, values } = takeTokens(source.buckets, ephemeral, ledger.holder);
          const got: Tokens = { kind: 'tokens', tokens, rank, hasNoTokens: tokens.length === 0 };
          return { result: { mine, got }, values: [...(mine.values ?? []), ...values] };
        },
      });
      slot ??= tried.mine.slot;
      if (tried.got) return { entered: tried.got };
      return tried.mine.wait === undefined ? { over: true } : { waitForPace: tried.mine.wait };
    },
  });
}

async function waitForLock(
  asked: AdmissionRequest,
  waiting: Tokens & { readonly scopeId: string },
  parts: AdmissionParts,
): Promise<Admitted | Refused | 'moved'> {
  const { attempt, durable, buckets } = asked;
  const { ledger, queues, locks } = parts;
  const { family, user, as } = attempt;
  const key = lockKey(attempt, waiting.scopeId);
  const pace = paceKey(`${family}:${user}`);
  const isSuper = as === 'super';
  let slot: number | undefined;
  const came = await queues.enter<Admitted | Refused | 'moved'>(key, {
    // A super administrator is never refused.
    most: isSuper ? Number.POSITIVE_INFINITY : mostWaiting,
    rank: waiting.rank,
    signal: attempt.signal,
    patience: isSuper ? usualPatience + longestDelay : usualPatience,
    attempt: async (now, until) => {
      const pacing = { key: pace, slot, now, until };
      const at = { ...waiting, owner: locks.nextOwner(), pacing };
      const tried = await ledger.admit<LockTried>({
        durable,
        ephemeral: [pace, ...(waiting.scopeId === unknownSources ? [] : buckets), key],
        decide: (lasting, ephemeral) => tryLocked(asked, at, { durable: lasting, ephemeral }),
      });
      slot ??= tried.slot;
      return tried.tried;
    },
  });
  if (came === undefined) await turnAwayFrom(asked, parts);
  if (typeof came === 'object' && came.kind === 'admitted') locks.hold(came.lock);
  return came ?? noRoom;
}

/** Returns tokens that were taken in vain. */
async function returnTokens(
  tokens: readonly BucketRule[],
  { attempt }: AdmissionRequest,
  { ledger, queues }: AdmissionParts,
): Promise<void> {
  if (tokens.length === 0) return;
  const releases = tokens.map((rule) => ({ kind: 'tokens', key: rule.key, rule, change: 'return' }) as const);
  await release(releases, ledger);
  queues.wake(attempt.source.id);
}

/** Applies releases that no commit applies. */
export function release(
  releases: readonly LockRelease[],
  ledger: Pick<Ledger, 'admit' | 'holder'>,
): Promise<void> {
  return ledger.admit({
    ...{ durable: [], ephemeral: releases.map(({ key }) => key) },
    decide: (_, state) => ({ result: undefined, values: releasedValues(releases, state, ledger.holder) }),
  });
}

async function turnAwayFrom(
  { attempt, buckets }: AdmissionRequest,
  { ledger }: AdmissionParts,
): Promise<void> {
  await ledger.admit({
    ...{ durable: [], ephemeral: buckets },
    decide: (_, ephemeral) => ({
      result: undefined,
      values: turnAway(attempt.source.buckets, ephemeral),
    }),
  });
}
