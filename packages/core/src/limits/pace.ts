/**
 * Rule 5, its pace: of strangers under a refusal, one a second is judged for a user, and one for a place, over all
 * nodes. Seconds are given out in the order in which they are asked for, so no node keeps another from its turn.
 */
import type { Clock } from '../ports/clock.ts';
import type { Store, Update } from '../ports/store.ts';

/** In milliseconds. */
export const pace = 1000;

/** The second that was given out last; both in milliseconds since 1970. */
export interface GivenSlot {
  readonly slot: number;
  /** When it was given. */
  readonly at: number;
}

/** The second that is free next. What was given out by a clock that was ahead was given out now. */
export function nextSlot(last: GivenSlot | undefined, now: number): number {
  if (!last) return now;
  return Math.max(now, (last.at > now ? now : last.slot) + pace);
}

/** Records of turns outlive those of places: when there are too many, what ends first goes. */
const seconds = 300;

export class Pacer {
  readonly #momentary: Store;
  readonly #clock: Clock;
  readonly #key: string;
  #slot: number | undefined;

  /** For one attempt. @param key `pace:<of whom>` */
  constructor(key: string, { momentary, clock }: { momentary: Store; clock: Clock }) {
    this.#key = key;
    this.#momentary = momentary;
    this.#clock = clock;
  }

  /**
   * In how many milliseconds it may be judged; 0: it is judged now; undefined: not in time, and the second is others'.
   * @param now of whoever has waited
   * @param until it waits no longer than that
   */
  async wait(now: number, until: number): Promise<number | undefined> {
    this.#slot ??= await this.#reserve(now, until);
    if (this.#slot === undefined) return undefined;
    if (this.#slot > now) return this.#slot - now;
    await this.#use(this.#slot);
    return 0;
  }

  #reserve(now: number, until: number): Promise<number | undefined> {
    return this.#momentary.update(this.#key, (before): Update<number | undefined> => {
      const slot = nextSlot(before && read(before), now);
      if (slot > until) return { result: undefined };
      return { result: slot, after: recordOf({ slot, at: this.#clock.now() }) };
    });
  }

  /** If nobody has the next one yet, it begins a second after this one was judged. */
  async #use(slot: number): Promise<void> {
    await this.#momentary.update(this.#key, (before): Update<void> => {
      const now = this.#clock.now();
      const isLast = before && read(before).slot === slot;
      return { result: undefined, ...(isLast && { after: recordOf({ slot: now, at: now }) }) };
    });
  }
}

const read = (record: Uint8Array): GivenSlot => JSON.parse(Buffer.from(record).toString('latin1'));

const recordOf = (given: GivenSlot): { value: Uint8Array; seconds: number } => ({
  value: Buffer.from(JSON.stringify(given), 'latin1'),
  seconds,
});
