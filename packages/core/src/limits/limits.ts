/**
 * Who may guess, and how often (concepts.md §7): the door to its twelve rules. Whoever judges passwords or codes asks
 * here, and judges only what is admitted; every rule has a file of its own beside this one, in the words of the text.
 */
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { Store } from '../ports/store.ts';
import type { Admission, Attempted, Attempter, Family, Judged, Refused } from './attempter.ts';
import { forgetWrongCodes, isClosed, isDisabled, type WrongCodes, wrongCodes } from './authenticators.ts';
import { blocked, released, reset } from './block.ts';
import { Conclusion } from './conclusion.ts';
import { Entrance, type Stood, type Turn } from './entrance.ts';
import type { DirectoryFailures } from './kept/directory-budget.ts';
import type { UserState } from './kept/state.ts';
import { longest, type Standing, stand } from './kept/together.ts';
import { type Place, strangers, type UserKey } from './kept/users-and-places.ts';
import type { RefusalRules } from './refusal.ts';
import { Users } from './users.ts';

export interface LimitsOptions {
  readonly store: Store;
  readonly momentary: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** `directory_failures` */
  readonly directoryFailures?: DirectoryFailures | undefined;
  /** `judge_refused` */
  readonly judgesRefused: boolean;
}

/** A place that nobody knows. */
const nowhere: Place = { id: '', words: '', buckets: [] };

const families: readonly Family[] = ['web', 'manager'];

export class Limits {
  readonly #options: LimitsOptions;
  readonly #entrance: Entrance;
  readonly #users: Users;
  readonly #conclusion: Conclusion;

  constructor(options: LimitsOptions) {
    this.#options = options;
    this.#entrance = new Entrance(options);
    this.#users = new Users(options.store, options.clock, options.directoryFailures);
    const { places } = this.#entrance;
    this.#conclusion = new Conclusion({ ...options, places, users: this.#users });
  }

  /**
   * Judges an attempt, if it may be judged, and counts what came of it, durably, before it resolves.
   * @throws what `judge` throws: that counts neither way
   */
  async attempt<T>(
    attempter: Attempter,
    judge: (admission: Admission) => Promise<Judged<T>>,
  ): Promise<Attempted<T>> {
    const look = (isEmpty: boolean) => this.#stand(attempter, isEmpty);
    const first = (await look(false)).standing;
    if (first.kind === 'refused') return first;
    const entered = await this.#entrance.enterPlace(attempter, first, look);
    if (entered.kind === 'refused') return entered;
    let isSpent = false;
    let leave: Turn['leave'] | undefined;
    try {
      const turn = await this.#entrance.takeTurn(attempter, first.ground, { ...entered, look });
      if (turn === 'moved') return await this.attempt(attempter, judge);
      if ('kind' in turn) return turn;
      leave = turn.leave;
      const judged = await judge(this.#admission(attempter, turn));
      isSpent = judged.end === 'failed';
      return await this.#conclusion.draw(attempter, turn, judged);
    } finally {
      await Promise.all([leave?.(), this.#entrance.places.giveBack(attempter.place, entered.share, isSpent)]);
    }
  }

  look(user: UserKey, family: Family): Promise<UserState> {
    return this.#users.read({ user, family });
  }

  /** What the user is refused for now, at known places and at all others: the longest; undefined: nothing. */
  async refusal(user: UserKey, rules: RefusalRules): Promise<Refused | undefined> {
    const { known } = await this.look(user, 'web');
    const alone = { password: false, codes: [] };
    const asked = { family: 'web', user, rules, alone, together: 'both' } as const;
    const places = [nowhere, ...known.map(({ place }) => ({ ...nowhere, id: place }))];
    const stood = await Promise.all(places.map((place) => this.#stand({ ...asked, place }, false)));
    return longest(stood.flatMap(({ standing }) => refusalsOf(standing)));
  }

  /** Refuses a user everywhere (rule 10). @param seconds left out: until it is reset */
  async block(user: UserKey, seconds: number | undefined): Promise<void> {
    const now = this.#options.clock.now();
    await this.#changeAll(user, (state) => blocked(state, seconds, now));
  }

  /**
   * Lets a user in again: ends the block and all of rules 2, 3 and 6, at the web services and the Manager.
   * @param codes keys of the codes that the user has
   */
  async reset(user: UserKey, codes: readonly string[]): Promise<void> {
    await Promise.all([this.#changeAll(user, reset), ...codes.map((key) => this.forgetCodes(key))]);
  }

  /** Breaking glass: what {@link reset} does, and rule 9. */
  async release(user: UserKey, codes: readonly string[]): Promise<void> {
    await Promise.all([this.#changeAll(user, released), ...codes.map((key) => this.forgetCodes(key))]);
  }

  /** How many wrong codes in a row there were of one authenticator. */
  wrongCodes(key: string): Promise<WrongCodes> {
    return wrongCodes(key, this.#options.store);
  }

  /** Ends the row of an authenticator, which an administrator has enabled. */
  forgetCodes(key: string): Promise<void> {
    return forgetWrongCodes(key, this.#options.store);
  }

  async #changeAll(user: UserKey, change: (state: UserState) => UserState): Promise<void> {
    await Promise.all(
      families.map((family) => this.#users.change({ user, family }, (state) => ({ state: change(state) }))),
    );
  }

  #admission({ as }: Attempter, { standing, state }: Turn): Admission {
    const { kind, ground, passwordsLeft, untold } = standing;
    const isStrange = ground === strangers || (as !== undefined && state.grounds[ground]?.isLost === true);
    return {
      ...{ kind, passwordsLeft, isInVain: untold !== undefined, ground: isStrange ? 'strangers' : 'known' },
      mayTry: async (key, behind) => {
        const wrong = await this.wrongCodes(key);
        const isAlone = kind === 'alone' && !behind && isStrange;
        return !isDisabled(wrong) && !(isAlone && isClosed(wrong));
      },
    };
  }

  async #stand(attempter: Attempter, isEmpty: boolean): Promise<Stood> {
    const { codes } = attempter.alone;
    const state = await this.#users.read(attempter);
    const wrong = await Promise.all(codes.map((key) => this.wrongCodes(key)));
    const areCodesClosed = codes.length > 0 && wrong.every(isClosed);
    const { judgesRefused } = this.#options;
    const standing = stand(state, attempter, {
      ...this.#users.terms,
      ...{ isEmpty, areCodesClosed, judgesRefused },
    });
    return { standing, state };
  }
}

/** Also what is not told to those who are refused. */
function refusalsOf(standing: Standing): readonly Refused[] {
  if (standing.kind === 'refused') return [standing];
  const refusals = [standing.untold, standing.kind === 'together' ? standing.refusal : undefined];
  return refusals.filter((one) => one !== undefined);
}
