/** Oracle: at unknown sources during a lockout, one attempt a second is judged for a user, and one for a source. */

import { second } from './oracle-records.ts';
import type { Source } from './oracle-sources.ts';

export class Pace {
  readonly #last = new Map<string, number>();

  /** Milliseconds until it is this one's turn, which it then takes. */
  wait(user: string, { counted }: Source, now: number): number {
    // A trusted caller without a source has no pace as it has no counter: it answers for many.
    const keys = [`user ${user}`, ...counted.slice(0, 1).map(({ key }) => key)];
    for (const key of keys) {
      const last = this.#last.get(key);
      // A clock that was set back.
      if (last !== undefined && last > now) this.#last.set(key, now);
    }
    const wait = Math.max(
      0,
      ...keys.map((key) => (this.#last.get(key) ?? Number.NEGATIVE_INFINITY) + second - now),
    );
    if (wait === 0) for (const key of keys) this.#last.set(key, now);
    return wait;
  }
}
