/**
 * Rule 11: parallel requests outrun nothing. Attempts of one user on one ground are judged one after the other, over
 * all nodes: at most 32 wait on a node, for 10 s. Those of places with fewer failures come first, and whoever would
 * come last gives way when there is no room.
 */
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Clock } from '../ports/clock.ts';

/** Rank of a place among others: fewer failures come first, then fewer refusals. */
export interface Rank {
  readonly failures: number;
  readonly turnedAway: number;
}

/** What came of looking whether there is room. Milliseconds; those of a pace are waited for in full. */
export type Tried<T> =
  | { readonly entered: T }
  | { readonly over: true }
  | { readonly waitFor: number }
  | { readonly waitForPace: number };

export interface Waiting<T> {
  /** So many wait, besides the one at the front. */
  readonly most: number;
  readonly rank: Rank;
  /** In milliseconds: whoever has waited for longer goes. */
  readonly patience: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal | undefined;
  /**
   * @param now the time for whoever has waited for a pace: a clock that stands still keeps nobody waiting for ever
   * @param until it waits no longer than that
   */
  attempt(now: number, until: number): Promise<Tried<T>>;
}

interface Waiter {
  readonly rank: Rank;
  readonly came: number;
  /** True: it is at the front now. False: it gave way. */
  readonly call: (isFront: boolean) => void;
}

interface Line {
  readonly waiting: Waiter[];
  /** Lets the one at the front look again. */
  wake: () => void;
}

/** In milliseconds. */
export const usualPatience = 10_000;

/** Those who wait on this node, by what they wait for. The one at the front looks whether there is room. */
export class Lines {
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined: there was no room, or not in time. @throws ServiceError `unavailable` where whoever asked has gone */
  async enter<T>(key: string, waiting: Waiting<T>): Promise<T | undefined> {
    const came = this.#clock.now();
    const line = this.#lines.get(key);
    if (line && !(await this.#toFront(line, waiting, came))) {
      if (waiting.gone?.aborted) throw hasGone();
      return undefined;
    }
    const mine = line ?? this.#begin(key);
    try {
      return await this.#tryAtFront(mine, waiting, came);
    } finally {
      this.#callNext(key, mine);
    }
  }

  /** How many wait, in all lines. */
  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Nobody waits. */
  isFree(key: string): boolean {
    return this.#lines.size === 0 || !this.#lines.has(key);
  }

  /** Something may have become free. */
  wake(key: string): void {
    if (this.#lines.size > 0) this.#lines.get(key)?.wake();
  }

  #begin(key: string): Line {
    const line: Line = { waiting: [], wake: () => {} };
    this.#lines.set(key, line);
    return line;
  }

  /** Whoever goes leaves room for others. */
  #toFront(
    line: Line,
    { rank, most, gone }: Pick<Waiting<unknown>, 'rank' | 'most' | 'gone'>,
    came: number,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const call = (isFront: boolean) => {
        gone?.removeEventListener('abort', leave);
        resolve(isFront);
      };
      const mine: Waiter = { rank, came, call };
      const leave = () => {
        line.waiting.splice(line.waiting.indexOf(mine), 1);
        call(false);
      };
      gone?.addEventListener('abort', leave);
      line.waiting.push(mine);
      line.waiting.sort(byRank);
      if (line.waiting.length > most) line.waiting.pop()?.call(false);
    });
  }

  #callNext(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) next.call(true);
    else this.#lines.delete(key);
  }

  async #tryAtFront<T>(
    line: Line,
    { attempt, patience, gone }: Waiting<T>,
    came: number,
  ): Promise<T | undefined> {
    let paced = 0;
    for (;;) {
      if (gone?.aborted) throw hasGone();
      const now = Math.max(this.#clock.now(), came + paced);
      if (now - came > patience) return undefined;
      const tried = await attempt(now, came + patience);
      if ('entered' in tried) return tried.entered;
      if ('over' in tried) return undefined;
      if ('waitForPace' in tried) {
        paced = now - came + tried.waitForPace;
        await this.#clock.sleep(tried.waitForPace);
      } else await this.#pause(line, tried.waitFor);
    }
  }

  async #pause(line: Line, milliseconds: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      line.wake = resolve;
    });
    await Promise.race([woken, this.#clock.sleep(milliseconds)]);
  }
}

/** Nothing was judged, and nobody reads it. */
const hasGone = (): ServiceError =>
  new ServiceError('unavailable', { detail: 'whoever asked has gone', retryAfter: 1 });

/** Who came first, among equals. */
const byRank = (a: Waiter, b: Waiter): number =>
  a.rank.failures - b.rank.failures || a.rank.turnedAway - b.rank.turnedAway || a.came - b.came;
