/** Those who wait, by caller: the first of each caller in turn, so that many of one do not come before one of another. */

export interface Waiting {
  readonly caller: string;
  /** When it has waited too long, in milliseconds since 1970. */
  readonly until: number;
  readonly call: () => void;
  readonly fail: (error: Error) => void;
}

export class Lane {
  /** In the order of their turns. */
  readonly #callers = new Map<string, Waiting[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  join(waiting: Waiting): void {
    const mine = this.#callers.get(waiting.caller);
    if (mine) mine.push(waiting);
    else this.#callers.set(waiting.caller, [waiting]);
    this.#size += 1;
  }

  /** How many have their turn before another one of this caller would, at most. */
  ahead(caller: string): number {
    const mine = this.#callers.get(caller)?.length ?? 0;
    let others = 0;
    for (const [other, { length }] of this.#callers)
      if (other !== caller) others += Math.min(length, mine + 1);
    return mine + others;
  }

  /** Takes the one whose turn it is; the caller's next turn is behind everybody's. */
  next(): Waiting | undefined {
    const [first] = this.#callers;
    if (!first) return undefined;
    const [caller, waiting] = first;
    const next = waiting.shift();
    this.#callers.delete(caller);
    if (waiting.length > 0) this.#callers.set(caller, waiting);
    this.#size -= 1;
    return next;
  }

  leave(gone: Waiting): void {
    const mine = this.#callers.get(gone.caller) ?? [];
    const rest = mine.filter((waiting) => waiting !== gone);
    if (rest.length > 0) this.#callers.set(gone.caller, rest);
    else this.#callers.delete(gone.caller);
    this.#size -= mine.length - rest.length;
  }

  /** Takes those who have waited too long. */
  takeLate(now: number): readonly Waiting[] {
    const late = [...this.#callers.values()].flat().filter(({ until }) => until <= now);
    for (const waiting of late) this.leave(waiting);
    return late;
  }
}
