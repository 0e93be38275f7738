/**
 * Rule 4, a place over all users: 20 failures, of which one comes back every 3 seconds; an IPv6 /48 ten times both.
 * One is taken before an attempt is judged and given back unless it failed, so parallel attempts outrun nothing.
 */

/** Failures of a place, or of a /48 of places. */
export interface BucketRule {
  readonly key: string;
  /** Failures of somebody who has been quiet. */
  readonly most: number;
  /** Milliseconds until one comes back. */
  readonly every: number;
}

/** Failures of one place. */
export const mostOfPlace = 20;

export const placeBucket = (id: string): BucketRule => ({
  ...{ key: `place:${id}`, most: mostOfPlace, every: 3000 },
});
export const siteBucket = (id: string): BucketRule => ({ key: `site:${id}`, most: 200, every: 300 });

/** So long after its last change a bucket is full again, whatever it held. In seconds. */
export const bucketSeconds = 60;

export interface Bucket {
  /** Milliseconds until it is full again: whole numbers, so that no failure is back a moment early or late. */
  readonly owed: number;
  /** How many were taken by attempts that are being judged, by the process that judges them. */
  readonly underWay: Readonly<Record<string, number>>;
  /** Requests that found no room lately, in the same measure: they wait behind others. */
  readonly turnedAway: number;
  /** When it was so, in milliseconds since 1970. */
  readonly at: number;
}

export const fullBucket = (now: number): Bucket => ({ owed: 0, underWay: {}, turnedAway: 0, at: now });

/** As it is now. A clock that is set back gives nothing, and takes nothing. */
export function refilled(bucket: Bucket, now: number): Bucket {
  const passed = Math.max(0, now - bucket.at);
  const owed = Math.max(0, bucket.owed - passed);
  const turnedAway = Math.max(0, bucket.turnedAway - passed);
  // Full: what is said to be under way belongs to a process that died.
  return { owed, turnedAway, underWay: owed === 0 ? {} : bucket.underWay, at: now };
}

/** Before an attempt is judged. Undefined: none is left. */
export const taken = (bucket: Bucket, rule: BucketRule, holder: string): Bucket | undefined =>
  isEmpty(bucket, rule)
    ? undefined
    : {
        ...bucket,
        owed: bucket.owed + rule.every,
        underWay: { ...bucket.underWay, [holder]: (bucket.underWay[holder] ?? 0) + 1 },
      };

/** After it: `isSpent` where it failed. One that failed comes back from now on, however long it waited to be judged. */
export const ended = (
  bucket: Bucket,
  { every }: BucketRule,
  { isSpent, holder }: { readonly isSpent: boolean; readonly holder: string },
): Bucket => ({
  ...bucket,
  owed: isSpent ? Math.max(every, bucket.owed) : Math.max(0, bucket.owed - every),
  underWay: withUnderWay(bucket, holder, (bucket.underWay[holder] ?? 0) - 1),
});

/** What processes had under way that have ended is given back: nobody was told what came of it. */
export function withoutGone(
  bucket: Bucket,
  { every }: BucketRule,
  isGone: (holder: string) => boolean,
): Bucket {
  const all = Object.entries(bucket.underWay);
  const left = all.filter(([holder]) => !isGone(holder));
  const given = underWayOf(bucket) - left.reduce((sum, [, count]) => sum + count, 0);
  return {
    ...bucket,
    owed: Math.max(0, bucket.owed - given * every),
    underWay: Object.fromEntries(left),
  };
}

function withUnderWay({ underWay }: Bucket, holder: string, count: number): Bucket['underWay'] {
  const { [holder]: _, ...others } = underWay;
  return count > 0 ? { ...others, [holder]: count } : others;
}

export const underWayOf = ({ underWay }: Bucket): number =>
  Object.values(underWay).reduce((sum, count) => sum + count, 0);

/** By a failure that nothing was taken for before, where there is one left. */
export const spent = (bucket: Bucket, rule: BucketRule): Bucket =>
  isEmpty(bucket, rule) ? bucket : { ...bucket, owed: bucket.owed + rule.every };

export const turnedAway = (bucket: Bucket, { every }: BucketRule): Bucket => ({
  ...bucket,
  turnedAway: bucket.turnedAway + every,
});

/** No whole failure is left. */
export const isEmpty = ({ owed }: Bucket, { most, every }: BucketRule): boolean => owed > (most - 1) * every;

/** It is as if nobody had ever come from there: nothing needs to be kept of it. */
export const isUntouched = ({ owed, turnedAway }: Bucket): boolean => owed === 0 && turnedAway === 0;

/** Whole failures: fractions come back of themselves, and would put those in front who came later. */
export const failuresOf = (bucket: Bucket, { every }: BucketRule): number =>
  Math.max(0, Math.ceil(bucket.owed / every) - underWayOf(bucket));

export const turnedAwayOf = ({ turnedAway: owed }: Bucket, { every }: BucketRule): number =>
  Math.ceil(owed / every);
