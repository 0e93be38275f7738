/** Around the store of each node of a test: tells when nobody waits for it any more, and answers late where the test says so. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Ledger } from '../../ports/store/ledger.ts';

export class BusyStore {
  /** What has been asked for, and is not answered. */
  #asked = 0;

  /** What an answer of `update` waits for, after everything is written. */
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

  /** Resolves once all is answered, and nobody asks for more in the turn after it. */
  async atRest(): Promise<void> {
    do await nextTurn();
    while (this.#asked > 0);
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#asked += 1;
    try {
      return await work();
    } finally {
      this.#asked -= 1;
    }
  }

  async *#pages<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
    this.#asked += 1;
    try {
      yield* pages;
    } finally {
      this.#asked -= 1;
    }
  }
}
