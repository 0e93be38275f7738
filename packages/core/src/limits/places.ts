/** Rule 4 over all nodes: what places have left, and who of a place is judged when, in the momentary store. */
import type { Clock } from '../ports/clock.ts';
import type { Store, Update } from '../ports/store.ts';
import {
  type Bucket,
  type BucketRule,
  bucketSeconds,
  ended,
  failuresOf,
  fullBucket,
  isEmpty,
  isUntouched,
  mostOfPlace,
  refilled,
  spent,
  taken,
  turnedAway,
  turnedAwayOf,
} from './kept/buckets.ts';
import type { Place } from './kept/users-and-places.ts';
import { Pacer } from './pace.ts';
import { type Lines, type Tried, usualPatience } from './turns.ts';

/** How a place stands beside others: who has failed less comes first, then who was turned away less. */
export interface Rank {
  readonly failures: number;
  readonly turnedAway: number;
}

/** What an attempt has taken of a place. */
export interface Share {
  /** Those that one was taken of. */
  readonly buckets: readonly BucketRule[];
  readonly rank: Rank;
}

export const noShare: Share = { buckets: [], rank: { failures: 0, turnedAway: 0 } };

/** Those who wait for failures that others have under way; more of them are refused. */
const mostWaiting = 1000;
const pollMilliseconds = 50;
const calmSeconds = 600;
const mostCalm = 100;

export class Places {
  readonly #momentary: Store;
  readonly #clock: Clock;
  readonly #lines: Lines;

  constructor(momentary: Store, clock: Clock, lines: Lines) {
    this.#momentary = momentary;
    this.#clock = clock;
    this.#lines = lines;
  }

  /** Takes one failure of a place, waiting for those under way. Undefined: there is none left. */
  async take(place: Place, gone: AbortSignal | undefined): Promise<Share | undefined> {
    if (place.buckets.length === 0) return noShare;
    return this.#lines.enter(place.id, {
      most: mostWaiting,
      rank: noShare.rank,
      patience: usualPatience,
      gone,
      attempt: () => this.#tryToTake(place),
    });
  }

  /** Takes one if there is one, and waits for its second: under a refusal, a place is judged once in each (rule 5). */
  async takeAtPace(place: Place, gone: AbortSignal | undefined): Promise<Share | undefined> {
    if (place.buckets.length === 0) return noShare;
    const key = `pace:${place.id}`;
    const [rank, pacer] = [noShare.rank, this.pacer(key)];
    const isInTime = await this.#lines.enter(key, {
      most: 32,
      rank,
      patience: usualPatience,
      gone,
      attempt: async (now, until) => {
        const wait = await pacer.wait(now, until);
        if (wait === undefined) return { over: true };
        return wait > 0 ? { waitForPace: wait } : { entered: true };
      },
    });
    if (!isInTime) return undefined;
    return (await this.#takeAll(place)) ?? { ...noShare, rank: await this.#rank(place) };
  }

  /** Of one attempt. @param key `pace:<of whom>` */
  pacer(key: string): Pacer {
    return new Pacer(key, { momentary: this.#momentary, clock: this.#clock });
  }

  /** After the attempt. */
  async giveBack(place: Place, { buckets }: Share, isSpent: boolean): Promise<void> {
    await Promise.all(buckets.map((rule) => this.#change(rule, (bucket) => ended(bucket, rule, isSpent))));
    if (buckets.length > 0) this.#lines.wake(place.id);
  }

  /** A failure that nothing was taken for: of a user to whom the place is known. @returns true: there was none left */
  async spend(place: Place): Promise<boolean> {
    const left = place.buckets.map((rule) => this.#spend(rule));
    return (await Promise.all(left)).includes(false);
  }

  #spend(rule: BucketRule): Promise<boolean> {
    return this.#momentary.update(bucketKey(rule), (before): Update<boolean> => {
      const bucket = this.#bucket(before);
      return { result: !isEmpty(bucket, rule), after: recordOf(spent(bucket, rule)) };
    });
  }

  /** It found no room, and waits behind others from now on, with all of its /48. */
  async turnAway({ buckets }: Place): Promise<void> {
    for (const rule of buckets) await this.#change(rule, (bucket) => turnedAway(bucket, rule));
  }

  /** @returns true for the failure that is one too many of a caller that is never refused as a whole */
  async failedCalmly(caller: string): Promise<boolean> {
    const count = await this.#momentary.count(`calm:${caller}`, { by: 1, seconds: calmSeconds });
    return count === mostCalm + 1;
  }

  async #tryToTake(place: Place): Promise<Tried<Share>> {
    const share = await this.#takeAll(place);
    if (share) return { entered: share };
    const looks = place.buckets.map(async (rule) => ({ rule, bucket: await this.#look(rule) }));
    const empty = (await Promise.all(looks)).filter(({ rule, bucket }) => isEmpty(bucket, rule));
    const isHopeless = empty.some(({ bucket }) => bucket.underWay === 0);
    return isHopeless ? { over: true } : { waitFor: pollMilliseconds };
  }

  /** One of the place and one of its /48, or of neither. */
  async #takeAll(place: Place): Promise<Share | undefined> {
    const buckets: BucketRule[] = [];
    const ranks: Rank[] = [];
    for (const rule of place.buckets) {
      const left = await this.#take(rule);
      if (!left) {
        await this.giveBack(place, { ...noShare, buckets }, false);
        return undefined;
      }
      buckets.push(rule);
      ranks.push(rankOf(left, rule));
    }
    return { buckets, rank: worst(ranks) };
  }

  /** That of a place or of its /48, whichever is worse: whoever has a /48 is at a new /64 in each attempt. */
  async #rank({ buckets }: Place): Promise<Rank> {
    return worst(await Promise.all(buckets.map(async (rule) => rankOf(await this.#look(rule), rule))));
  }

  async #look(rule: BucketRule): Promise<Bucket> {
    return this.#bucket(await this.#momentary.get(bucketKey(rule)));
  }

  /** @returns as it is then; undefined: there was none */
  #take(rule: BucketRule): Promise<Bucket | undefined> {
    return this.#momentary.update(bucketKey(rule), (before): Update<Bucket | undefined> => {
      const bucket = this.#bucket(before);
      const after = taken(bucket, rule);
      // Written in any case: a clock that was ahead must not keep the place empty until it is there again.
      return { result: after, after: recordOf(after ?? bucket) };
    });
  }

  async #change(rule: BucketRule, change: (bucket: Bucket) => Bucket): Promise<void> {
    await this.#momentary.update(bucketKey(rule), (before): Update<void> => {
      const bucket = change(this.#bucket(before));
      return { result: undefined, after: isUntouched(bucket) ? null : recordOf(bucket) };
    });
  }

  #bucket(record: Uint8Array | undefined): Bucket {
    const now = this.#clock.now();
    if (!record) return fullBucket(now);
    return refilled(JSON.parse(Buffer.from(record).toString('latin1')), now);
  }
}

const worst = (ranks: readonly Rank[]): Rank => ({
  failures: Math.max(0, ...ranks.map(({ failures }) => failures)),
  turnedAway: Math.max(0, ...ranks.map((one) => one.turnedAway)),
});

/** In failures of a place: a /48 has more of them. */
function rankOf(bucket: Bucket, rule: BucketRule): Rank {
  const places = rule.most / mostOfPlace;
  return {
    failures: Math.floor(failuresOf(bucket, rule) / places),
    turnedAway: Math.floor(turnedAwayOf(bucket, rule) / places),
  };
}

const bucketKey = ({ key }: BucketRule): string => `bucket:${key}`;

const recordOf = (bucket: Bucket): { value: Uint8Array; seconds: number } => ({
  value: Buffer.from(JSON.stringify(bucket), 'latin1'),
  seconds: bucketSeconds,
});
