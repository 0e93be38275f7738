/** What came of an attempt, written down: all of it together, before anybody is told. */
import { allEnded } from '../concurrency/all-ended.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type { Attempter, Counted, Judged, Refused } from './attempter.ts';
import {
  countWrongCode,
  forgetWrongCodes,
  mostWrong,
  type WrongCode,
  type WrongCodes,
} from './authenticators.ts';
import type { Turn } from './entrance.ts';
import type { Happening } from './kept/events.ts';
import type { UserState } from './kept/state.ts';
import { placeRefusal } from './kept/together.ts';
import type { Users } from './kept/users.ts';
import { strangers } from './kept/users-and-places.ts';
import { type Attempt, afterAttempt } from './outcome.ts';
import type { Places } from './places.ts';

interface ConclusionParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly users: Users;
  readonly places: Places;
}

export class Conclusion {
  readonly #parts: ConclusionParts;

  constructor(ground: ConclusionParts) {
    this.#parts = ground;
  }

  async draw(
    attempter: Attempter,
    { standing, state }: Pick<Turn, 'standing' | 'state'>,
    judged: Judged,
  ): Promise<Counted> {
    const { store, clock } = this.#parts;
    const { ground, kind } = standing;
    const codes = countedCodes(judged, kind);
    const isCodeClosed = codes.some(({ before }) => before.wrong + 1 >= mostWrong);
    const attempt = { attempter, judged, ground, kind, isCodeClosed, now: clock.now() };
    const used = judged.end === 'granted' ? (judged.used ?? []) : [];
    const noted = this.#note(attempter, state, attempt);
    const cost = this.#costPlace(attempter, ground, judged);
    const counted = Promise.all(codes.map((code) => countWrongCode(code, store)));
    const forgotten = used.filter((key) => key !== 'password').map((key) => forgetWrongCodes(key, store));
    await allEnded([noted, cost, counted, ...forgotten]);
    const counts = await counted;
    const turned = codes.flatMap((code, index) => whatTurned(code, counts[index]));
    const { happened, refusal } = await cost;
    return {
      happened: [...(await noted), ...turned, ...happened],
      refusal: standing.kind === 'together' ? standing.refusal : refusal,
    };
  }

  /** Writes only what has changed: a login that succeeds at a known place changes nothing. */
  async #note({ user, family }: Attempter, seen: UserState, attempt: Attempt): Promise<readonly Happening[]> {
    const outcome = afterAttempt(seen, attempt);
    if (JSON.stringify(outcome.state) === JSON.stringify(seen)) return outcome.happened;
    const made = await this.#parts.users.change({ user, family }, (state) => afterAttempt(state, attempt));
    return made.happened;
  }

  /**
   * Rule 4. What was taken of a stranger's place before stays taken; of a known one it is taken now.
   * @returns the refusal of whoever else would have come from there
   */
  async #costPlace({ place, as }: Attempter, ground: string, { end }: Judged): Promise<Cost> {
    if (end !== 'failed') return { happened: [] };
    const { places, clock } = this.#parts;
    const isEmpty = ground !== strangers && (await places.spend(place));
    const refusal = isEmpty && as === undefined ? placeRefusal(clock.now()) : undefined;
    const { calm } = place;
    const isOver = calm !== undefined && (await places.failedCalmly(calm));
    return { happened: isOver ? [{ kind: 'calm', caller: calm }] : [], refusal };
  }
}

/** What a failure has cost its place. */
interface Cost {
  readonly happened: readonly Happening[];
  readonly refusal?: Refused | undefined;
}

/** Under rule 5, what was wrong altogether counts for no authenticator. */
function countedCodes(
  { end, isHalfRight, wrongCodes: codes = [] }: Judged,
  kind: 'alone' | 'together',
): readonly WrongCode[] {
  return end === 'failed' && (kind === 'alone' || isHalfRight) ? codes : [];
}

function whatTurned({ key, behind }: WrongCode, reached: WrongCodes | undefined): readonly Happening[] {
  if (behind && reached?.behind === mostWrong) return [{ kind: 'disabled', key }];
  return reached?.wrong === mostWrong ? [{ kind: 'closed', key }] : [];
}
