/**
 * When small changes that wait are written. Where many come at a time, a transaction as soon as the last has ended finds few of
 * them: each flushes the disk twice, and the threads that wait for it push the main one off its processor. So what
 * comes in the next turns of the event loop goes along: as many turns as changes have shared the last transaction, less one.
 * Turns are short where there is little to do, and whoever is alone waits for none. Where turns are long, time ends it.
 */
import { elapsed } from '@watchword/core/foundation';
import type { SmallChange } from './changes.ts';

const mostTurns = 16;
/** Milliseconds; the turn in which they pass is the last. */
const longest = 10;

export class Gathering {
  readonly #write: (changes: readonly SmallChange[], beside: number) => void;
  readonly #now: () => number;
  #changes: SmallChange[] | undefined;
  /** How many were written together last. */
  #last = 1;
  /** It was said when they are written. */
  #isDue = false;

  /**
   * @param write beside: how many other transactions these have waited for, or 0
   * @param now milliseconds that only rise
   */
  constructor(write: (changes: readonly SmallChange[], beside: number) => void, now: () => number = elapsed) {
    this.#write = write;
    this.#now = now;
  }

  get hasSome(): boolean {
    return this.#changes !== undefined;
  }

  /**
   * What is asked for while the event loop hands out what has come in goes together: a tick would write for each message of its own. What is
   * asked for while others are written waits until some of these are, as it would in any case.
   * @param underWay how many transactions there are
   */
  add(change: SmallChange, underWay: number): void {
    this.#changes ??= [];
    this.#changes.push(change);
    if (underWay === 0) this.#writeAfter(1, 0);
  }

  /** A transaction has ended. @param beside as for whatever writes */
  ended(beside: number): void {
    if (this.#changes) this.#writeAfter(Math.min(this.#last - 1, mostTurns), beside);
  }

  /** At once. @param beside as for whatever writes */
  write(beside = 0): void {
    const changes = this.#changes;
    if (!changes) return;
    this.#changes = undefined;
    this.#last = changes.length;
    this.#write(changes, beside);
  }

  #writeAfter(turns: number, beside: number): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#turn(turns, { beside, end: this.#now() + longest });
  }

  #turn(left: number, due: { readonly beside: number; readonly end: number }): void {
    if (left > 0) setImmediate(() => this.#turn(this.#now() < due.end ? left - 1 : 0, due));
    else {
      this.#isDue = false;
      this.write(due.beside);
    }
  }
}
