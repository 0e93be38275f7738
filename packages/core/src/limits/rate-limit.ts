/**
 * Rate limit: a source has 20 tokens over all users, of which one comes back every 3 seconds; an IPv6 /48 ten times both. And its pace:
 * during a lockout one attempt a second is judged for a user, and one for a source.
 */
import {
  type BucketRule,
  bucketRecord,
  isExhausted,
  readBucket,
  spentTokens,
  type TokenBucket,
  taken,
  turnedAway,
  turnedAwayOf,
} from '../foundation/locks/token-bucket.ts';
import type { Rank } from '../foundation/locks/wait-queue.ts';
import { utf8Text } from '../foundation/text/value.ts';
import type { EphemeralStepState, StepState, ValueAt } from '../ports/store/ledger.ts';

/** Tokens of a source. */
const mostOfSource = 20;

export const sourceRule = (id: string): BucketRule => ({
  ...{ key: `bucket:place:${id}`, most: mostOfSource, every: 3000 },
});
export const ipv6SiteRule = (id: string): BucketRule => ({
  ...{ key: `bucket:site:${id}`, most: 200, every: 300 },
});

export const lowestRank: Rank = { failures: 0, turnedAway: 0 };

interface Taking {
  /** Rules that a token was taken of; undefined: not all of them had one, and none was taken. */
  readonly tokens: readonly BucketRule[] | undefined;
  /** The worst of its buckets: who has a /48 is at a new /64 in each attempt. */
  readonly rank: Rank;
  readonly values: readonly ValueAt[];
}

/** Takes a token of each bucket, or of none. */
export function takeTokens(rules: readonly BucketRule[], state: EphemeralStepState, holder: string): Taking {
  const found = rules.map((rule) => readBucket(state.value(rule.key), rule, state));
  const after = found.map((bucket, at) => taken(bucket, ruleAt(rules, at), holder));
  const isTaken = after.every((bucket) => bucket !== undefined);
  const buckets = isTaken ? after : found;
  return {
    tokens: isTaken ? rules : undefined,
    rank: worstOf(buckets.map((bucket, at) => rankOf(bucket, ruleAt(rules, at)))),
    // Written in any case: a clock that was ahead must not keep a source empty until that time.
    values: buckets.map((bucket, at) => [ruleAt(rules, at).key, bucketRecord(bucket)]),
  };
}

function ruleAt(rules: readonly BucketRule[], at: number): BucketRule {
  const rule = rules[at];
  if (!rule) throw new RangeError('a bucket without a rule');
  return rule;
}

/** Returns whether a bucket has no token, and none under way that might come back at once. */
export const areExhausted = (rules: readonly BucketRule[], state: EphemeralStepState): boolean =>
  rules.some((rule) => isExhausted(readBucket(state.value(rule.key), rule, state), rule));

/** Ranks a source, with all of its /48, after others. */
export const turnAway = (rules: readonly BucketRule[], state: EphemeralStepState): readonly ValueAt[] =>
  rules.map((rule) => [
    rule.key,
    bucketRecord(turnedAway(readBucket(state.value(rule.key), rule, state), rule)),
  ]);

/** Counts in tokens of a source: a /48 has more of them. */
function rankOf(bucket: TokenBucket, rule: BucketRule): Rank {
  const sources = rule.most / mostOfSource;
  return {
    failures: Math.floor(spentTokens(bucket, rule) / sources),
    turnedAway: Math.floor(turnedAwayOf(bucket, rule) / sources),
  };
}

const worstOf = (ranks: readonly Rank[]): Rank => ({
  failures: Math.max(0, ...ranks.map(({ failures }) => failures)),
  turnedAway: Math.max(0, ...ranks.map((one) => one.turnedAway)),
});

/** Milliseconds. */
const pace = 1000;
/** Records of slots outlive those of buckets: where there are too many, what ends first goes. */
const slotSeconds = 300;

/** The slot that was given last; both in milliseconds since 1970. */
interface GivenSlot {
  readonly slot: number;
  /** The moment at which the slot was given. */
  readonly at: number;
}

/** The slot of an attempt. */
export interface Paced {
  /** Milliseconds until the attempt may be judged; 0: now; undefined: not in time, and the slot is left to others. */
  readonly wait: number | undefined;
  /** An attempt keeps its slot while it waits. */
  readonly slot?: number | undefined;
  readonly values?: readonly ValueAt[];
}

/** @param of a user, or a source */
export const paceKey = (of: string): string => `pace:${of}`;

/** An attempt that waits for its slot. */
export interface Pacing {
  /** See {@link paceKey}. */
  readonly key: string;
  /** The slot that the attempt was given before. */
  readonly slot: number | undefined;
  /** The time of an attempt that has waited. */
  readonly now: number;
  /** The end of its patience. */
  readonly until: number;
}

/** Gives out slots in the order in which they are asked for, so no node keeps another from its slot. */
export function paced({ key, slot: own, now, until }: Pacing, state: StepState): Paced {
  const last = readSlot(state.value(key));
  const slot = own ?? nextSlot(last, now);
  const given = (at: number): Pick<Paced, 'values'> => ({ values: [[key, slotRecord(at, state.now)]] });
  if (slot > until) return { wait: undefined };
  if (slot > now) return { wait: slot - now, slot, ...(own === undefined && given(slot)) };
  // The next slot begins a second after this one was judged, unless another attempt has it.
  const isLast = own === undefined || last?.slot === slot;
  return { wait: 0, ...(isLast && given(state.now)) };
}

/** A slot that was given by a clock ahead was given now. */
export function nextSlot(last: GivenSlot | undefined, now: number): number {
  if (!last) return now;
  return Math.max(now, (last.at > now ? now : last.slot) + pace);
}

const slotRecord = (slot: number, at: number) => ({
  value: Buffer.from(JSON.stringify({ slot, at }), 'latin1'),
  seconds: slotSeconds,
});

const readSlot = (record: Uint8Array | undefined): GivenSlot | undefined =>
  record && JSON.parse(utf8Text(record));
