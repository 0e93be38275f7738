/** A read transaction of many entries that yields to the event loop. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServiceError } from '@watchword/core/foundation';
import { elapsed } from '@watchword/core/foundation';
import type { Transaction } from 'lmdb';

/** Milliseconds of work between two pauses. */
const slice = 5;

export class ReadTransaction {
  readonly transaction: Transaction;
  readonly #onEnd: () => void;
  #pauseAt = elapsed() + slice;
  #isEnded = false;
  #error: ServiceError | undefined;

  constructor(transaction: Transaction, onEnd: () => void) {
    this.transaction = transaction;
    this.#onEnd = onEnd;
  }

  get isPauseDue(): boolean {
    return elapsed() >= this.#pauseAt;
  }

  /** Yields to the event loop. @throws the error that {@link end} was given meanwhile */
  async pause(): Promise<void> {
    await nextTurn();
    this.assertOpen();
    this.#pauseAt = elapsed() + slice;
  }

  /** @throws the error that {@link end} was given */
  assertOpen(): void {
    if (this.#error) throw this.#error;
  }

  /** Releases the pages of the snapshot. @param error thrown to a reader that continues */
  end(error?: ServiceError): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#error = error;
    this.transaction.done();
    this.#onEnd();
  }

  [Symbol.dispose](): void {
    this.end();
  }
}
