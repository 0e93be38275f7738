/** Attempts as the limits see them, judged by what a test says. */

import type { Limits } from '../../limits/limits.ts';
import {
  type Admission,
  type Admitted,
  type AttemptOutcome,
  type AttemptResult,
  type CommitResult,
  fixedOutcome,
  type LimitsAttempt,
  type PossibleOutcomes,
  type Refused,
  type Reported,
} from '../../limits/limits-attempt.ts';

export type AdmittingLimits = Pick<Limits, 'admit' | 'commit' | 'leave'>;

/** The judgement of an attempt, as a test says it. */
export interface Made<T> extends AttemptResult {
  readonly answer: T;
}

export type Attempted<T> = Refused | (CommitResult & { readonly kind: 'judged'; readonly answer: T });

/** An admitted attempt, with what becomes of it. */
export class HeldAttempt {
  readonly admission: Admission;
  readonly #admitted: Admitted;
  readonly #limits: AdmittingLimits;

  constructor(admitted: Admitted, limits: AdmittingLimits) {
    this.#admitted = admitted;
    this.#limits = limits;
    this.admission = admitted.admission;
  }

  commit<U extends AttemptOutcome, R extends Reported>(decision: PossibleOutcomes<U, R>) {
    return this.#limits.commit(this.#admitted, decision);
  }

  leave(): Promise<void> {
    return this.#limits.leave(this.#admitted);
  }
}

/** @throws Error with the reason where the attempt is refused */
export async function admittedTo(limits: AdmittingLimits, attempt: LimitsAttempt): Promise<HeldAttempt> {
  const admitted = await limits.admit(attempt);
  if (admitted.kind === 'refused') throw new Error(admitted.reason);
  return new HeldAttempt(admitted, limits);
}

/** Admits, judges, commits and leaves. */
export async function attemptAt<T>(
  limits: AdmittingLimits,
  attempt: LimitsAttempt,
  judge: (admission: Admission) => Promise<Made<T>>,
): Promise<Attempted<T>> {
  const admitted = await limits.admit(attempt);
  if (admitted.kind === 'refused') return admitted;
  try {
    const { answer, ...made } = await judge(admitted.admission);
    const settled = await limits.commit(admitted, fixedOutcome(made));
    return { kind: 'judged', answer, ...settled };
  } finally {
    await limits.leave(admitted);
  }
}
