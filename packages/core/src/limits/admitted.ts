/** An attempt that may be judged: it has its turn until it leaves, settled or not. */
import type { Admission, Attempter, Counted, Judged } from './attempter.ts';
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

  /** Counts what came of it, durably. To be called once, before it leaves. @throws ServiceError `unavailable` */
  settle(judged: Judged): Promise<Counted> {
    const { attempter, turn, conclusion } = this.#parts;
    this.#isSpent = judged.end === 'failed';
    return conclusion.draw(attempter, turn, judged);
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
