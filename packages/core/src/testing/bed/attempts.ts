/** Attempts as the limits see them, judged by what a test says. */
import {
  type Admission,
  type Attempter,
  type Counted,
  type Judged,
  judgedAs,
  type Refused,
} from '../../limits/attempter.ts';
import type { Limits } from '../../limits/limits.ts';

/** What an attempt is judged to be. */
export interface Made<T> extends Judged {
  readonly answer: T;
}

export type Attempted<T> = Refused | (Counted & { readonly kind: 'judged'; readonly answer: T });

/** Enters, is judged within its turn, is settled, and leaves. */
export async function attemptAt<T>(
  limits: Pick<Limits, 'enter'>,
  attempter: Attempter,
  judge: (admission: Admission) => Promise<Made<T>>,
): Promise<Attempted<T>> {
  const entered = await limits.enter(attempter);
  if (entered.kind === 'refused') return entered;
  try {
    const { answer, ...made } = await judge(entered.admission);
    const settled = await entered.settle(judgedAs(made));
    return { kind: 'judged', answer, ...settled };
  } finally {
    await entered.leave();
  }
}
