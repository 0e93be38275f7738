/** The queue of one channel on this node: it delivers some messages at a time, and does not delay other channels. */

import { hasCome } from './back-off.ts';

/** Messages of a channel that are tried at a time. */
const concurrency = 16;

export class ChannelQueue {
  readonly #process: (id: string) => Promise<number | undefined>;
  /** Ids of messages that are due, in the order of arrival. */
  readonly #ready: string[] = [];
  /** The due times of the others, in milliseconds since 1970. */
  readonly #later = new Map<string, number>();
  readonly #known = new Set<string>();
  readonly #working = new Set<Promise<void>>();

  /** @param process delivers a message, and returns when to try again: 0 for at once, undefined for never. It must not reject */
  constructor(process: (id: string) => Promise<number | undefined>) {
    this.#process = process;
  }

  get size(): number {
    return this.#known.size;
  }

  knows(id: string): boolean {
    return this.#known.has(id);
  }

  /** Adds a message. @param due in milliseconds since 1970; 0 for at once */
  add(id: string, due: number): void {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    this.#put(id, due);
    this.#work();
  }

  /** Tries the messages that have become due. */
  wake(now: number): void {
    for (const [id, due] of this.#later) {
      if (!hasCome(due, now)) continue;
      this.#later.delete(id);
      this.#ready.push(id);
    }
    this.#work();
  }

  /** Begins no further try, and resolves when the running ones have ended. */
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
    while (this.#working.size < concurrency) {
      const id = this.#ready.shift();
      if (id === undefined) return;
      const working = this.#process(id).then((due) => {
        this.#working.delete(working);
        if (due === undefined) this.#known.delete(id);
        else this.#put(id, due);
        this.#work();
      });
      this.#working.add(working);
    }
  }
}
