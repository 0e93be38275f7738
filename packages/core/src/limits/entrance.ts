/** How an attempt comes to be judged: past what its place has left (rule 4), and in its turn (rule 11). */
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { randomWord } from '../ports/random.ts';
import type { Store } from '../ports/store.ts';
import type { Attempter, Refused } from './attempter.ts';
import { delayOf, longestDelay } from './delay.ts';
import { MomentaryLeases } from './kept/leases.ts';
import type { UserState } from './kept/state.ts';
import type { Standing } from './kept/together.ts';
import { strangers } from './kept/users-and-places.ts';
import type { Pacer } from './pace.ts';
import { noShare, Places, type Share } from './places.ts';
import { Lines, type Tried, usualPatience } from './turns.ts';

/** How somebody stands at this moment. */
export interface Stood {
  readonly standing: Standing;
  readonly state: UserState;
}

/** Asked anew in each turn: much may have happened meanwhile. @param isEmpty the place has no failures left */
export type Look = (isEmpty: boolean) => Promise<Stood>;

/** An attempt that has its turn. */
export interface Turn {
  readonly standing: Exclude<Standing, Refused>;
  readonly state: UserState;
  /** To be called when it has been judged. */
  readonly leave: () => Promise<void>;
}

/** What an attempt has got of its place. */
export interface Entered {
  readonly kind: 'entered';
  readonly share: Share;
  readonly isEmpty: boolean;
}

/** Those who wait for their turn, on a node. */
const mostWaiting = 32;

const noRoom: Refused = { kind: 'refused', secondsLeft: 1, why: 'too many at a time' };

export class Entrance {
  readonly places: Places;
  readonly #lines: Lines;
  readonly #leases: MomentaryLeases;

  constructor({ momentary, clock, random }: { momentary: Store; clock: Clock; random: Random }) {
    this.#lines = new Lines(clock);
    this.#leases = new MomentaryLeases(momentary, clock, randomWord(random, 12));
    this.places = new Places(momentary, clock, this.#lines);
  }

  /** What the place has to give, before anybody waits for the user's turn: a place harms itself alone by waiting. */
  async enterPlace(
    { place, gone }: Attempter,
    first: Turn['standing'],
    look: Look,
  ): Promise<Entered | Refused> {
    if (first.ground !== strangers) return { kind: 'entered', share: noShare, isEmpty: false };
    const share = first.kind === 'alone' ? await this.places.take(place, gone) : undefined;
    if (share) return { kind: 'entered', share, isEmpty: false };
    const { standing } = first.kind === 'together' ? { standing: first } : await look(true);
    if (standing.kind === 'refused') return standing;
    const paced = await this.places.takeAtPace(place, gone);
    if (!paced) return noRoom;
    return { kind: 'entered', share: paced, isEmpty: place.buckets.length > 0 && paced.buckets.length === 0 };
  }

  /** `moved`: the place has become known, or is known no more, while it waited. */
  async takeTurn(
    attempter: Attempter,
    ground: string,
    waiting: Entered & { readonly look: Look },
  ): Promise<Turn | Refused | 'moved'> {
    const { family, user, place } = attempter;
    const key = `turn:${family}:${user}:${ground}`;
    const pacer = this.places.pacer(`pace:${family}:${user}`);
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
    const give = await this.#leases.take(at.key);
    if (typeof give === 'number') return { waitFor: give };
    const leave = async () => {
      await give();
      this.#lines.wake(at.key);
    };
    try {
      const { standing, state } = await at.look(at.isEmpty);
      if (standing.kind === 'refused') return await left(leave, { entered: standing });
      if (standing.ground !== at.ground) return await left(leave, { entered: 'moved' });
      const wait = await this.#waitOf(attempter, { standing, state }, at);
      if (wait === undefined) return await left(leave, { over: true });
      if (wait > 0) return await left(leave, { waitForPace: wait });
      return { entered: { standing, state, leave } };
    } catch (error) {
      await leave();
      throw error;
    }
  }

  /** Milliseconds until it may be judged: at the pace of rule 5, or as rule 8 delays it. Undefined: not in time. */
  async #waitOf(
    { as }: Attempter,
    { standing, state }: Pick<Turn, 'standing' | 'state'>,
    { now, until, pacer }: Trying,
  ): Promise<number | undefined> {
    const { row } = state.grounds[standing.ground] ?? {};
    if (as === 'super') return row ? delayOf(row, now) : 0;
    return standing.kind === 'together' && standing.ground === strangers ? pacer.wait(now, until) : 0;
  }
}

interface Trying extends Entered {
  readonly look: Look;
  readonly key: string;
  readonly ground: string;
  readonly now: number;
  readonly until: number;
  readonly pacer: Pacer;
}

async function left<T>(leave: () => Promise<void>, tried: T): Promise<T> {
  await leave();
  return tried;
}
