/**
 * A token bucket over processes: a token is taken before an attempt and returned unless the attempt failed, so parallel attempts outrun
 * no limit.
 */
import { utf8Text } from '../text/value.ts';

export interface BucketRule {
  readonly key: string;
  /** Tokens of a full bucket. */
  readonly most: number;
  /** Milliseconds until a token comes back. */
  readonly every: number;
}

export interface TokenBucket {
  /** Milliseconds until the bucket is full again: whole numbers, so that no token is back a moment early or late. */
  readonly owed: number;
  /** Tokens under way, by the process that took them. */
  readonly underWay: Readonly<Record<string, number>>;
  /** Requests that found no room lately, in milliseconds as `owed`: they rank after others. */
  readonly turnedAway: number;
  /** The last change, in milliseconds since 1970. */
  readonly at: number;
}

/** The moment of a step, and the processes that take tokens. */
export interface BucketMoment {
  readonly now: number;
  /** This process. */
  readonly holder: string;
  /** Returns whether another process is certain to have ended. */
  hasEnded(holder: string): boolean;
}

/** Seconds after which an unused bucket is full at the latest. */
const lifetime = 60;

export const fullBucket = (now: number): TokenBucket => ({ owed: 0, underWay: {}, turnedAway: 0, at: now });

/** Reads a record as of now. Tokens of processes that have ended come back where the bucket would be empty. */
export function readBucket(
  record: Uint8Array | undefined,
  rule: BucketRule,
  { now, hasEnded }: Pick<BucketMoment, 'now' | 'hasEnded'>,
): TokenBucket {
  if (!record) return fullBucket(now);
  const bucket = refilled(JSON.parse(utf8Text(record)), now);
  return isEmpty(bucket, rule) ? withoutEnded(bucket, rule, hasEnded) : bucket;
}

/** Returns the record of a bucket; null for one that is as if it had never been used. */
export const bucketRecord = (bucket: TokenBucket) =>
  isUntouched(bucket) ? null : { value: Buffer.from(JSON.stringify(bucket), 'latin1'), seconds: lifetime };

/** Lets tokens come back with time. A clock that is set back returns none, and takes none. */
export function refilled(bucket: TokenBucket, now: number): TokenBucket {
  const passed = Math.max(0, now - bucket.at);
  const owed = Math.max(0, bucket.owed - passed);
  const turnedAway = Math.max(0, bucket.turnedAway - passed);
  // What a full bucket has under way belongs to a process that died.
  return { owed, turnedAway, underWay: owed === 0 ? {} : bucket.underWay, at: now };
}

/** Takes a token before an attempt. @returns undefined where none is left */
export const taken = (bucket: TokenBucket, rule: BucketRule, holder: string): TokenBucket | undefined =>
  isEmpty(bucket, rule)
    ? undefined
    : {
        ...bucket,
        owed: bucket.owed + rule.every,
        underWay: { ...bucket.underWay, [holder]: (bucket.underWay[holder] ?? 0) + 1 },
      };

/** Ends an attempt that took a token. A token that is kept comes back from now on, however long the attempt took. */
export const ended = (
  bucket: TokenBucket,
  { every }: BucketRule,
  { isKept, holder }: { readonly isKept: boolean; readonly holder: string },
): TokenBucket => ({
  ...bucket,
  owed: isKept ? Math.max(every, bucket.owed) : Math.max(0, bucket.owed - every),
  underWay: withUnderWay(bucket, holder, (bucket.underWay[holder] ?? 0) - 1),
});

/** Returns the tokens that ended processes had under way. */
export function withoutEnded(
  bucket: TokenBucket,
  { every }: BucketRule,
  hasEnded: (holder: string) => boolean,
): TokenBucket {
  const left = Object.entries(bucket.underWay).filter(([holder]) => !hasEnded(holder));
  const returned = underWayOf(bucket) - left.reduce((sum, [, count]) => sum + count, 0);
  return {
    ...bucket,
    owed: Math.max(0, bucket.owed - returned * every),
    underWay: Object.fromEntries(left),
  };
}

function withUnderWay({ underWay }: TokenBucket, holder: string, count: number): TokenBucket['underWay'] {
  const { [holder]: _, ...others } = underWay;
  return count > 0 ? { ...others, [holder]: count } : others;
}

export const underWayOf = ({ underWay }: TokenBucket): number =>
  Object.values(underWay).reduce((sum, count) => sum + count, 0);

/** Spends a token that was not taken before; of an empty bucket, none. */
export const spent = (bucket: TokenBucket, rule: BucketRule): TokenBucket =>
  isEmpty(bucket, rule) ? bucket : { ...bucket, owed: bucket.owed + rule.every };

export const turnedAway = (bucket: TokenBucket, { every }: BucketRule): TokenBucket => ({
  ...bucket,
  turnedAway: bucket.turnedAway + every,
});

/** Returns whether no whole token is left. */
export const isEmpty = ({ owed }: TokenBucket, { most, every }: BucketRule): boolean =>
  owed > (most - 1) * every;

/** Returns whether no token is left, and none is under way that might come back at once. */
export const isExhausted = (bucket: TokenBucket, rule: BucketRule): boolean =>
  isEmpty(bucket, rule) && underWayOf(bucket) === 0;

export const isUntouched = ({ owed, turnedAway }: TokenBucket): boolean => owed === 0 && turnedAway === 0;

/** Counts whole tokens that are spent: fractions come back with time, and would prefer those that came later. */
export const spentTokens = (bucket: TokenBucket, { every }: BucketRule): number =>
  Math.max(0, Math.ceil(bucket.owed / every) - underWayOf(bucket));

export const turnedAwayOf = ({ turnedAway: owed }: TokenBucket, { every }: BucketRule): number =>
  Math.ceil(owed / every);
