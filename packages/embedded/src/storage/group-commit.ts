/**
 * Group commit: collects small changes and decides when they become one transaction. After a transaction with n changes the next one
 * waits n - 1 turns of the event loop, so that changes asked for meanwhile join it
 * (docs/decisions/0036-commits-on-lmdb-are-grouped.md).
 */
import { elapsed } from '@watchword/core/foundation';
import type { GroupedChange } from './changes.ts';

const mostTurns = 16;
/** The longest wait in milliseconds, for long turns. The turn in which it ends is the last. */
const longestWait = 10;

/** Commits a group. @param concurrent transactions that the group has waited for, or 0 */
type CommitGroup = (changes: readonly GroupedChange[], concurrent: number) => void;

export class GroupCommit {
  readonly #commit: CommitGroup;
  readonly #now: () => number;
  #changes: GroupedChange[] | undefined;
  /** Changes of the last group. */
  #lastSize = 1;
  #isScheduled = false;

  /** @param now monotonic milliseconds */
  constructor(commit: CommitGroup, now: () => number = elapsed) {
    this.#commit = commit;
    this.#now = now;
  }

  get hasChanges(): boolean {
    return this.#changes !== undefined;
  }

  /**
   * Adds a change to the next group. With no transaction under way the group is committed in the next turn of the event loop, as each message has a
   * tick of its own. Otherwise the group waits for {@link transactionEnded}.
   */
  add(change: GroupedChange, underWay: number): void {
    this.#changes ??= [];
    this.#changes.push(change);
    if (underWay === 0) this.#schedule(1, 0);
  }

  transactionEnded(concurrent: number): void {
    if (this.#changes) this.#schedule(Math.min(this.#lastSize - 1, mostTurns), concurrent);
  }

  /** Commits what waits, at once. */
  flush(concurrent = 0): void {
    const changes = this.#changes;
    if (!changes) return;
    this.#changes = undefined;
    this.#lastSize = changes.length;
    this.#commit(changes, concurrent);
  }

  #schedule(turns: number, concurrent: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#takeTurn(turns, { concurrent, end: this.#now() + longestWait });
  }

  #takeTurn(left: number, due: { readonly concurrent: number; readonly end: number }): void {
    if (left > 0) setImmediate(() => this.#takeTurn(this.#now() < due.end ? left - 1 : 0, due));
    else {
      this.#isScheduled = false;
      this.flush(due.concurrent);
    }
  }
}
