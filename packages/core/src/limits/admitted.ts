/** An attempt that may be judged: it has its turn until it leaves, settled or not. */
import type { Admission, Attempter, Decision, Reported, SettledAttempt, Upshot } from './attempter.ts';
import type { Conclusion } from './conclusion.ts';
import type { Turn } from './entrance.ts';
import { strangers } from './kept/users-and-places.ts';
import type { Places, Share } from './places.ts';

interface AdmittedParts {
  readonly attempter: Attempter;
  readonly turn: Turn;
  /** What it has got of its place. */
  readonly share: Share;
  /** What it has got of it before its place became known, or was known no more. */
  readonly held: readonly Share[];
  readonly places: Places;
  readonly conclusion: Conclusion;
}

export class Admitted {
  readonly kind = 'admitted';
  /** How it may be judged. */
  readonly admission: Admission;
  readonly #parts: AdmittedParts;
  /** What it got of its place stays taken. */
  #isSpent = false;

  constructor(parts: AdmittedParts) {
    this.#parts = parts;
    this.admission = admissionOf(parts);
  }

  /**
   * Writes down what it comes to: claimed, counted and on record in one step, durably. To be called before it leaves, and
   * once only if something was judged. @throws ServiceError `unavailable`
   */
  async settle<U extends Upshot, R extends Reported>(decision: Decision<U, R>): Promise<SettledAttempt<U>> {
    const { attempter, turn, conclusion } = this.#parts;
    // What cannot be written down is not given back either, if it would have been spent.
    this.#isSpent = decision.possible.every(({ end }) => end === 'failed');
    const settled = await conclusion.draw({ attempter, standing: turn.standing }, decision);
    this.#isSpent = settled.upshot.counts?.end === 'failed';
    return settled;
  }

  /** The next one has the turn. */
  async leave(): Promise<void> {
    const { attempter, turn, share, held, places } = this.#parts;
    const unspent = held.map((one) => places.giveBack(attempter.place, one, false));
    await Promise.all([turn.leave(), places.giveBack(attempter.place, share, this.#isSpent), ...unspent]);
  }
}

function admissionOf({ attempter: { as }, turn: { standing, state } }: AdmittedParts): Admission {
  const { kind, ground, passwordsLeft, untold } = standing;
  const isStrange = ground === strangers || (as !== undefined && state.grounds[ground]?.isLost === true);
  return { kind, passwordsLeft, isInVain: untold !== undefined, ground: isStrange ? 'strangers' : 'known' };
}
