/**
 * How an attempt comes to be judged: past what its place has left (rule 4), and in its turn (rule 11). Where nobody is
 * waited for, that is one step; else it waits in line for the one, and then for the other.
 */
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { randomWord } from '../ports/random.ts';
import type { Entering, Ledger, MomentaryChanges, StateBefore, ValueAfter } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import type { Attempter, Refused } from './attempter.ts';
import { delayOf, longestDelay } from './delay.ts';
import { MomentaryLeases, type TurnLease } from './kept/leases.ts';
import { groundAt, type UserState } from './kept/state.ts';
import type { Standing } from './kept/together.ts';
import { strangers } from './kept/users-and-places.ts';
import { type Paced, Pacer } from './pace.ts';
import { bucketKeys, noShare, Places, type Share } from './places.ts';
import { Lines, type Tried, usualPatience } from './turns.ts';

/** How somebody stands at this moment. */
export interface Stood {
  readonly standing: Standing;
  readonly state: UserState;
  /** See {@link StateNow}. */
  readonly isAhead: boolean;
  /** Of the keys that it is judged by ({@link Attempter.reads}). */
  readonly known: StateBefore;
}

/** Asked anew in each step: much may have happened meanwhile. */
export interface Look {
  /** What the store keeps of the user under: one of the keys. */
  readonly record: string;
  /** What it looks at. */
  readonly keys: readonly string[];
  /** @param isEmpty the place has no failures left */
  stand(found: StateBefore, isEmpty: boolean): Stood;
}

/** An attempt that has its turn. */
export interface Turn extends Pick<Stood, 'state' | 'known'>, Pick<Look, 'record'> {
  readonly standing: Exclude<Standing, Refused>;
  readonly lease: TurnLease;
}

/** What an attempt has got of its place. */
export interface PlaceTaken {
  readonly kind: 'taken';
  readonly share: Share;
  readonly isEmpty: boolean;
}

/** `waits`: it has got nothing yet. `ahead`: its state has to be written anew first. */
export type Approached =
  | { readonly kind: 'entered'; readonly share: Share; readonly turn: Turn }
  | { readonly kind: 'waits'; readonly standing: Turn['standing'] }
  | { readonly kind: 'ahead' }
  | Refused;

/** Those who wait for their turn, on a node. */
const mostWaiting = 32;
const pollMilliseconds = 20;

const noRoom: Refused = { kind: 'refused', secondsLeft: 1, why: 'too many at a time' };

interface EntranceParts {
  readonly store: Ledger;
  readonly momentary: Pick<Store, 'count'>;
  readonly clock: Clock;
  readonly random: Random;
}

export class Entrance {
  readonly places: Places;
  readonly #ledger: Pick<Ledger, 'enter'>;
  readonly #clock: Clock;
  readonly #lines: Lines;
  readonly #leases: MomentaryLeases;

  constructor({ store: ledger, momentary, clock, random }: EntranceParts) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#lines = new Lines(clock);
    this.#leases = new MomentaryLeases(ledger, clock, randomWord(random, 12));
    this.places = new Places({ ledger, momentary, clock, lines: this.#lines });
  }

  /** Attempts of this node that others keep waiting. */
  get waiting(): number {
    return this.#lines.waiting;
  }

  /** Enters, if nobody has to be waited for; whoever has entered holds its turn ({@link hold}). */
  approach(attempter: Attempter, look: Look): Promise<Approached> {
    const { place, gone } = attempter;
    const turns: TurnKeys = { own: turnKey(attempter, place.id), strange: turnKey(attempter, strangers) };
    const { own, strange } = turns;
    const lines = this.#lines;
    const isFree = !gone?.aborted && lines.isFree(place.id) && lines.isFree(own) && lines.isFree(strange);
    const momentary = isFree ? bucketKeys(place) : [];
    if (isFree) momentary.push(own, strange);
    return this.#ledger.enter<Approached>({
      lasting: look.keys,
      momentary,
      held: isFree ? 2 : 0,
      decide: (found) => {
        const { standing, isAhead, state, known } = look.stand(found.lasting, false);
        if (isAhead) return { result: { kind: 'ahead' } };
        if (standing.kind === 'refused') return { result: standing };
        const stood = { standing, state, known, record: look.record };
        const entered = isFree && this.#enterAtOnce(attempter, stood, { turns, found: found.momentary });
        return entered || { result: { kind: 'waits', standing } };
      },
    });
  }

  /** It has its turn, until it leaves. */
  hold({ lease }: Turn): void {
    this.#leases.hold(lease);
  }

  /** The place and the turn in one step. */
  #enterAtOnce(
    attempter: Attempter,
    { standing, state, known, record }: Omit<Turn, 'lease'>,
    { turns, found }: { readonly turns: TurnKeys; readonly found: StateBefore },
  ): MomentaryChanges<Approached> | undefined {
    if (isPaced(standing) || this.#delayOf(attempter, { standing, state }, this.#clock.now()) > 0)
      return undefined;
    const isStrange = standing.ground === strangers;
    const key = isStrange ? turns.strange : turns.own;
    if (!this.#leases.isFree(key, found)) return undefined;
    const places = isStrange ? this.places.at(found) : undefined;
    const share = places ? places.take(attempter.place) : noShare;
    if (!share) return undefined;
    const lease = this.#leases.lease(key);
    const taken = this.#leases.taken(lease);
    const values = places ? [...places.values(), taken] : [taken];
    return { result: { kind: 'entered', share, turn: { standing, state, known, record, lease } }, values };
  }

  /** What the place has to give, before anybody waits for the user's turn: a place harms itself alone by waiting. */
  async takePlace(
    { place, gone }: Attempter,
    first: Turn['standing'],
    look: Look,
  ): Promise<PlaceTaken | Refused> {
    if (first.ground !== strangers) return { kind: 'taken', share: noShare, isEmpty: false };
    const share = first.kind === 'alone' ? await this.places.take(place, gone) : undefined;
    if (share) return { kind: 'taken', share, isEmpty: false };
    const standing = first.kind === 'together' ? first : await this.#standingAt(look);
    if (standing.kind === 'refused') return standing;
    const paced = await this.places.takeAtPace(place, gone);
    if (!paced) return noRoom;
    return { kind: 'taken', share: paced, isEmpty: place.buckets.length > 0 && paced.buckets.length === 0 };
  }

  /** Of somebody at a place without failures left. */
  #standingAt(look: Look): Promise<Standing> {
    const decide: Entering<Standing>['decide'] = ({ lasting }) => ({
      result: look.stand(lasting, true).standing,
    });
    return this.#ledger.enter({ lasting: look.keys, momentary: [], decide });
  }

  /** `moved`: the place has become known, or is known no more, while it waited. */
  async takeTurn(
    attempter: Attempter,
    ground: string,
    waiting: PlaceTaken & { readonly look: Look },
  ): Promise<Turn | Refused | 'moved'> {
    const { family, user, place } = attempter;
    const key = turnKey(attempter, ground);
    const pacer = new Pacer(`${family}:${user}`, this.#clock);
    const isSuper = attempter.as === 'super';
    const turn = await this.#lines.enter(key, {
      // Never refused (rule 8), each address for itself.
      most: isSuper ? Number.POSITIVE_INFINITY : mostWaiting,
      rank: waiting.share.rank,
      gone: attempter.gone,
      patience: isSuper ? usualPatience + longestDelay : usualPatience,
      attempt: (now, until) => this.#tryTurn(attempter, { ...waiting, key, ground, now, until, pacer }),
    });
    if (turn === undefined) await this.places.turnAway(place);
    return turn ?? noRoom;
  }

  async #tryTurn(attempter: Attempter, at: Trying): Promise<Tried<Turn | Refused | 'moved'>> {
    const { tried, paced } = await this.#ledger.enter<TriedTurn>({
      lasting: at.look.keys,
      momentary: [at.pacer.key, at.key],
      held: 1,
      decide: ({ lasting, momentary }) => {
        if (!this.#leases.isFree(at.key, momentary))
          return { result: { tried: { waitFor: pollMilliseconds } } };
        const { standing, state, known } = at.look.stand(lasting, at.isEmpty);
        const { record } = at.look;
        if (standing.kind === 'refused') return { result: { tried: { entered: standing } } };
        if (standing.ground !== at.ground) return { result: { tried: { entered: 'moved' } } };
        const stood = { standing, state, known, record };
        const paced = this.#pace(attempter, stood, at, momentary);
        const values = [...(paced.values ?? [])];
        if (paced.wait === undefined) return { result: { tried: { over: true }, paced } };
        if (paced.wait > 0) return { result: { tried: { waitForPace: paced.wait }, paced }, values };
        const lease = this.#leases.lease(at.key);
        const turn: Turn = { ...stood, lease };
        const entered = [...values, this.#leases.taken(lease)];
        return { result: { tried: { entered: turn }, paced }, values: entered };
      },
    });
    if (paced) at.pacer.keep(paced);
    if ('entered' in tried && tried.entered !== 'moved' && 'lease' in tried.entered) this.hold(tried.entered);
    return tried;
  }

  /** When it may be judged: at the pace of rule 5, or as rule 8 delays it. */
  #pace(attempter: Attempter, stood: Omit<Turn, 'lease'>, at: Trying, found: StateBefore): Paced {
    if (isPaced(stood.standing)) return at.pacer.look(found, at.now, at.until);
    return { wait: this.#delayOf(attempter, stood, at.now) };
  }

  /** Rule 8, in milliseconds. */
  #delayOf({ as }: Attempter, { standing, state }: Pick<Turn, 'standing' | 'state'>, now: number): number {
    const row = as === 'super' ? groundAt(state, standing.ground)?.row : undefined;
    return row ? delayOf(row, now) : 0;
  }

  /** What is given back after the attempt, for its step in the ledger. */
  leftOf({ lease }: Turn, found: StateBefore): readonly ValueAfter[] {
    return this.#leases.left(lease, found);
  }

  /** It has been given back: the next one has the turn. */
  leave({ lease }: Turn, { place }: Attempter): void {
    this.#leases.drop(lease);
    this.#lines.wake(lease.key);
    this.places.wake(place);
  }
}

/** Of the place as a ground of its own, and of the strangers. */
interface TurnKeys {
  readonly own: string;
  readonly strange: string;
}

const turnKey = ({ family, user }: Attempter, ground: string): string => `turn:${family}:${user}:${ground}`;

/** Rule 5. */
const isPaced = ({ kind, ground }: Turn['standing']): boolean => kind === 'together' && ground === strangers;

interface Trying extends PlaceTaken {
  readonly look: Look;
  readonly key: string;
  readonly ground: string;
  readonly now: number;
  readonly until: number;
  readonly pacer: Pacer;
}

interface TriedTurn {
  readonly tried: Tried<Turn | Refused | 'moved'>;
  readonly paced?: Paced;
}
