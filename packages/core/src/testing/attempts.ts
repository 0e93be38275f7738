/** Attempts as the limits see them, judged by what a test says. */
import type { Admission, Attempter, Counted, Judged, Refused } from '../limits/attempter.ts';
import type { WrongCode } from '../limits/authenticators.ts';
import type { Limits } from '../limits/limits.ts';

/** What an attempt is judged to be; wrong codes are counted from where they stand. */
export interface Made<T> extends Omit<Judged, 'wrongCodes'> {
  readonly answer: T;
  readonly wrongCodes?: readonly Omit<WrongCode, 'before'>[];
}

export type Attempted<T> = Refused | (Counted & { readonly kind: 'judged'; readonly answer: T });

/** Enters, is judged within its turn, is settled, and leaves. */
export async function attemptAt<T>(
  limits: Pick<Limits, 'enter' | 'wrongCodes'>,
  attempter: Attempter,
  judge: (admission: Admission) => Promise<Made<T>>,
): Promise<Attempted<T>> {
  const entered = await limits.enter(attempter);
  if (entered.kind === 'refused') return entered;
  try {
    const { answer, wrongCodes = [], ...made } = await judge(entered.admission);
    const codes = wrongCodes.map(async (code) => ({ ...code, before: await limits.wrongCodes(code.key) }));
    const settled = await entered.settle({ ...made, wrongCodes: await Promise.all(codes) });
    return { kind: 'judged', answer, ...settled };
  } finally {
    await entered.leave();
  }
}
