/** A read of many entries, from one state of the database, that lets others have their turn now and then. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServiceError } from '@watchword/core/foundation';
import { elapsed } from '@watchword/core/foundation';
import type { Transaction } from 'lmdb';

/** Milliseconds of work between two pauses. */
const stint = 5;

export class Reading {
  readonly transaction: Transaction;
  readonly #onEnd: () => void;
  #pauseAt = elapsed() + stint;
  #isEnded = false;
  #error: ServiceError | undefined;

  constructor(transaction: Transaction, onEnd: () => void) {
    this.transaction = transaction;
    this.#onEnd = onEnd;
  }

  /** True when others have waited long enough. */
  get isPauseDue(): boolean {
    return elapsed() >= this.#pauseAt;
  }

  /** @throws what it was ended with meanwhile */
  async pause(): Promise<void> {
    await nextTurn();
    this.assertOpen();
    this.#pauseAt = elapsed() + stint;
  }

  /** @throws what it was ended with */
  assertOpen(): void {
    if (this.#error) throw this.#error;
  }

  /** Gives the pages free that it held. @param error what a reader gets that goes on */
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
