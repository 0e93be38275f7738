/** An attempt that may be judged: it has its turn until it leaves, settled or not. */
import type { Ledger, StateBefore } from '../ports/store/ledger.ts';
import type {
  Admission,
  Attempter,
  Decision,
  Judged,
  Reported,
  SettledAttempt,
  Upshot,
} from './attempter.ts';
import type { Conclusion, PlaceCost } from './conclusion.ts';
import type { Entrance, Turn } from './entrance.ts';
import { groundAt } from './kept/state.ts';
import { strangers } from './kept/users-and-places.ts';
import { bucketKeys, type Share } from './places.ts';

interface AdmittedParts {
  readonly attempter: Attempter;
  readonly turn: Turn;
  /** What it has got of its place. */
  readonly share: Share;
  /** What it has got of it before its place became known, or was known no more. */
  readonly held: readonly Share[];
  readonly ledger: Pick<Ledger, 'enter'>;
  readonly entrance: Entrance;
  readonly conclusion: Conclusion;
}

export class Admitted {
  readonly kind = 'admitted';
  /** How it may be judged. */
  readonly admission: Admission;
  /** What stood at the keys that it is judged by when it entered. */
  readonly known: StateBefore;
  readonly #parts: AdmittedParts;
  /** Something of its place was taken for it. */
  readonly #hasShare: boolean;
  /** What it got of its place stays taken. */
  #isSpent = false;
  #hasLeft = false;

  constructor(parts: AdmittedParts) {
    this.#parts = parts;
    this.#hasShare = hasTaken(parts);
    this.admission = admissionOf(parts);
    this.known = parts.turn.known;
  }

  /**
   * Writes down what it comes to: claimed, counted and on record in one step, durably, with which it leaves. Where nothing
   * was judged after all, it stays. @throws ServiceError `unavailable`
   */
  settle<U extends Upshot, R extends Reported>(decision: Decision<U, R>): Promise<SettledAttempt<U>> {
    const { attempter, turn, conclusion } = this.#parts;
    let mayFail = false;
    // What cannot be written down is not given back either, if it would have been spent.
    this.#isSpent = true;
    for (const { end } of decision.possible) {
      if (end === 'failed') mayFail = true;
      else this.#isSpent = false;
    }
    return conclusion.draw({ attempter, turn }, decision, {
      keys: this.#keys(mayFail),
      held: 1,
      leave: (found, judged) => this.#left(found, judged),
      hasLeft: () => this.#end(),
    });
  }

  /** Whoever has settled has left. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** The next one has the turn. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    try {
      await this.#parts.ledger.enter({
        ...{ lasting: [], momentary: this.#keys(false), held: 1 },
        decide: ({ momentary }) => ({ result: undefined, values: this.#left(momentary).values }),
      });
    } finally {
      this.#end();
    }
  }

  /** The turn comes last. @param mayPay a failure that nothing was taken for costs the place one then */
  #keys(mayPay: boolean): readonly string[] {
    const { attempter, turn } = this.#parts;
    const keys = mayPay || this.#hasShare ? bucketKeys(attempter.place) : [];
    keys.push(turn.lease.key);
    return keys;
  }

  /** @param judged left out: it was not settled */
  #left(found: StateBefore, judged?: Judged): PlaceCost {
    const { attempter, turn, share, held, entrance } = this.#parts;
    if (judged?.end !== 'failed' && !this.#hasShare)
      return { wasEmpty: false, values: entrance.leftOf(turn, found) };
    const places = entrance.places.at(found);
    for (const one of held) places.giveBack(one, false);
    places.giveBack(share, judged ? judged.end === 'failed' : this.#isSpent);
    const isKnown = turn.standing.ground !== strangers;
    const wasEmpty = judged?.end === 'failed' && isKnown && places.spend(attempter.place);
    return { wasEmpty, values: [...places.values(), ...entrance.leftOf(turn, found)] };
  }

  #end(): void {
    const { attempter, turn, entrance } = this.#parts;
    this.#hasLeft = true;
    entrance.leave(turn, attempter);
  }
}

const hasTaken = ({ share, held }: Pick<AdmittedParts, 'share' | 'held'>): boolean =>
  share.buckets.length > 0 || held.some(({ buckets }) => buckets.length > 0);

function admissionOf({ turn: { standing, state } }: Pick<AdmittedParts, 'turn'>): Admission {
  const { kind, ground, passwordsLeft, untold } = standing;
  const isStrange = ground === strangers || groundAt(state, ground)?.isLost === true;
  return { kind, passwordsLeft, isInVain: untold !== undefined, ground: isStrange ? 'strangers' : 'known' };
}
