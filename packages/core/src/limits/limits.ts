/**
 * Who may guess, and how often (concepts.md §7): the door to its twelve rules. Whoever judges passwords or codes asks
 * here, and judges only what is admitted; every rule has a file of its own beside this one, in the words of the text.
 */
import type { Soon } from '../foundation/runtime/soon.ts';
import type { Clock } from '../ports/clock.ts';
import type { Meter } from '../ports/meter.ts';
import type { Random } from '../ports/random.ts';
import { keptState, type Ledger } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import { Admitted } from './admitted.ts';
import type { Attempter, Family, Refused } from './attempter.ts';
import {
  forgetWrongCodes,
  isClosed,
  type WrongCodes,
  wrongCodes,
  wrongCodesKey,
  wrongCodesOf,
} from './authenticators.ts';
import { blocked, released, reset } from './block.ts';
import { Conclusion } from './conclusion.ts';
import { Entrance, type Look, type Turn } from './entrance.ts';
import type { DirectoryFailures } from './kept/directory-budget.ts';
import { stateNow, type UserState } from './kept/state.ts';
import { longest, type Standing, stand } from './kept/together.ts';
import { Users, userRecordKey } from './kept/users.ts';
import type { Place, UserKey } from './kept/users-and-places.ts';
import type { Share } from './places.ts';
import type { RefusalRules } from './refusal.ts';

export interface LimitsOptions {
  readonly store: Ledger;
  readonly momentary: Pick<Store, 'count'>;
  readonly clock: Clock;
  readonly random: Random;
  /** `directory_failures` */
  readonly directoryFailures?: DirectoryFailures | undefined;
  readonly meter?: Pick<Meter, 'count'> | undefined;
  /** `judge_refused` */
  readonly judgesRefused: boolean;
}

/** A place that nobody knows. */
const nowhere: Place = { id: '', words: '', buckets: [] };

const none: readonly never[] = [];

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
    const { store: ledger, clock, meter } = options;
    this.#conclusion = new Conclusion({ ledger, clock, meter, places, users: this.#users });
  }

  /** Attempts of this node that wait until others have been judged. */
  get waiting(): number {
    return this.#entrance.waiting;
  }

  /**
   * Lets an attempt in, if it may be judged: past what its place has left, and in its turn. Whoever is admitted leaves.
   * @throws ServiceError `unavailable` where it cannot be known, or whoever asked has gone
   */
  enter(attempter: Attempter): Promise<Admitted | Refused> {
    return this.#enter(attempter, none);
  }

  /** @param held what it has got of its place before it moved: it keeps that while it waits again */
  #enter(attempter: Attempter, held: readonly Share[]): Promise<Admitted | Refused> {
    const look = this.#lookOf(attempter);
    return this.#entrance.approach(attempter, look).then((came): Soon<Admitted | Refused> => {
      switch (came.kind) {
        case 'refused':
          return came;
        case 'entered':
          this.#entrance.hold(came.turn);
          return this.#admit({ attempter, turn: came.turn, share: came.share, held });
        case 'ahead':
          return this.#users
            .change(attempter, (state) => ({ state }))
            .then(() => this.#enter(attempter, held));
        case 'waits':
          return this.#wait(attempter, { first: came.standing, held, look });
      }
    });
  }

  async #wait(
    attempter: Attempter,
    { first, held, look }: { first: Turn['standing']; held: readonly Share[]; look: Look },
  ): Promise<Admitted | Refused> {
    const taken = await this.#entrance.takePlace(attempter, first, look);
    if (taken.kind === 'refused') return taken;
    const { share } = taken;
    let came: Admitted | Refused | undefined;
    try {
      const turn = await this.#entrance.takeTurn(attempter, first.ground, { ...taken, look });
      if (turn === 'moved') came = await this.#enter(attempter, [...held, share]);
      else if ('kind' in turn) came = turn;
      else came = this.#admit({ attempter, turn, share, held });
      return came;
    } finally {
      if (came?.kind !== 'admitted') await this.#entrance.places.giveBack(attempter.place, share);
    }
  }

  #admit({
    attempter,
    turn,
    share,
    held,
  }: Omit<ConstructorParameters<typeof Admitted>[0], 'ledger' | 'entrance' | 'conclusion'>): Admitted {
    const entrance = this.#entrance;
    const conclusion = this.#conclusion;
    return new Admitted({ attempter, turn, share, held, ledger: this.#options.store, entrance, conclusion });
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
    return this.#options.store.enter({
      ...{ lasting: [userRecordKey(asked)], momentary: [] },
      decide: ({ lasting }) => {
        const stood = places.map((place) => this.#lookOf({ ...asked, place }).stand(lasting, false));
        return { result: longest(stood.flatMap(({ standing }) => refusalsOf(standing))) };
      },
    });
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

  /** Rules 1 to 10, by what is found. */
  #lookOf(attempter: Attempter): Look {
    const codes = attempter.alone.codes.map(wrongCodesKey);
    const record = userRecordKey(attempter);
    const { judgesRefused } = this.#options;
    const reads = attempter.reads ?? none;
    const keys = [record];
    for (const key of codes) if (!keys.includes(key)) keys.push(key);
    for (const key of reads) if (!keys.includes(key)) keys.push(key);
    if (attempter.foreseen) keys.push(...attempter.foreseen);
    return {
      record,
      keys,
      stand: (found, isEmpty) => {
        const { terms } = this.#users;
        const { now, directoryFailures } = terms;
        const { state, isAhead } = stateNow(found.value(record), terms);
        const areCodesClosed =
          codes.length > 0 && codes.every((code) => isClosed(wrongCodesOf(found.value(code))));
        const around = { now, directoryFailures, isEmpty, areCodesClosed, judgesRefused };
        const standing = stand(state, attempter, around);
        return { standing, state, isAhead, known: keptState(found, reads) };
      },
    };
  }
}

/** Also what is not told to those who are refused. */
function refusalsOf(standing: Standing): readonly Refused[] {
  if (standing.kind === 'refused') return [standing];
  const refusals = [standing.untold, standing.kind === 'together' ? standing.refusal : undefined];
  return refusals.filter((one) => one !== undefined);
}
