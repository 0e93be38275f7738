/** Oracle: the tokens of a source over all users (the rate limit), as the time until all have come back. */
import type { Source } from './oracle-sources.ts';

type Counter = Source['counted'][number];

export class Buckets {
  readonly #debts = new Map<string, { owed: number; since: number }>();

  /** Milliseconds until the source has a token; 0: it has one. */
  empty({ counted }: Source, now: number): number {
    const waits = counted.map((one) => this.#owed(one, now) - (one.most - 1) * one.every);
    return Math.max(0, ...waits);
  }

  /** A token is taken where one is left, and given back where it was none. */
  judged({ counted }: Source, now: number, isFailure: boolean): void {
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
