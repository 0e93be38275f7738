/** A wrapper of stores that shows when no answer is due, and delays answers for a test. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Ledger } from '../../ports/store/ledger.ts';

export class BusyStore {
  /** Calls that are not answered. */
  #pending = 0;

  /** Delays the answer of `update` after its write. */
  beforeAnswer: () => Promise<void> | void = () => {};

  around(store: Ledger): Ledger {
    return {
      ...store,
      put: (...given) => this.#during(() => store.put(...given)),
      commit: (step) => this.#during(() => store.commit(step)),
      update: (...given) =>
        this.#during(async () => {
          const result = await store.update(...given);
          await this.beforeAnswer();
          return result;
        }),
      family: (name) => this.#pages(store.family(name)),
    };
  }

  /** Resolves when all calls are answered, and no other follows in the next tick. */
  async atRest(): Promise<void> {
    do await nextTick();
    while (this.#pending > 0);
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#pending += 1;
    try {
      return await work();
    } finally {
      this.#pending -= 1;
    }
  }

  async *#pages<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
    this.#pending += 1;
    try {
      yield* pages;
    } finally {
      this.#pending -= 1;
    }
  }
}
