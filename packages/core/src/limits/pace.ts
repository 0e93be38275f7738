/**
 * Rule 5, its pace: of strangers under a refusal, one a second is judged for a user, and one for a place, over all
 * nodes. Seconds are given out in the order in which they are asked for, so no node keeps another from its turn.
 */

import { utf8Text } from '../foundation/text/value.ts';
import type { Clock } from '../ports/clock.ts';
import type { StateBefore, TimedValue } from '../ports/store/ledger.ts';

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

/** How an attempt stands in the order of seconds. */
export interface Paced {
  /** In how many milliseconds it may be judged; 0: it is judged now; undefined: not in time, and the second is others'. */
  readonly wait: number | undefined;
  /** Its second: it keeps that while it waits, see {@link Pacer.keep}. */
  readonly slot?: number;
  readonly values?: ReadonlyMap<string, TimedValue>;
}

/** Of one attempt. */
export class Pacer {
  readonly key: string;
  readonly #clock: Clock;
  #slot: number | undefined;

  /** @param of whom: of a user, or of a place */
  constructor(of: string, clock: Clock) {
    this.key = `pace:${of}`;
    this.#clock = clock;
  }

  /**
   * Looks, and changes nothing but what it returns.
   * @param now of whoever has waited
   * @param until it waits no longer than that
   */
  look(found: StateBefore, now: number, until: number): Paced {
    const last = readSlot(found.value(this.key));
    const slot = this.#slot ?? nextSlot(last, now);
    if (slot > until) return { wait: undefined };
    if (slot > now) return { wait: slot - now, slot, ...(this.#slot === undefined && this.#given(slot)) };
    // If nobody has the next one yet, it begins a second after this one was judged.
    const isLast = this.#slot === undefined || last?.slot === slot;
    return { wait: 0, ...(isLast && this.#given(this.#clock.now())) };
  }

  keep({ slot }: Paced): void {
    this.#slot ??= slot;
  }

  #given(slot: number): Required<Pick<Paced, 'values'>> {
    const value = Buffer.from(JSON.stringify({ slot, at: this.#clock.now() }), 'latin1');
    return { values: new Map([[this.key, { value, seconds }]]) };
  }
}

const readSlot = (record: Uint8Array | undefined): GivenSlot | undefined =>
  record && JSON.parse(utf8Text(record));
