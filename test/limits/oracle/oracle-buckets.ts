/** Oracle: the failures that a place has over all users (the rate limit), as the time until all have come back. */
import type { Place } from './oracle-places.ts';

type Counter = Place['counted'][number];

export class Buckets {
  readonly #debts = new Map<string, { owed: number; since: number }>();

  /** Milliseconds until the place has a failure left; 0: it has one. */
  empty({ counted }: Place, now: number): number {
    const waits = counted.map((one) => this.#owed(one, now) - (one.most - 1) * one.every);
    return Math.max(0, ...waits);
  }

  /** A failure is taken where one is left, and given back where it was none. */
  judged({ counted }: Place, now: number, isFailure: boolean): void {
    for (const one of counted) {
      const owed = this.#owed(one, now);
      if (owed > (one.most - 1) * one.every) continue;
      this.#debts.set(one.key, { owed: isFailure ? owed + one.every : owed, since: now });
    }
  }

  #owed({ key }: Counter, now: number): number {
    const debt = this.#debts.get(key);
    if (!debt) return 0;
    // A clock that was set back: what has come back, has.
    debt.since = Math.min(debt.since, now);
    return Math.max(0, debt.owed - (now - debt.since));
  }
}
