/** A queue that serves callers in turn (round robin), so that many requests of one do not delay another. */
export interface Waiting {
  readonly caller: string;
  /** The end of its wait, in milliseconds since 1970. */
  readonly until: number;
  readonly start: () => void;
  readonly fail: (error: Error) => void;
}

export class FairQueue {
  /** Requests by caller, in the order of turns. */
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

  /** Returns the most requests that come before another one of this caller. */
  ahead(caller: string): number {
    const mine = this.#callers.get(caller)?.length ?? 0;
    let others = 0;
    for (const [other, { length }] of this.#callers)
      if (other !== caller) others += Math.min(length, mine + 1);
    return mine + others;
  }

  /** Takes the next request; its caller goes to the end. */
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

  leave(leaving: Waiting): void {
    const mine = this.#callers.get(leaving.caller) ?? [];
    const rest = mine.filter((waiting) => waiting !== leaving);
    if (rest.length > 0) this.#callers.set(leaving.caller, rest);
    else this.#callers.delete(leaving.caller);
    this.#size -= mine.length - rest.length;
  }

  /** Takes the requests that have waited too long. */
  takeLate(now: number): readonly Waiting[] {
    const late = [...this.#callers.values()].flat().filter(({ until }) => until <= now);
    for (const waiting of late) this.leave(waiting);
    return late;
  }
}
