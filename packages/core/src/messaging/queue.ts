/** What of one way waits for its turn on this node: a few are tried at a time, and the others do not hold up another way. */

import { hasCome } from './back-off.ts';

/** How many of one way are tried at a time. */
const places = 16;

export class WayQueue {
  readonly #attend: (id: string) => Promise<number | undefined>;
  /** Due now, in the order in which they came. */
  readonly #ready: string[] = [];
  /** By when they are due, in milliseconds since 1970. */
  readonly #later = new Map<string, number>();
  readonly #known = new Set<string>();
  readonly #working = new Set<Promise<void>>();

  /** @param attend tries one, and tells when to try again, 0: at once; undefined: never. It throws nothing */
  constructor(attend: (id: string) => Promise<number | undefined>) {
    this.#attend = attend;
  }

  get size(): number {
    return this.#known.size;
  }

  knows(id: string): boolean {
    return this.#known.has(id);
  }

  /** @param due in milliseconds since 1970; 0: at once */
  add(id: string, due: number): void {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    this.#put(id, due);
    this.#work();
  }

  /** What has become due is tried. */
  wake(now: number): void {
    for (const [id, due] of this.#later) {
      if (!hasCome(due, now)) continue;
      this.#later.delete(id);
      this.#ready.push(id);
    }
    this.#work();
  }

  /** Nothing begins any more; resolves once nothing is under way. */
  async close(): Promise<void> {
    this.#ready.length = 0;
    this.#later.clear();
    await Promise.all(this.#working);
  }

  #put(id: string, due: number): void {
    if (due === 0) this.#ready.push(id);
    else this.#later.set(id, due);
  }

  #work(): void {
    while (this.#working.size < places) {
      const id = this.#ready.shift();
      if (id === undefined) return;
      const working = this.#attend(id).then((due) => {
        this.#working.delete(working);
        if (due === undefined) this.#known.delete(id);
        else this.#put(id, due);
        this.#work();
      });
      this.#working.add(working);
    }
  }
}
