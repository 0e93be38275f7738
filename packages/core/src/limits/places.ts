/** Rule 4 over all nodes: what places have left, and who of a place is judged when. */

import { utf8Text } from '../foundation/text/value.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger, StateBefore, TimedValue } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
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
  underWayOf,
  withoutGone,
} from './kept/buckets.ts';
import type { Place } from './kept/users-and-places.ts';
import { Pacer } from './pace.ts';
import { type Lines, type Rank, type Tried, usualPatience } from './turns.ts';

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

/** A list of the caller's own. */
export const bucketKeys = ({ buckets }: Pick<Place | Share, 'buckets'>): string[] => buckets.map(bucketKey);

const bucketKey = ({ key }: BucketRule): string => `bucket:${key}`;

interface PlacesParts {
  readonly ledger: Pick<Ledger, 'enter' | 'holder' | 'isGone'>;
  readonly momentary: Pick<Store, 'count'>;
  readonly clock: Clock;
  readonly lines: Lines;
}

export class Places {
  readonly #parts: PlacesParts;

  constructor(parts: PlacesParts) {
    this.#parts = parts;
  }

  /** What they have left at this moment. */
  at(found: StateBefore): PlacesNow {
    const { ledger, clock } = this.#parts;
    return new PlacesNow(found, { ledger, now: clock.now() });
  }

  /** Takes one failure of a place, waiting for those under way. Undefined: there is none left. */
  take(place: Place, gone: AbortSignal | undefined): Promise<Share | undefined> {
    return this.#parts.lines.enter(place.id, {
      most: mostWaiting,
      rank: noShare.rank,
      patience: usualPatience,
      gone,
      attempt: () =>
        this.#change(place, (now): Tried<Share> => {
          const share = now.take(place);
          if (share) return { entered: share };
          return now.isHopeless(place) ? { over: true } : { waitFor: pollMilliseconds };
        }),
    });
  }

  /** Takes one if there is one, and waits for its second: under a refusal, a place is judged once in each (rule 5). */
  async takeAtPace(place: Place, gone: AbortSignal | undefined): Promise<Share | undefined> {
    if (place.buckets.length === 0) return noShare;
    const { ledger, clock, lines } = this.#parts;
    const pacer = new Pacer(place.id, clock);
    return lines.enter(pacer.key, {
      most: 32,
      rank: noShare.rank,
      patience: usualPatience,
      gone,
      attempt: async (now, until) => {
        const { paced, share } = await ledger.enter({
          ...{ lasting: [], momentary: [pacer.key, ...bucketKeys(place)] },
          decide: ({ momentary }) => {
            const paced = pacer.look(momentary, now, until);
            if (paced.wait !== 0)
              return { result: { paced, share: noShare }, values: paced.values ?? nothing };
            const places = this.at(momentary);
            const share = places.take(place) ?? { ...noShare, rank: places.rank(place) };
            return {
              result: { paced, share },
              values: new Map([...(paced.values ?? []), ...places.values()]),
            };
          },
        });
        pacer.keep(paced);
        if (paced.wait === undefined) return { over: true };
        return paced.wait > 0 ? { waitForPace: paced.wait } : { entered: share };
      },
    });
  }

  /** What was taken for nothing. */
  async giveBack(place: Place, share: Share): Promise<void> {
    if (share.buckets.length === 0) return;
    await this.#change(share, (now) => now.giveBack(share, false));
    this.wake(place);
  }

  /** Something may have become free. */
  wake(place: Place): void {
    this.#parts.lines.wake(place.id);
  }

  /** It found no room, and waits behind others from now on, with all of its /48. */
  turnAway(place: Place): Promise<void> {
    return this.#change(place, (now) => now.turnAway(place));
  }

  /** @returns true for the failure that is one too many of a caller that is never refused as a whole */
  async failedCalmly(caller: string): Promise<boolean> {
    const step = { by: 1, seconds: calmSeconds };
    return (await this.#parts.momentary.count(`calm:${caller}`, step)) === mostCalm + 1;
  }

  #change<T>(of: Pick<Place | Share, 'buckets'>, change: (now: PlacesNow) => T): Promise<T> {
    return this.#parts.ledger.enter({
      ...{ lasting: [], momentary: bucketKeys(of) },
      decide: ({ momentary }) => {
        const now = this.at(momentary);
        return { result: change(now), values: now.values() };
      },
    });
  }
}

const nothing: ReadonlyMap<string, TimedValue> = new Map();

/** Places within one step: as they are found, and what becomes of them. */
class PlacesNow {
  readonly #found: StateBefore;
  readonly #ledger: Pick<Ledger, 'holder' | 'isGone'>;
  readonly #now: number;
  readonly #changed = new Map<BucketRule['key'], Bucket>();

  constructor(
    found: StateBefore,
    { ledger, now }: { readonly ledger: Pick<Ledger, 'holder' | 'isGone'>; readonly now: number },
  ) {
    this.#found = found;
    this.#ledger = ledger;
    this.#now = now;
  }

  /** One of the place and one of its /48, or of neither. */
  take({ buckets }: Place): Share | undefined {
    const { holder } = this.#ledger;
    const left = buckets.map((rule) => ({ rule, after: taken(this.#bucket(rule), rule, holder) }));
    // Written in any case: a clock that was ahead must not keep the place empty until it is there again.
    for (const { rule } of left) this.#changed.set(bucketKey(rule), this.#bucket(rule));
    const ranks: Rank[] = [];
    for (const { rule, after } of left) if (after) ranks.push(rankOf(after, rule));
    if (ranks.length < buckets.length) return undefined;
    for (const { rule, after } of left) if (after) this.#changed.set(bucketKey(rule), after);
    return { buckets, rank: worst(ranks) };
  }

  /** None is left, and nobody has one under way who might give it back. */
  isHopeless({ buckets }: Place): boolean {
    return buckets.some((rule) => {
      const bucket = this.#bucket(rule);
      return isEmpty(bucket, rule) && underWayOf(bucket) === 0;
    });
  }

  /** After the attempt. */
  giveBack({ buckets }: Share, isSpent: boolean): void {
    const { holder } = this.#ledger;
    for (const rule of buckets)
      this.#changed.set(bucketKey(rule), ended(this.#bucket(rule), rule, { isSpent, holder }));
  }

  /** A failure that nothing was taken for: of a user to whom the place is known. @returns true: there was none left */
  spend({ buckets }: Place): boolean {
    let wasEmpty = false;
    for (const rule of buckets) {
      const bucket = this.#bucket(rule);
      wasEmpty ||= isEmpty(bucket, rule);
      this.#changed.set(bucketKey(rule), spent(bucket, rule));
    }
    return wasEmpty;
  }

  turnAway({ buckets }: Place): void {
    for (const rule of buckets) this.#changed.set(bucketKey(rule), turnedAway(this.#bucket(rule), rule));
  }

  /** That of a place or of its /48, whichever is worse: whoever has a /48 is at a new /64 in each attempt. */
  rank({ buckets }: Place): Rank {
    return worst(buckets.map((rule) => rankOf(this.#bucket(rule), rule)));
  }

  /** What is to be kept of them. */
  values(): ReadonlyMap<string, TimedValue | null> {
    return new Map(
      [...this.#changed].map(([key, bucket]) => [key, isUntouched(bucket) ? null : recordOf(bucket)]),
    );
  }

  #bucket(rule: BucketRule): Bucket {
    const changed = this.#changed.get(bucketKey(rule));
    if (changed) return changed;
    const record = this.#found.value(bucketKey(rule));
    if (!record) return fullBucket(this.#now);
    const bucket = refilled(JSON.parse(utf8Text(record)), this.#now);
    // Asked only where somebody would have to wait for it.
    return isEmpty(bucket, rule) ? withoutGone(bucket, rule, this.#ledger.isGone) : bucket;
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

const recordOf = (bucket: Bucket): TimedValue => ({
  value: Buffer.from(JSON.stringify(bucket), 'latin1'),
  seconds: bucketSeconds,
});
